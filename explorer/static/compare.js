// The second view: the same auction by two or three systems, each played by both sides.

import { ask } from "./api.js";
import { SEAT_NAMES, busy, call, callName, h, percent, problem, replace, rich, status } from "./dom.js";
import * as panel from "./panel.js";
import * as place from "./place.js";
import * as store from "./own_text.js";

const MOST = 3;
let asking = new AbortController();

export const pressed = panel.keyPressed;

// Which systems stand side by side: those of the link, else two of the package and the own text.
function chosenSystems() {
  const wanted = (place.here().with ?? "").split(",").filter(Boolean);
  if (wanted.length) return wanted.slice(0, MOST);
  const own = store.all()[0]?.system;
  return [...panel.offered().filter((name) => name === "sayc" || name === "acol"), own].filter(Boolean).slice(0, MOST);
}

export async function show(content) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const systems = chosenSystems();
  if (!content.querySelector(".compare .box")) replace(content, busy("Loading the systems…"));
  else panel.goAhead(content, { withSystems: false });
  const setting = place.setting();
  const found = await Promise.all(systems.map(async (name) => {
    const query = { ...setting, ns: name, ew: name };
    try {
      return { name, position: await ask("position", query, signal), query };
    } catch (error) {
      return { name, error };
    }
  }));
  if (signal.aborted) return;
  const good = found.find((each) => each.position);
  if (!good) {
    replace(content, h("div", { class: "compare" }, h("div", { class: "card" }, chooser(systems), problem(found[0]?.error ?? new Error("Choose a system")))));
    return;
  }
  const focus = panel.focused();
  const { element } = panel.table(good.position, { withSystems: false });
  const body = h("section", { class: "card", "aria-label": "Side by side" });
  replace(content, h("div", { class: "explore compare" }, element, h("div", { class: "findings" }, body)));
  focus.restore(content);
  fill(body, systems, found, []);
  status(`${systems.length} systems side by side`);
  if (good.position.over) return;
  const shares = await Promise.all(found.map(async (each) => {
    try {
      return each.position ? await ask("chosen", each.query, signal) : null;
    } catch {
      return null;
    }
  }));
  if (!signal.aborted) fill(body, systems, found, shares);
}

function chooser(systems) {
  const change = (at) => (value) => {
    const changed = [...systems];
    if (value === "-") changed.splice(at, 1);
    else changed[at] = value;
    place.go({ with: changed.join(",") });
  };
  return h("div", { class: "row" },
    systems.map((name, at) => panel.systemChoice(`System ${at + 1}`, name, change(at))),
    systems.length < MOST && h("button", { type: "button", onclick: () => place.go({ with: [...systems, "sayc"].join(",") }) }, "Add a system"),
    systems.length > 1 && h("button", { type: "button", onclick: () => place.go({ with: systems.slice(0, -1).join(",") }) }, "Remove the last"));
}

function fill(body, systems, found, shares) {
  const good = found.find((each) => each.position).position;
  const head = h("tr", {}, h("th", { scope: "col" }, "Call"), found.map((each) =>
    h("th", { scope: "col" }, panel.systemName(each.name), each.error && problem(each.error))));
  const cell = (each, line, share, known) => h("td", { "data-system": panel.systemName(each.name), class: known ? "" : "quiet" },
    line === undefined ? "–" : rich(line), share !== undefined && h("span", { class: "pill" }, percent(share)));
  const made = good.made.map((one, at) => h("tr", {},
    h("th", { scope: "row" }, h("span", { class: "seat" }, one.seat), call(one.call)),
    found.map((each) => cell(each, each.position?.made[at]?.line, undefined, each.position?.made[at]?.known))));
  const weight = (name) => Math.max(...shares.map((each) => each?.calls[name]?.share ?? 0), 0);
  const names = good.legal.map((each) => each.call).filter((name) =>
    found.some((each) => each.position?.legal.find((one) => one.call === name)?.known));
  if (shares.length) names.sort((one, other) => weight(other) - weight(one));
  const shown = shares.length ? names.filter((name) => weight(name) >= 0.0005) : names;
  const next = shown.map((name) => h("tr", {},
    h("th", { scope: "row" }, h("button", { type: "button", class: "callbutton", "aria-label": callName(name), onclick: () => panel.bid(name) }, call(name))),
    found.map((each, at) => {
      const one = each.position?.legal.find((some) => some.call === name);
      return cell(each, one?.line, shares[at]?.calls[name]?.share ?? (shares[at] ? 0 : undefined), one?.known);
    })));
  replace(body, h("h2", {}, "Side by side"), chooser(systems),
    h("table", { class: "side" }, h("thead", {}, head),
      h("tbody", {}, made),
      next.length > 0 && h("tbody", {}, h("tr", { class: "between" }, h("th", { colspan: found.length + 1, scope: "rowgroup" }, `${SEAT_NAMES[good.turn]} to call`)), next)),
    names.length > shown.length && h("p", { class: "quiet" }, `${names.length - shown.length} more calls that hardly any hand makes by either.`));
}
