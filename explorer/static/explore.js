// The first view: what the calls so far show, what every legal call would show, and the deals.

import { ask } from "./api.js";
import { SEAT_NAMES, busy, call, callName, compass, h, percent, problem, replace, rich, status } from "./dom.js";
import * as panel from "./panel.js";
import * as place from "./place.js";
import { dealsSection } from "./deals.js";

const RARE = 0.0005;
let asking = new AbortController();

export const pressed = panel.keyPressed;

export async function show(content) {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const setting = place.setting();
  if (!content.querySelector(".explore:not(.board, .compare, .edit)")) replace(content, busy("Loading the systems…"));
  else panel.goAhead(content);
  let position;
  try {
    position = await ask("position", setting, signal);
  } catch (error) {
    if (error.name !== "AbortError") replace(content, broken(error));
    return;
  }
  if (signal.aborted) return;
  place.settle(position.calls);
  const { element, box } = panel.table(position);
  const calls = h("section", { class: "card next", "aria-label": "Legal calls" });
  const focus = panel.focused();
  replace(content, h("div", { class: "explore" }, element,
    h("div", { class: "findings" },
      madeSection(position, setting, signal), calls, shownSection(position), dealsSection(setting))));
  focus.restore(content);
  status(position.over ? "The auction is over" : `${SEAT_NAMES[position.turn]} to call`);
  if (position.over) {
    calls.remove();
    return;
  }
  fill(calls, position, null);
  try {
    const chosen = await ask("chosen", setting, signal);
    fill(calls, position, chosen);
    panel.showShares(box, chosen);
  } catch (error) {
    if (error.name !== "AbortError") calls.append(problem(error));
  }
}

// What a site lacks keeps its table, from where a reader goes on; what cannot be read has none.
function broken(error) {
  const begin = h("div", { class: "card" }, problem(error),
    h("p", {}, h("a", { href: location.pathname }, "Begin with a new auction")));
  if (!error.command) return begin;
  return h("div", { class: "explore" }, panel.table(panel.positionAhead()).element, h("div", { class: "findings" }, begin));
}

// ------------------------------------------------------------------ legal calls

function fill(section, position, chosen) {
  const share = (each) => chosen?.calls[each.call]?.share ?? 0;
  const ruled = position.legal.filter((each) => each.known || share(each) > 0);
  const others = position.legal.filter((each) => !ruled.includes(each));
  const counted = chosen && chosen.hands !== "none";
  const known = counted ? ruled.filter((each) => share(each) >= RARE) : ruled;
  const rare = ruled.filter((each) => !known.includes(each));
  if (counted) known.sort((one, other) => share(other) - share(one));
  replace(section,
    h("h2", {}, `${SEAT_NAMES[position.turn]} to call`),
    h("p", { class: "quiet" }, chosen ? meant(chosen) : "Counting the hands that choose each call…"),
    known.length ? h("ul", { class: "calls" }, known.map((each) => legalCall(each, chosen))) : h("p", {}, "No rule applies here: a pass is all there is."),
    rare.length > 0 && h("details", { class: "more" },
      h("summary", {}, `${rare.length} more with a rule that hardly any hand here uses`),
      h("ul", { class: "calls" }, rare.map((each) => legalCall(each, chosen)))),
    others.length > 0 && h("details", { class: "more" },
      h("summary", {}, `${others.length} legal calls without an agreement`),
      h("p", { class: "wrap" }, others.map((each) =>
        h("button", { type: "button", class: "chip", onclick: () => panel.bid(each.call), "aria-label": callName(each.call) }, call(each.call))))));
}

function meant(chosen) {
  if (chosen.hands === "none") return "No hand was found that gets here by these systems.";
  const which = chosen.hands === "bidding" ? "hands that bid this way" : "hands that these calls show (none bids this way)";
  const shares = Object.values(chosen.calls);
  const exact = shares.length > 0 && shares.every((each) => each.exact);
  if (exact) return `Share of the ${which}; counted exactly.`;
  const worst = Math.max(...shares.map((each) => each.error));
  const some = shares.some((each) => each.exact) ? "Counted where possible, else from" : "From";
  return `Share of the ${which}. ${some} ${chosen.drawn.toLocaleString("en")} hands drawn, ± ${(100 * worst).toFixed(1)} at most.`;
}

