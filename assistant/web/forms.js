// The inputs of a tool as fields; what the server says of each (kind, unit, limits) decides how it looks.
"use strict";

const forms = (() => {
  const { make, say } = site;
  let counter = 0;

  const tidy = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(10))) : "");

  const numberField = (field, id, changed) => {
    const shown = field.value === null || field.value === undefined ? "" : tidy(field.value * field.scale);
    const input = make("input", { id, type: "number", value: shown, step: "any", min: field.low, inputMode: "decimal",
      placeholder: field.default === null || field.default === undefined ? "" : tidy(field.default * field.scale) });
    const box = make("span", { className: "measure" }, input, make("span", { className: "unit", text: field.unit }));
    const parts = [box];
    if (field.high) {
      const slider = make("input", { type: "range", min: field.low, max: field.high, step: field.step, value: shown || field.low,
        "aria-label": `${field.label} (${field.unit})`, tabIndex: 0, oninput: () => { input.value = slider.value; changed(); } });
      input.addEventListener("input", () => { slider.value = input.value; });
      parts.push(slider);
    }
    input.addEventListener("input", changed);
    return { node: make("div", { className: "control" }, ...parts), read: () => {
      if (input.value.trim() === "") return null;
      return Number((Number(input.value) / field.scale).toPrecision(12));
    } };
  };

  const choiceField = (field, id, changed) => {
    const select = make("select", { id, onchange: changed });
    if (!field.required && field.default === null) select.append(make("option", { value: "", text: say("left_out") }));
    if (field.required && field.value === null) select.append(make("option", { value: "", text: "–" }));
    for (const [value, label] of field.options) select.append(make("option", { value, text: label, selected: value === field.value }));
    return { node: make("div", { className: "control" }, select), read: () => select.value || null };
  };

  const flagField = (field, id, changed) => {
    const input = make("input", { id, type: "checkbox", checked: Boolean(field.value), onchange: changed });
    return { node: make("div", { className: "control" }, input), read: () => input.checked };
  };

  const textField = (field, id, changed) => {
    const many = field.kind === "gpus" || field.kind === "numbers";
    const value = many ? (field.value || []).join(", ") : field.value ?? "";
    const list = field.kind === "gpu" ? "gpu-names" : field.kind === "model" ? "model-names" : null;
    const input = make("input", { id, type: "text", value, list, autocomplete: "off", spellcheck: false, oninput: changed });
    return { node: make("div", { className: "control" }, input), read: () => {
      const text = input.value.trim();
      if (!text) return null;
      if (!many) return text;
      const parts = text.split(/[,，、;；]\s*/).filter(Boolean);
      return field.kind === "numbers" ? parts.map(Number) : parts;
    } };
  };

  // Cards and how many of each; or cards and their prices.
  const mapField = (field, id, changed) => {
    const priced = field.kind === "prices";
    const rows = make("div", { className: "rows" });
    const add = (name = "", value = priced ? "" : 1, first = false) => {
      const card = make("input", { type: "text", value: name, list: "gpu-names", "aria-label": say("card"), autocomplete: "off", oninput: changed, id: first ? id : null });
      const count = make("input", { type: "number", min: priced ? 0 : 1, max: priced ? null : 512, value, "aria-label": priced ? `${field.label} (USD)` : say("count"), oninput: changed });
      const row = make("div", { className: "pair" }, card, make("span", { text: priced ? "$" : "×", "aria-hidden": "true" }), count,
        make("button", { type: "button", text: "−", className: "quiet", "aria-label": say("remove"), onclick: () => { row.remove(); changed(); } }));
      rows.append(row);
    };
    const given = Object.entries(field.value || {});
    given.forEach(([name, value], index) => add(name, value, index === 0));
    if (!given.length && field.required) add("", 1, true);
    const more = make("button", { type: "button", className: "quiet", text: `+ ${say("add_card")}`, onclick: () => { add(); rows.lastChild.querySelector("input").focus(); } });
    if (!rows.firstChild) more.id = id;
    return { node: make("div", { className: "control" }, rows, more), read: () => {
      const read = {};
      for (const row of rows.children) {
        const [card, count] = row.querySelectorAll("input");
        if (card.value.trim() && count.value !== "") read[card.value.trim()] = Number(count.value);
      }
      return Object.keys(read).length ? read : null;
    } };
  };

  const KINDS = { number: numberField, integer: numberField, choice: choiceField, boolean: flagField, cards: mapField, prices: mapField };

  // Draws the fields into a form; returns how to read what was filled in.
  const draw = (form, fields, changed) => {
    const reads = [];
    const rare = make("details", { className: "more" }, make("summary", { text: say("more_inputs") }));
    const usual = make("div", { className: "fields" });
    for (const field of fields) {
      const id = `input-${counter += 1}`;
      const built = (KINDS[field.kind] || textField)(field, id, changed);
      const help = make("p", { className: "help", id: `${id}-help`, text: field.help });
      const label = make("label", { htmlFor: id, text: field.label });
      if (field.required) label.append(make("span", { className: "required", text: ` ${say("required")}` }));
      const row = make("div", { className: "field", "data-name": field.name }, label, built.node, help);
      row.querySelector(`#${id}`)?.setAttribute("aria-describedby", `${id}-help`);
      (field.rare ? rare : usual).append(row);
      reads.push([field, built.read]);
    }
    form.replaceChildren(usual);
    if (rare.children.length > 1) form.append(rare);
    return { read: () => {
      const given = {};
      for (const [field, read] of reads) {
        const value = read();
        if (value === null) continue;
        if (value === field.default && !(field.value !== field.default)) continue;
        given[field.name] = value;
      }
      return given;
    }, missing: () => reads.filter(([field, read]) => field.required && read() === null).map(([field]) => field.name) };
  };

  // An error of a tool names the argument in backticks: mark that field.
  const blame = (form, error) => {
    for (const row of form.querySelectorAll(".field")) {
      const bad = Boolean(error) && error.includes(`\`${row.dataset.name}\``);
      row.classList.toggle("bad", bad);
      row.querySelector(".fault")?.remove();
      if (bad) row.append(make("p", { className: "fault", text: error }));
      for (const input of row.querySelectorAll("input, select")) {
        if (bad) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
      }
    }
  };
  return { draw, blame };
})();
