// A number opens: its record is put into a native popover, as text only. No server call, nothing evaluated.
"use strict";

const numbers = (() => {
  const { make, say } = site;
  const OPENS = 'a[href^="#r"], a[href^="#c"], a[href^="#user"]';

  // Records lie beside what holds the link: on the element that computed.js or a page drew, or in what the chat was told.
  const recordOf = (link) => {
    const owner = link.closest(".sentence");
    const ref = link.getAttribute("href").slice(1);
    if (owner?.records) return owner.records[ref];
    if (owner?.dataset.records) return JSON.parse(owner.dataset.records)[ref];
    return window.chat?.told().records?.[ref];
  };

  const source = (link) => {
    const item = make("li");
    item.append(/^https?:\/\//.test(link.url) ? make("a", { href: link.url, text: link.text, target: "_blank", rel: "noopener noreferrer" }) : make("span", { text: link.text }));
    item.append(make("small", { text: ` ${link.date}` }));
    return item;
  };

  const section = (part) => {
    const block = make("section");
    if (part.label) block.append(make("h3", { text: part.label }));
    for (const line of part.lines || []) block.append(make(part.formula ? "code" : "p", { text: line }));
    if (part.links) block.append(make("ul", {}, ...part.links.map(source)));
    return block;
  };

  let card = null;
  const popover = () => {
    if (card) return card;
    card = make("div", { id: "number-card", tabIndex: -1, role: "dialog", "aria-labelledby": "number-card-title" });
    card.popover = "auto";
    document.body.append(card);
    return card;
  };

  const place = (box, link) => {
    const at = link.getBoundingClientRect();
    const size = box.getBoundingClientRect();
    const gap = 8;
    const below = at.bottom + gap + size.height <= innerHeight || at.top < size.height + gap;
    const top = below ? Math.min(at.bottom + gap, innerHeight - size.height - gap) : at.top - gap - size.height;
    box.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - size.width - gap))}px`;
    box.style.top = `${Math.max(gap, top)}px`;
  };

  const open = (link) => {
    const record = recordOf(link);
    if (!record) return;
    const box = popover();
    const head = make("div", { className: "top" }, make("span", { text: record.badge, className: `badge ${record.kind}` }),
      make("h2", { text: record.title, id: "number-card-title" }),
      make("button", { type: "button", text: "×", "aria-label": say("close"), onclick: () => box.hidePopover() }));
    const parts = [head];
    if (record.kind !== "article") parts.push(make("p", { text: link.textContent, className: "figure" }));
    if (record.name) parts.push(make("p", { text: record.name, className: "name" }));
    box.replaceChildren(...parts, ...record.sections.map(section));
    box.showPopover();
    place(box, link);
    box.focus();
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(OPENS);
    if (!link || !link.closest("#chat, .sentence")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open(link);
  }, true);
  return { source };
})();
