// All cards: sorted, filtered, compared. Rows are drawn in slices, so that ten thousand stay usable.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const { say, make } = site;
  const data = JSON.parse(document.querySelector("#card-data").textContent);
  const table = document.querySelector("#cards");
  const filters = document.querySelector("#filters");
  const tally = document.querySelector("#tally");
  const comparison = document.querySelector("#comparison");
  const SLICE = 200;
  const chosen = new Set();
  let order = { by: "launch_date", down: true };
  let visible = data.rows;

  const cell = (row, name) => make("td", { text: row.shown[name] || "–" });
  const line = (row) => {
    const tick = make("input", { type: "checkbox", checked: chosen.has(row.name), "aria-label": `${say("choose")} ${row.name}`, onchange: () => {
      if (tick.checked) chosen.add(row.name); else chosen.delete(row.name);
      compare();
    } });
    const name = row.url ? make("a", { href: row.url, text: row.name, target: "_blank", rel: "noopener noreferrer", title: `${row.source} ${row.as_of}` }) : make("span", { text: row.name, title: `${row.source} ${row.as_of}` });
    const head = make("th", { scope: "row" }, name);
    if (!row.verified) head.append(make("abbr", { text: " °", title: say("not_checked") }));
    return make("tr", {}, make("td", {}, tick), head, ...data.columns.map(([key]) => cell(row, key)));
  };

  const body = make("tbody");
  let drawn = 0;
  const more = () => {
    body.append(...visible.slice(drawn, drawn + SLICE).map(line));
    drawn = Math.min(drawn + SLICE, visible.length);
    rest.hidden = drawn >= visible.length;
    rest.textContent = `+ ${visible.length - drawn}`;
  };
  const rest = make("button", { type: "button", className: "quiet", hidden: true, onclick: more });

  const value = (row, name) => (name === "name" ? row.name : row.raw[name]);
  const draw = () => {
    const wanted = Object.fromEntries(new FormData(filters));
    const text = (wanted.text || "").toLowerCase().trim();
    visible = data.rows.filter((row) => (!wanted.vendor || row.vendor === wanted.vendor) && (!wanted.segment || row.segment === wanted.segment)
      && (!wanted.memory || row.raw.memory_gb >= Number(wanted.memory)) && (!wanted.verified || row.verified)
      && (!text || `${row.name} ${row.architecture} ${row.vendor} ${row.aliases}`.toLowerCase().includes(text)));
    if (order.by) {
      visible = [...visible].sort((one, other) => {
        const [a, b] = [value(one, order.by), value(other, order.by)];
        if (a === null || b === null) return (a === null) - (b === null);
        const less = typeof a === "string" ? a.localeCompare(b) : a - b;
        return order.down ? -less : less;
      });
    }
    body.replaceChildren();
    drawn = 0;
    more();
    tally.textContent = visible.length ? say("shown").replace("{n}", visible.length) : say("no_cards");
    for (const head of table.querySelectorAll("thead th[data-name]")) head.setAttribute("aria-sort", head.dataset.name === order.by ? (order.down ? "descending" : "ascending") : "none");
  };

  const header = (name, label, unit) => make("th", { scope: "col", "data-name": name, "aria-sort": "none" },
    make("button", { type: "button", title: say("sort"), onclick: () => {
      order = { by: name, down: order.by === name ? !order.down : name !== "name" && name !== "launch_price_usd" };
      draw();
    } }, make("span", { text: label }), unit ? make("small", { text: ` ${unit}` }) : null));

  const compare = () => {
    const rows = data.rows.filter((row) => chosen.has(row.name)).slice(0, 5);
    if (rows.length < 2) {
      comparison.replaceChildren(make("p", { className: "quiet", text: say("compare_hint") }));
      return;
    }
    const lines = data.compared.map(([name, label]) => {
      const cells = rows.map((row) => row.shown[name] || "–");
      const numbersOf = rows.map((row) => row.raw[name]).filter((item) => typeof item === "number");
      const best = numbersOf.length === rows.length && !/power|price|slots/.test(name) ? Math.max(...numbersOf) : null;
      return make("tr", { className: new Set(cells).size > 1 ? "differs" : "" }, make("th", { scope: "row", text: label }),
        ...rows.map((row, index) => make("td", {}, best !== null && row.raw[name] === best && new Set(numbersOf).size > 1 ? make("b", { text: cells[index] }) : make("span", { text: cells[index] }))));
    });
    comparison.replaceChildren(make("div", { className: "wide", tabIndex: 0, role: "region", "aria-label": say("compare") },
      make("table", { className: "compare" }, make("caption", { text: say("compare") }),
        make("thead", {}, make("tr", {}, make("td", {}), ...rows.map((row) => make("th", { scope: "col", text: row.name })))), make("tbody", {}, ...lines))),
    make("a", { className: "button", href: `/?q=${encodeURIComponent(site.language === "zh" ? `比较 ${rows.map((row) => row.name).join(" 和 ")}` : `Compare ${rows.map((row) => row.name).join(" and ")}`)}`, text: say("ask_it") }));
  };

  table.append(make("thead", {}, make("tr", {}, make("td", {}), header("name", say("card"), ""), ...data.columns.map(([name, label, unit]) => header(name, label, "")))), body);
  table.after(rest);
  filters.addEventListener("input", draw);
  filters.addEventListener("submit", (event) => event.preventDefault());
  draw();
  compare();
});
