// One tool's page: the form computes as it is filled in; the address holds the inputs, so that it can be shared.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("#form");
  const box = document.querySelector("#result");
  if (!form) return;
  const tool = form.dataset.tool;
  const rail = document.querySelector("#tools");
  const here = rail.querySelector("[aria-current]");
  if (here) rail.scrollLeft = here.offsetLeft - (rail.clientWidth - here.offsetWidth) / 2; // a row on a phone
  const { say, make, post } = site;
  let drawn = null;
  let turn = 0;

  const given = () => {
    try {
      return JSON.parse(new URLSearchParams(location.search).get("a") || "{}");
    } catch {
      return {};
    }
  };

  const compute = async (first) => {
    const mine = turn += 1;
    const inputs = first || drawn.read();
    if (!first && drawn.missing().length) {
      box.replaceChildren(make("p", { className: "quiet", text: say("fill") }));
      forms.blame(form, "");
      return;
    }
    box.setAttribute("aria-busy", "true");
    try {
      const result = await post("/page/compute", { tool, arguments: inputs, language: site.language, fields: Boolean(first) });
      if (mine !== turn) return;
      if (first) {
        drawn = forms.draw(form, result.fields, soon);
        if (drawn.missing().length) return;
      }
      forms.blame(form, result.error);
      computed.show(box, result);
      const ask = make("p", {}, make("a", { className: "button", href: `/?what=${encodeURIComponent(JSON.stringify({ tool, arguments: inputs }))}`, text: say("to_chat") }));
      if (!result.error) box.append(ask);
      history.replaceState(null, "", Object.keys(inputs).length ? `?a=${encodeURIComponent(JSON.stringify(inputs))}` : location.pathname);
    } catch {
      box.replaceChildren(make("p", { className: "error", role: "alert", text: say("offline") }));
    } finally {
      box.removeAttribute("aria-busy");
    }
  };
  let timer = 0;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => compute(), 80);
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); compute(); });
  compute(given());
});
