// Around every page: the bar with pages, language and theme. Loaded first, so that nothing is drawn in the wrong theme.
"use strict";

const site = (() => {
  const cookie = (name) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1] || "";
  const keep = (name, value) => { document.cookie = `${name}=${value}; path=/; max-age=31536000; SameSite=Lax`; };
  const chosen = cookie("language");
  let language = /^(zh|en)$/.test(chosen) ? chosen : navigator.language.startsWith("zh") ? "zh" : "en";
  let all = null;
  const words = () => {
    all ||= JSON.parse(document.querySelector("#site-words")?.textContent || "{}");
    return all[language] || {};
  };
  const say = (key) => words()[key] || key;

  const make = (tag, properties = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (value === undefined || value === null || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name === "text") node.textContent = value;
      else if (name in node && name !== "list" && name !== "form") node[name] = value;
      else node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  };

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => (/^(light|dark)$/.test(cookie("theme")) ? cookie("theme") : "auto");
  const isDark = () => theme() === "dark" || (theme() === "auto" && dark.matches);
  const paint = () => {
    const on = isDark();
    for (const node of [document.documentElement, document.body]) {
      if (node && node.classList.contains("dark") !== on) node.classList.toggle("dark", on);
    }
    for (const image of document.querySelectorAll('img[src*="/page/chart/"]')) {
      const address = new URL(image.src);
      const wanted = theme() === "auto" ? "" : theme();
      if ((address.searchParams.get("theme") || "") === wanted) continue;
      if (wanted) address.searchParams.set("theme", wanted); else address.searchParams.delete("theme");
      image.src = address;
    }
  };
  dark.addEventListener("change", paint);

  const choice = (name, value, options, change) => {
    const select = make("select", { id: `choose-${name}`, "aria-label": say(name), onchange: () => change(select.value) });
    for (const [key, label] of options) select.append(make("option", { value: key, text: label, selected: key === value }));
    return select;
  };

  const speak = (wanted) => {
    keep("language", wanted);
    location.reload();
  };

  const bar = () => {
    const here = location.pathname;
    const link = (path, key) => make("a", { href: path, text: say(key), "aria-current": (path === "/" ? here === "/" : here.startsWith(path)) ? "page" : null });
    return make("header", { id: "bar" },
      make("a", { className: "skip", href: document.querySelector("#main") ? "#main" : "#box", text: say("skip"), onclick: (event) => {
        const field = document.querySelector("#box textarea");
        if (field) { event.preventDefault(); field.focus(); }
      } }),
      make("a", { className: "brand", href: "/" }, make("img", { src: "/favicon.svg", alt: "", width: 20, height: 20 }), make(here === "/" ? "h1" : "b", { text: "GPU Advisor" })),
      make("nav", { "aria-label": say("pages") }, link("/", "chat"), link("/calculators", "calculators"), link("/cards", "cards"), link("/how-it-computes", "how")),
      make("div", { id: "tools-of-page" }),
      choice("theme", theme(), [["auto", say("auto")], ["light", say("light")], ["dark", say("dark")]], (value) => { keep("theme", value); paint(); }),
      choice("language", language, [["zh", "中文"], ["en", "English"]], speak));
  };

  const post = async (path, body) => {
    const reply = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${reply.status}`);
    return reply.json();
  };

  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  document.documentElement.classList.toggle("dark", isDark());
  document.addEventListener("DOMContentLoaded", () => {
    document.body.prepend(bar());
    paint();
    // Gradio sets the theme by the system alone, and draws images later.
    new MutationObserver(paint).observe(document.body, { attributes: true, attributeFilter: ["class"] });
    document.dispatchEvent(new Event("bar"));
  });
  return { say, make, keep, cookie, post, paint, choice, get language() { return language; } };
})();
