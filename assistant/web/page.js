// A number opens: its record is put into a native popover, as text only. No server call, nothing evaluated.
"use strict";

const OPENS = '#chat a[href^="#r"], #chat a[href^="#c"], #chat a[href^="#user"]';

const make = (tag, text = "", className = "") => {
  const node = document.createElement(tag);
  node.textContent = text;
  if (className) node.className = className;
  return node;
};

const records = () => {
  try {
    return JSON.parse(document.querySelector("#cards textarea")?.value || "{}");
  } catch {
    return {};
  }
};

const source = (link) => {
  const item = make("li");
  if (/^https?:\/\//.test(link.url)) {
    const anchor = make("a", link.text);
    anchor.href = link.url;
    anchor.target = "_blank";
    anchor.rel = "noopener noreferrer";
    item.append(anchor);
  } else {
    item.append(make("span", link.text));
  }
  item.append(make("small", ` ${link.date}`));
  return item;
};

const section = (part) => {
  const block = make("section");
  if (part.label) block.append(make("h4", part.label));
  for (const line of part.lines || []) block.append(make(part.formula ? "code" : "p", line));
  if (part.links) {
    const list = make("ul");
    list.append(...part.links.map(source));
    block.append(list);
  }
  return block;
};

let card = null;
const popover = () => {
  if (card) return card;
  card = make("div");
  card.id = "number-card";
  card.popover = "auto";
  card.tabIndex = -1;
  card.setAttribute("role", "dialog");
  card.setAttribute("aria-labelledby", "number-card-title");
  (document.querySelector(".gradio-container") || document.body).append(card);
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
  const record = records()[link.getAttribute("href").slice(1)];
  if (!record) return;
  const box = popover();
  const head = make("header");
  const close = make("button", "×");
  close.type = "button";
  close.setAttribute("aria-label", document.documentElement.lang.startsWith("zh") ? "关闭" : "Close");
  close.addEventListener("click", () => box.hidePopover());
  const title = make("h3", record.title);
  title.id = "number-card-title";
  head.append(make("span", record.badge, `badge ${record.kind}`), title, close);
  const parts = [head];
  if (record.kind !== "article") parts.push(make("p", link.textContent, "figure"));
  if (record.name) parts.push(make("p", record.name, "name"));
  box.replaceChildren(...parts, ...record.sections.map(section));
  box.showPopover();
  place(box, link);
  box.focus();
};

const send = (text) => {
  const field = document.querySelector("#box textarea");
  if (!field) return;
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  setTimeout(() => document.querySelector("#box .submit-button")?.click(), 30);
};

// The page's own Markdown would be copied with its entities; what is read is what is copied.
const copy = async (button) => {
  const row = button.closest(".message-buttons")?.previousElementSibling;
  const parts = [...(row?.querySelectorAll(".message-content") || [])].filter((part) => !part.closest(".thought-group"));
  const text = parts.map((part) => part.innerText.trim()).join("\n\n");
  await navigator.clipboard?.writeText(text);
  button.classList.add("copied");
  setTimeout(() => button.classList.remove("copied"), 1200);
};

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(OPENS);
  const ask = event.target.closest?.('#welcome a[href^="#ask"]');
  const button = event.target.closest?.('#chat .message-buttons button[aria-label="Copy message"]');
  if (!link && !ask && !button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (link) open(link);
  else if (ask) send(ask.textContent);
  else copy(button);
}, true);

document.addEventListener("change", (event) => {
  if (!event.target.closest?.("#language")) return;
  const language = event.target.value === "en" ? "en" : "zh";
  document.cookie = `language=${language}; path=/; max-age=31536000; SameSite=Strict`;
  document.documentElement.lang = language;
}, true);

// Gradio names each message by its Markdown source, which a screen reader would spell out; the text is enough.
const NAMED = '#chat [data-testid="bot"][aria-label], #chat [data-testid="user"][aria-label]';
new MutationObserver(() => {
  for (const node of document.querySelectorAll(NAMED)) node.removeAttribute("aria-label");
}).observe(document.documentElement, { subtree: true, childList: true, attributeFilter: ["aria-label"] });

const chosen = /(?:^|; )language=(zh|en)/.exec(document.cookie);
document.documentElement.lang = chosen ? chosen[1] : navigator.language.startsWith("zh") ? "zh" : "en";
