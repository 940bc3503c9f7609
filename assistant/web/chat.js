// The chat page: how the browser and Gradio's page speak, the row below the answers, deep links, the model.
"use strict";

window.chat = (() => {
  const { say, make } = site;
  const field = (id) => document.querySelector(`#${id} textarea`);
  const put = (id, text) => {
    const box = field(id);
    if (!box) return false;
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    return true;
  };

  let read = { text: "", value: {} };
  const told = () => {
    const text = field("told")?.value || "{}";
    if (text !== read.text) {
      try {
        read = { text, value: JSON.parse(text) };
      } catch {
        read = { text, value: {} };
      }
    }
    return read.value;
  };
  const running = () => Boolean(document.querySelector("#box .stop-button"));
  // A number makes equal wishes differ, so that Gradio sees each of them.
  let count = 0;
  const wish = (command) => !running() && put("wish", JSON.stringify({ ...command, count: count += 1 }));
  const send = (text) => {
    if (put("box", text)) setTimeout(() => document.querySelector("#box .submit-button")?.click(), 40);
  };

  // What the last answer reads like, without the cards of its tools.
  const lastAnswer = () => {
    const rows = [...document.querySelectorAll("#chat .bot-row")];
    const row = rows[rows.length - 1];
    return [...(row?.querySelectorAll(".message-content") || [])].filter((part) => !part.closest(".thought-group")).map((part) => part.innerText.trim()).join("\n\n");
  };

  const flash = (button, text) => {
    const before = button.textContent;
    button.textContent = text;
    setTimeout(() => { button.textContent = before; }, 1400);
  };

  const opinion = async (button, good, reason = "") => {
    const { name, turn } = told();
    if (!name) return;
    try {
      await site.post("/page/opinion", { name, turn, good, reason });
      flash(button, say("thanks"));
    } catch {
      flash(button, say("failed"));
    }
  };

  const askReason = (button) => {
    const text = make("textarea", { rows: 3, maxLength: 2000, "aria-label": say("reason"), placeholder: say("reason") });
    const dialog = make("dialog", { className: "small", "aria-label": say("bad") }, make("form", { method: "dialog" }, make("label", {}, make("span", { text: say("reason") }), text),
      make("div", { className: "row" }, make("button", { value: "send", text: say("send"), className: "button" }), make("button", { value: "", text: say("cancel"), className: "quiet" }))));
    dialog.addEventListener("close", () => {
      if (dialog.returnValue === "send") opinion(button, false, text.value.trim());
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  };

  const acts = () => {
    const button = (key, act) => make("button", { type: "button", className: "act", id: `act-${key}`, text: say(key), onclick: (event) => act(event.currentTarget) });
    return make("div", { id: "acts", role: "toolbar", "aria-label": say("actions"), hidden: true },
      button("copy", async (me) => { await navigator.clipboard?.writeText(lastAnswer()); flash(me, say("copied")); }),
      button("retry", () => wish({ do: "retry" })), button("edit", () => wish({ do: "edit" })), button("undo", () => wish({ do: "undo" })),
      button("link", async (me) => { await navigator.clipboard?.writeText(`${location.origin}/replay?c=${told().replay}`); flash(me, say("copied")); }),
      button("good", (me) => opinion(me, true)), button("bad", askReason), make("span", { id: "usage", className: "quiet" }), button("what_if", () => window.whatIf.toggle(true)));
  };

  let bar = null;
  const refresh = () => {
    const box = document.querySelector("#box");
    if (!box) return;
    if (!bar || !bar.isConnected) {
      bar = acts();
      box.before(bar);
    }
    const some = Boolean(document.querySelector("#chat .message-row")) && !running();
    if (bar.hidden === some) bar.hidden = !some;
    const { replay, calls, name, usage } = told();
    const spent = bar.querySelector("#usage");
    if (spent.textContent !== (usage || "")) spent.textContent = usage || "";
    const hide = (key, on) => { const node = bar.querySelector(`#act-${key}`); if (node.hidden !== on) node.hidden = on; };
    hide("link", !replay);
    hide("what_if", !calls?.length);
    for (const key of ["good", "bad"]) hide(key, !name);
    const input = field("box");
    if (input && input.getAttribute("aria-label") !== input.placeholder) input.setAttribute("aria-label", input.placeholder);
    for (const [part, key] of [[".submit-button", "send"], [".stop-button", "stop"]]) {
      const pressed = document.querySelector(`#box ${part}`);
      if (pressed && pressed.getAttribute("aria-label") !== say(key)) pressed.setAttribute("aria-label", say(key));
    }
    for (const node of document.querySelectorAll('#chat [data-testid="bot"][aria-label], #chat [data-testid="user"][aria-label]')) node.removeAttribute("aria-label");
    // Gradio nests a nameless button in the button that opens a card.
    for (const group of document.querySelectorAll("#chat .thought-group")) {
      const title = group.querySelector(".title");
      const arrow = group.querySelector(".title .arrow");
      if (arrow && !arrow.inert) arrow.inert = true;
      const open = String(Boolean(group.querySelector(".content")));
      if (title && title.getAttribute("aria-expanded") !== open) title.setAttribute("aria-expanded", open);
    }
    for (const area of document.querySelectorAll("#chat .bubble-wrap:not([tabindex])")) area.tabIndex = 0;
    for (const picture of document.querySelectorAll('#chat a[href*="/page/chart/"]:not([title])')) picture.title = `${say("download")} SVG`;
    const log = document.querySelector('#chat [role="log"]');
    if (log && log.getAttribute("aria-label") !== say("chat")) log.setAttribute("aria-label", say("chat"));
  };

  const note = () => {
    const { name } = told();
    if (name === undefined) return; // nothing was asked or opened yet
    const address = new URL(location.href);
    if ((address.searchParams.get("c") || "") !== (name || "")) {
      for (const key of ["q", "what"]) address.searchParams.delete(key);
      if (name) address.searchParams.set("c", name); else address.searchParams.delete("c");
      history.replaceState(null, "", address);
      document.dispatchEvent(new Event("history"));
    }
  };

  // Links that open something: ?q= a question, ?c= a conversation, ?what= a computation.
  const follow = () => {
    const query = new URLSearchParams(location.search);
    if (query.get("q")) send(query.get("q").slice(0, 20000));
    else if (query.get("c")) wish({ do: "open", name: query.get("c") });
    else if (query.get("what")) {
      try {
        wish({ do: "what_if", before: {}, language: site.language, ...JSON.parse(query.get("what")) });
      } catch { /* a damaged link opens the empty page */ }
    }
  };

  const models = async () => {
    try {
      const names = await (await fetch("/page/models")).json();
      if (names.length < 2) return;
      const chosen = names.includes(decodeURIComponent(site.cookie("model"))) ? decodeURIComponent(site.cookie("model")) : names[0];
      const shown = names.map((name) => [name, name === "built-in" ? say("built_in") : name]);
      document.querySelector("#tools-of-page").append(site.choice("model", chosen, shown, (name) => site.keep("model", encodeURIComponent(name))));
    } catch { /* without the list the server's own model answers */ }
  };

  document.addEventListener("click", (event) => {
    const picture = event.target.closest?.('#chat a[href*="/page/chart/"]');
    if (picture) {
      event.preventDefault();
      event.stopImmediatePropagation();
      make("a", { href: `${picture.querySelector("img").src}&download=1`, download: "" }).click(); // in the page's theme
      return;
    }
    const ask = event.target.closest?.('#welcome a[href^="#ask"]');
    if (!ask) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    send(ask.textContent);
  }, true);

  document.addEventListener("bar", () => {
    models();
    let last = "";
    let followed = false;
    let planned = false;
    const look = () => {
      planned = false;
      site.paint();
      refresh();
      if (!followed && document.querySelector("#welcome a") && document.querySelector("#box .submit-button") && field("wish")) {
        followed = true;
        setTimeout(follow, 60);
      }
      const now = field("told")?.value || "";
      if (now !== last && !running()) {
        last = now;
        note();
        document.dispatchEvent(new Event("told"));
      }
    };
    const plan = () => {
      if (planned) return;
      planned = true;
      requestAnimationFrame(look);
    };
    new MutationObserver(plan).observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter: ["class", "aria-label"] });
    setInterval(plan, 400); // a hidden field's value changes without a mutation
  });
  return { told, wish, send, running };
})();