function legalCall(each, chosen) {
  const found = chosen?.calls[each.call];
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(found?.share ?? 0));
  const never = chosen && chosen.hands !== "none" && !found;
  return h("li", { class: never ? "never" : "" },
    h("button", { type: "button", class: "callbutton", onclick: () => panel.bid(each.call), "aria-label": callName(each.call) }, call(each.call)),
    h("div", { class: "what" }, h("div", { class: "line" }, rich(each.line)),
      each.contradicts && h("div", { class: "note odd" }, "contradicts what was shown before")),
    h("div", { class: "often" }, chosen ? (found ? `${found.exact ? "" : "≈ "}${percent(found.share)}` : "–") : "", bar));
}

// ------------------------------------------------------------------- calls made

function madeSection(position, setting, signal) {
  const section = h("section", { class: "card", "aria-label": "Calls made" }, h("h2", {}, "So far"));
  if (!position.made.length) {
    section.append(h("p", { class: "quiet" }, "Nobody has called. Press a call in the box, or type an auction; keys work, too: 1 and s for ", call("1S"), ", p, x, r."));
    return section;
  }
  const at = place.here().at;
  section.append(h("ol", { class: "made" }, position.made.map((made) => {
    const open = String(made.place) === at;
    const detail = h("div", { class: "detail" });
    if (open) fillDetail(detail, setting, made.place, signal);
    return h("li", { class: open ? "open" : "" },
      h("button", {
        type: "button", class: "whole", "aria-expanded": open,
        onclick: () => place.go({ at: open ? undefined : made.place }),
      }, h("span", { class: "seat" }, made.seat), call(made.call),
        h("span", { class: "line" }, rich(made.line),
          made.conflict.length > 0 && h("span", { class: "note odd" }, " contradicts an earlier call"))),
      open && detail);
  })));
  return section;
}

async function fillDetail(element, setting, at, signal) {
  replace(element, busy());
  try {
    const found = await ask("call", { ...setting, place: at }, signal);
    replace(element, detailOf(found));
    element.scrollIntoView({ block: "nearest" });
  } catch (error) {
    if (error.name !== "AbortError") replace(element, problem(error));
  }
}

export function detailOf(found) {
  const facts = [];
  const fact = (name, value) => value && facts.push(h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, value)));
  fact("System", found.system + (found.context.length ? ` (${found.context.join(", ")})` : ""));
  fact("Promises", found.promised.length > 0 && rich(found.promised.join(", ")));
  fact("Usually", found.typical.length > 0 && rich(found.typical.join(", ")));
  fact("It is", found.flags.length > 0 && rich(found.flags.join(", ")));
  fact("Alert", found.alert);
  fact("Announce", found.announce !== null && (found.announce ? `“${found.announce}”` : found.line));
  fact("Shown so far", [rich(found.shown), exactly(found.exact)]);
  return [
    h("dl", { class: "facts" }, facts),
    found.denied.length > 0 && h("div", {}, h("h3", {}, "It denies"),
      h("ul", { class: "denials" }, found.denied.map((denial) =>
        h("li", {}, h("strong", {}, rich(denial.fact)), h("span", {}, ": ", rich(withoutPlaces(denial.why))),
          proof("Proof", denial.rules))))),
    found.rules.length > 0
      ? proof(found.rules.length > 1 ? `Made by one of ${found.rules.length} rules` : "Made by this rule", found.rules, true)
      : h("p", {}, "No rule of the system makes this call here."),
  ];
}

// The places of rules stand beside their text, so they are left out of the sentence.
function withoutPlaces(text) {
  return text.replace(/ \([^()]*\.bid:[^()]*\)/g, "");
}

function proof(title, rules, open = false) {
  return h("details", { class: "proof", open },
    h("summary", {}, title),
    rules.map((rule) => h("figure", {},
      h("figcaption", {}, call(rule.call), " ", h("code", { class: "at" }, rule.at), rule.optional && " (may)"),
      h("pre", { tabindex: 0 }, h("code", {}, rule.source || `${rule.text ?? ""} ${rule.needs}`)))));
}

// ------------------------------------------------------------------------ shown

function shownSection(position) {
  if (!position.made.length) return null;
  return h("section", { class: "card", "aria-label": "Shown by each player" },
    h("h2", {}, "Shown by each player"),
    compass((seat) => [rich(position.shown[seat] ?? "has not called"), exactly(position.exact[seat])], position.turn));
}

// The exact bounds are one key away: what is said is what nearly all hands show.
function exactly(bounds) {
  return bounds && h("details", { class: "exact" }, h("summary", {}, "Exact bounds"), rich(bounds));
}
