// Beside the chat: the inputs of the last results. A change computes the tool again, without a model.
"use strict";

document.addEventListener("bar", () => {
  const { say, make } = site;
  const form = make("form", { noValidate: true, "aria-label": say("inputs") });
  const box = make("div", { className: "computed", "aria-live": "polite" });
  const which = make("select", { "aria-label": say("calculators"), onchange: () => begin(Number(which.value)) });
  const back = make("button", { type: "button", className: "quiet", text: say("reset"), onclick: () => begin(at) });
  const send = make("button", { type: "button", className: "button", text: say("to_chat"), disabled: true, onclick: () => {
    window.chat.wish({ do: "what_if", tool: call.tool, arguments: drawn.read(), before: call.arguments, language: language() });
    if (narrow()) toggle(false);
  } });
  const status = make("p", { className: "status", role: "status" });
  const content = make("div", { className: "content", hidden: true }, which, form, status, box, make("div", { className: "row" }, send, back));
  const empty = make("p", { className: "quiet", text: say("what_if_empty") });
  const panel = make("aside", { id: "what-if", "aria-label": say("what_if"), hidden: true },
    make("div", { className: "row head" }, make("h2", { text: say("what_if") }), make("button", { type: "button", className: "quiet close", text: "×", "aria-label": say("close"), onclick: () => toggle(false) })),
    make("p", { className: "quiet hint", text: say("what_if_hint") }), empty, content);
  const narrow = () => innerWidth < 1000;
  const language = () => window.chat.told().language || site.language;
  let calls = [];
  let at = 0;
  let call = null;
  let drawn = null;
  let turn = 0;
  let closed = false;

  const toggle = (on) => {
    panel.hidden = !on;
    document.body.classList.toggle("with-what-if", on);
    if (!on) closed = true;
    else if (narrow()) panel.querySelector("input, select, button")?.focus();
  };

  const compute = async () => {
    const mine = turn += 1;
    if (drawn.missing().length) return;
    const inputs = drawn.read();
    const started = performance.now();
    try {
      const result = await site.post("/page/compute", { tool: call.tool, arguments: inputs, before: call.arguments, language: language() });
      if (mine !== turn) return;
      forms.blame(form, result.error);
      computed.show(box, result, { whole: false });
      status.textContent = result.error ? "" : say(result.changed ? "changed" : "unchanged");
      status.classList.toggle("changed", Boolean(result.changed));
      send.disabled = Boolean(result.error);
      panel.dataset.took = Math.round(performance.now() - started);
    } catch {
      status.textContent = say("offline");
    }
  };
  let timer = 0;
  const soon = () => { clearTimeout(timer); timer = setTimeout(compute, 60); };

  const begin = async (index) => {
    at = index;
    call = calls[index];
    status.textContent = "";
    send.disabled = true;
    box.replaceChildren();
    const mine = turn += 1;
    try {
      const result = await site.post("/page/compute", { tool: call.tool, arguments: call.arguments, language: language(), fields: true });
      if (mine === turn) drawn = forms.draw(form, result.fields, soon);
    } catch {
      status.textContent = say("offline");
    }
  };

  let last = "";
  document.addEventListener("told", () => {
    const now = (window.chat.told().calls || []).filter((item) => item.tool !== "calculate");
    const text = JSON.stringify(now);
    if (text === last) return;
    last = text;
    calls = now;
    content.hidden = !calls.length;
    empty.hidden = Boolean(calls.length);
    if (!calls.length) {
      toggle(false);
      closed = false;
      return;
    }
    which.replaceChildren(...calls.map((item, index) => make("option", { value: index, text: item.title })));
    which.hidden = calls.length < 2;
    if (innerWidth >= 1280 && !closed) toggle(true);
    begin(0);
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); compute(); });
  // On a screen that became narrow the panel would cover what a person reads.
  matchMedia("(min-width: 1000px)").addEventListener("change", (event) => {
    if (event.matches || panel.hidden || panel.contains(document.activeElement)) return;
    toggle(false);
    closed = false;
  });
  panel.addEventListener("keydown", (event) => { if (event.key === "Escape" && !document.querySelector("#number-card:popover-open")) toggle(false); });
  document.querySelector("#bar").after(panel);
  const names = (id, address) => fetch(address).then((reply) => reply.json()).then((all) => document.body.append(make("datalist", { id }, ...all.map((value) => make("option", { value }))))).catch(() => {});
  window.whatIf = { toggle: (on) => { closed = false; toggle(on); } };
  requestIdleCallback(() => { names("gpu-names", "/page/names/gpus"); names("model-names", "/page/names/models"); });
});
