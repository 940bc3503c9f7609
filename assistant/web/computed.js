// Shows what the server computed: sentence, pictures, figures with what changed, steps, the same call.
"use strict";

const computed = (() => {
  const { make, say } = site;

  const list = (label, lines, tag = "li", open = false) => {
    if (!lines?.length) return null;
    const body = tag === "code" ? make("div", {}, ...lines.map((line) => make("code", { className: "step", text: line })))
      : make("ul", {}, ...lines.map((line) => (typeof line === "string" ? make("li", { text: line }) : line)));
    return make("details", { open }, make("summary", { text: label }), body);
  };

  const table = (head, rows, limit = 15) => {
    const body = make("tbody");
    const row = (cells) => make("tr", {}, ...cells.map((cell, index) => make(index ? "td" : "th", { text: cell, scope: index ? null : "row" })));
    body.append(...rows.slice(0, limit).map(row));
    const whole = make("table", {}, make("thead", {}, make("tr", {}, ...head.map((cell) => make("th", { text: cell, scope: "col" })))), body);
    const box = make("div", { className: "wide", tabIndex: 0, role: "region", "aria-label": say("rows") }, whole);
    if (rows.length > limit) box.append(make("button", { type: "button", className: "quiet", text: `+ ${rows.length - limit}`, onclick: (event) => {
      body.append(...rows.slice(limit).map(row));
      event.target.remove();
    } }));
    return box;
  };

  const save = (blob, name) => {
    const address = URL.createObjectURL(blob);
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 5000);
  };

  const asPng = (picture) => {
    const image = new Image();
    const theme = document.body.classList.contains("dark") ? "dark" : "light";
    const text = picture.alone.replace('class="chart "', `class="chart ${theme}"`);
    image.onload = () => {
      const canvas = make("canvas", { width: image.width * 2, height: image.height * 2 });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => save(blob, `${picture.name}.png`));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  };

  const figure = (picture) => {
    const drawn = make("div");
    drawn.innerHTML = picture.svg; // our own drawing; every text in it is escaped by the server
    return make("figure", {}, drawn, make("figcaption", {},
      make("button", { type: "button", className: "quiet", text: `${say("download")} SVG`, onclick: () => save(new Blob([picture.alone], { type: "image/svg+xml" }), `${picture.name}.svg`) }),
      make("button", { type: "button", className: "quiet", text: "PNG", "aria-label": `${say("download")} PNG`, onclick: () => asPng(picture) })),
    picture.rows.length ? make("details", {}, make("summary", { text: say("table") }), table(picture.head, picture.rows)) : null);
  };

  const figures = (rows) => {
    const body = make("tbody");
    for (const row of rows) {
      body.append(make("tr", { className: row.changed ? "changed" : "" }, make("th", { scope: "row", text: row.label, title: row.name }),
        make("td", {}, row.changed ? make("mark", { text: row.shown }) : make("span", { text: row.shown }), row.changed ? make("del", { text: row.before, "aria-label": `${say("was")} ${row.before}` }) : null)));
    }
    return make("table", { className: "figures" }, make("caption", { text: say("figures") }), body);
  };

  const sameCall = (same) => {
    const code = make("pre", { tabIndex: 0 }, make("code", { text: same.Python }));
    const tabs = make("div", { className: "tabs", role: "group", "aria-label": say("same_call") });
    const copy = make("button", { type: "button", className: "quiet", text: say("copy"), onclick: async () => {
      await navigator.clipboard?.writeText(code.textContent);
      copy.textContent = say("copied");
      setTimeout(() => { copy.textContent = say("copy"); }, 1200);
    } });
    for (const [name, text] of Object.entries(same)) {
      const button = make("button", { type: "button", text: name, "aria-pressed": name === "Python", onclick: () => {
        code.firstChild.textContent = text;
        for (const other of tabs.children) other.setAttribute("aria-pressed", other === button);
      } });
      button.setAttribute("aria-pressed", name === "Python");
      tabs.append(button);
    }
    return make("details", { className: "same" }, make("summary", { text: say("same_call") }), tabs, code, copy);
  };

  // Keeps open what was open, so that a slider does not shut what a person reads.
  const show = (box, result, { whole = true } = {}) => {
    const open = new Set([...box.querySelectorAll("details[open] > summary")].map((node) => node.textContent));
    if (result.error) {
      box.replaceChildren(make("p", { className: "error", role: "alert", text: result.error }));
      return;
    }
    const sentence = make("div", { className: "sentence" });
    sentence.innerHTML = result.sentence; // escaped by the server, links lead to records only
    sentence.records = result.records;
    const parts = [sentence, ...result.warnings.map((line) => make("p", { className: "mind", text: line })), ...result.pictures.map(figure)];
    const marked = result.figures.filter((row) => whole || row.changed);
    if (marked.length) parts.push(figures(marked));
    if (whole && result.table?.rows) parts.push(table(result.table.head, result.table.rows));
    parts.push(list(say("steps"), result.steps, "code", whole));
    parts.push(list(say("assumed"), result.assumptions, "li", whole));
    parts.push(list(say("sources"), result.sources.map(numbers.source)));
    if (whole) parts.push(sameCall(result.same));
    box.replaceChildren(...parts.filter(Boolean));
    for (const summary of box.querySelectorAll("summary")) if (open.has(summary.textContent)) summary.parentNode.open = true;
  };
  return { show };
})();
