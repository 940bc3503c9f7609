// The list of conversations at the side: open, search, rename, delete, export.
"use strict";

document.addEventListener("bar", () => {
  const { say, make } = site;
  const list = make("ul", { id: "conversations" });
  const search = make("input", { type: "search", placeholder: say("search"), "aria-label": say("search"), autocomplete: "off" });
  const side = make("aside", { id: "history", "aria-label": say("history") },
    make("div", { className: "row" }, make("button", { id: "new", type: "button", className: "button", text: say("new"), onclick: () => { window.chat.wish({ do: "new" }); narrow() && toggle(false); } }),
      make("button", { type: "button", className: "quiet close", text: "×", "aria-label": say("close"), onclick: () => { toggle(false); button.focus(); } })),
    search, list);
  const button = make("button", { type: "button", id: "show-history", className: "act", text: say("history"), "aria-controls": "history", onclick: () => toggle() });
  const narrow = () => innerWidth < 1280;
  const toggle = (on = !document.body.classList.contains("with-history")) => {
    document.body.classList.toggle("with-history", on);
    side.hidden = !on;
    button.setAttribute("aria-expanded", on);
    if (!narrow()) localStorage.setItem("history", on ? "1" : "");
    if (on) load();
  };

  const change = async (body) => {
    try {
      await site.post("/page/history", body);
    } catch { /* the list shows what is true */ }
    load();
  };

  const rename = (row, item) => {
    drawn = "";
    const input = make("input", { value: item.title, maxLength: 80, "aria-label": say("title") });
    const form = make("form", {}, input, make("button", { text: say("save"), className: "act" }));
    form.addEventListener("submit", (event) => { event.preventDefault(); change({ do: "rename", name: item.name, title: input.value }); });
    input.addEventListener("keydown", (event) => { if (event.key === "Escape") load(); });
    row.replaceChildren(form);
    input.select();
  };

  const menu = (row, item) => {
    const take = (form, label) => make("a", { href: `/page/export/${item.name}.${form}?language=${site.language}`, text: label, target: form === "html" ? "_blank" : null, download: form === "html" ? null : "" });
    const remove = make("button", { type: "button", className: "bad", text: say("remove"), onclick: () => {
      if (remove.dataset.sure) {
        change({ do: "remove", name: item.name });
        if (window.chat.told().name === item.name) window.chat.wish({ do: "new" });
      } else {
        remove.dataset.sure = "1";
        remove.textContent = say("really");
      }
    } });
    return make("details", { className: "menu" }, make("summary", { text: "⋯", "aria-label": `${item.title}: ${say("rename")}, ${say("export")}, ${say("remove")}` }),
      make("div", {}, make("button", { type: "button", text: say("rename"), onclick: () => rename(row, item) }), take("md", "Markdown"), take("json", "JSON"), take("html", say("print")), remove));
  };

  let asked = 0;
  let drawn = "";
  const load = async () => {
    const mine = asked += 1;
    let rows = [];
    try {
      const reply = await fetch(`/page/history?search=${encodeURIComponent(search.value)}`);
      if (!reply.ok) throw new Error(`${reply.status}`);
      rows = await reply.json();
    } catch {
      drawn = "";
      list.replaceChildren(make("li", { className: "quiet", text: say("offline") }));
      return;
    }
    if (mine !== asked) return;
    const now = window.chat.told().name;
    const text = JSON.stringify([rows, now, search.value]);
    if (text === drawn) return; // an open menu stays open
    drawn = text;
    list.replaceChildren(...rows.map((item) => {
      const row = make("li", { className: item.name === now ? "now" : "" });
      row.append(make("button", { type: "button", className: "open", text: item.title, title: item.title, "aria-current": item.name === now ? "true" : null, onclick: () => {
        window.chat.wish({ do: "open", name: item.name });
        if (narrow()) toggle(false);
      } }), menu(row, item));
      return row;
    }));
    if (!rows.length) list.append(make("li", { className: "quiet", text: say(search.value ? "nothing_found" : "no_history") }));
  };

  let timer = 0;
  search.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(load, 200); });
  document.addEventListener("history", () => { if (!side.hidden) load(); });
  document.addEventListener("told", () => { if (!side.hidden) load(); });
  document.addEventListener("click", (event) => {
    for (const open of list.querySelectorAll("details[open]")) if (!open.contains(event.target)) open.open = false;
  });
  side.addEventListener("keydown", (event) => { if (event.key === "Escape" && narrow()) { toggle(false); button.focus(); } });
  document.querySelector("#tools-of-page").prepend(button);
  document.querySelector("#bar").after(side);
  toggle(!narrow() && localStorage.getItem("history") === "1");
});
