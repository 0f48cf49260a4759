// The table: systems, dealer and vulnerability, the auction so far, a line to type, a bidding box.

import { SEATS, SEAT_NAMES, call, callName, callWords, h, hand, percent, replace, status, toast } from "./dom.js";
import { ask } from "./api.js";
import { tools } from "./tools.js";
import { callOf, isOver, legalCalls, legalPart } from "./laws.js";
import * as place from "./place.js";
import * as store from "./own_text.js";
import { site } from "./shards.js";

const STRAINS = ["C", "D", "H", "S", "NT"];
const VULNERABLE = { none: "Nobody", ns: "North-South", ew: "East-West", both: "Everybody" };
let names = ["sayc"];
let version = "";

export function offer(answer) {
  names = answer.systems;
  version = answer.version;
}

export function programVersion() {
  return version;
}

export function offered() {
  return names;
}

export function systemName(name) {
  return store.all().find((each) => each.system === name)?.name ?? name;
}

export function systemChoice(label, value, onchange) {
  const own = store.all();
  const known = [...names, ...own.map((each) => each.system)];
  const options = known.includes(value) ? known : [...known, value];
  return h("label", { class: "field" }, h("span", {}, label),
    h("select", { onchange: (event) => onchange(event.target.value) },
      options.map((name) => {
        const text = own.find((each) => each.system === name);
        const shown = text ? `${text.name} (my text)` : name.startsWith("own:") ? "a text that is gone" : name;
        return h("option", { value: name, selected: name === value }, shown);
      })));
}

function choice(label, value, options, onchange) {
  return h("label", { class: "field" }, h("span", {}, label),
    h("select", { onchange: (event) => onchange(event.target.value) },
      Object.entries(options).map(([name, text]) =>
        h("option", { value: name, selected: name === value }, text))));
}

export function settings({ withSystems = true } = {}) {
  const now = place.here();
  const change = (name) => (value) => place.go({ [name]: value, at: undefined });
  return h("div", { class: "settings" },
    withSystems && site && systemChoice("Both sides play", now.ns, (name) => place.go({ ns: name, ew: name, at: undefined })),
    withSystems && !site && systemChoice("North-South play", now.ns, change("ns")),
    withSystems && !site && systemChoice("East-West play", now.ew, change("ew")),
    choice("Dealer", now.dealer, SEAT_NAMES, change("dealer")),
    choice("Vulnerable", now.vul, VULNERABLE, change("vul")));
}

// Who deals and who is vulnerable, in words: the table says it by place and colour alone.
export function conditions({ dealer, vul }) {
  return h("p", { class: "quiet" }, `${SEAT_NAMES[dealer]} deals. ${VULNERABLE[vul]} vulnerable.`);
}

export function auctionTable(position) {
  const order = ["W", "N", "E", "S"];
  const vulnerable = { none: "", ns: "NS", ew: "EW", both: "NSEW" }[position.vul];
  const cells = Array(order.indexOf(position.dealer)).fill(h("td", {}));
  const chosen = place.here().at;
  const parts = [...cells.map(() => h("td", {}))];
  position.made.forEach((made, at) => {
    const marked = made.alert || made.conflict.length > 0;
    parts.push(h("td", {},
      h("button", {
        type: "button",
        class: "made" + (String(at) === chosen ? " chosen" : "") + (made.conflict.length ? " odd" : ""),
        title: made.line || undefined,
        "aria-pressed": String(at) === chosen,
        "aria-label": `${SEAT_NAMES[made.seat]} ${callName(made.call)}${made.line ? `: ${made.line}` : ""}`,
        onclick: () => place.go({ at: String(at) === chosen ? undefined : at }),
      }, call(made.call), marked && h("sup", { "aria-hidden": "true" }, made.conflict.length ? "!" : "*"))));
  });
  if (!position.over) parts.push(h("td", { class: "turn" }, "?"));
  const rows = [];
  for (let at = 0; at < parts.length; at += 4) rows.push(h("tr", {}, parts.slice(at, at + 4)));
  return h("table", { class: "auction" },
    h("caption", { class: "visually-hidden" }, "The auction; press a call to see what it shows"),
    h("thead", {}, h("tr", {}, order.map((seat) =>
      h("th", { scope: "col", class: vulnerable.includes(seat) ? "vulnerable" : "" },
        SEAT_NAMES[seat], vulnerable.includes(seat) && h("span", { class: "visually-hidden" }, " (vulnerable)"))))),
    h("tbody", {}, rows));
}

let remarks = [];
let submitted = null;

// What was typed or pasted: calls, a link, LIN or PBN; whatever is assumed is told below the line.
export async function typed(text) {
  const { dealer, vul } = place.here();
  submitted = text;
  const found = await ask("typed", { auction: text, dealer, vul });
  remarks = found.remarks;
  place.go({ auction: found.calls.join("-"), dealer: found.dealer, vul: found.vul, at: undefined });
  if (remarks.length) status(remarks.join(" "));
}

export function typeLine(position) {
  const error = h("p", { class: "problem", role: "alert", hidden: true });
  const input = h("input", {
    type: "text", name: "auction", autocomplete: "off", autocapitalize: "characters", spellcheck: "false",
    placeholder: "1NT (P) 2C (P)", value: position.text, "aria-label": "The auction, typed",
  });
  const submit = async (event) => {
    event.preventDefault();
    error.hidden = true;
    try {
      await typed(input.value);
    } catch (refused) {
      error.hidden = false;
      error.textContent = refused.message;
      status(refused.message);
    }
  };
  const told = remarks.map((remark) => h("p", { class: "note" }, remark));
  remarks = [];
  return h("form", { class: "typed", onsubmit: submit }, input, h("button", { type: "submit" }, "Go"), error, told);
}

// Adds a call to the auction of the link, which is ahead of what the server has answered.
export function bid(text) {
  const made = place.calls().map(callOf);
  if (made.includes(null) || !legalCalls(made).has(text)) {
    toast(isOver(made) ? "The auction is over." : `${callWords(text)} is not legal here.`);
    return;
  }
  place.go({ auction: [...made, text].join("-"), at: undefined });
}

// The position of the link before the server has answered: the calls, and what may be called.
export function positionAhead() {
  const now = place.here();
  const calls = legalPart(place.calls());
  const over = isOver(calls);
  return {
    dealer: now.dealer, vul: now.vul, text: calls.join(" "), over, contract: null,
    turn: over ? null : place.seatAt(calls.length),
    made: calls.map((made, at) => ({ place: at, call: made, seat: place.seatAt(at), line: "", alert: false, conflict: [] })),
    legal: [...legalCalls(calls)].map((each) => ({ call: each, line: "" })),
  };
}

// Shows the table of the link at once; what the calls mean stays, greyed, until it is answered.
export function goAhead(content, options) {
  const focus = focused();
  if (focus.isField) return;
  const { element } = table(positionAhead(), options);
  content.querySelector(".table").replaceWith(element);
  content.querySelector(".findings").setAttribute("aria-busy", "true");
  focus.restore(content);
}

// What has the focus, by which it can be given back when the element is made anew.
export function focused() {
  const { dataset, name, value, selectionStart } = document.activeElement ?? {};
  const field = name === "auction";
  return {
    isField: field,
    restore(content) {
      if (dataset?.call) content.querySelector(`[data-call="${dataset.call}"]:not(:disabled)`)?.focus({ preventScroll: true });
      const input = field && content.querySelector("input[name=auction]");
      if (!input) return;
      if (value !== submitted) input.value = value;
      input.focus({ preventScroll: true });
      input.setSelectionRange(selectionStart, selectionStart);
    },
  };
}

export function undo() {
  place.go({ auction: place.calls().slice(0, -1).join("-"), at: undefined });
}

// The box: five strains by seven levels, and below them pass, double and redouble.
export function biddingBox(position, press = bid) {
  const legal = new Set(position.legal.map((each) => each.call));
  const lines = new Map(position.legal.map((each) => [each.call, each.line]));
  const button = (text) =>
    h("button", {
      type: "button", "data-call": text, disabled: !legal.has(text), class: `bid ${text === "P" ? "pass" : ""}`,
      title: lines.get(text), "aria-label": callName(text), onclick: () => press(text),
    }, call(text), h("span", { class: "share" }));
  const grid = [];
  for (let level = 1; level <= 7; level++) {
    for (const strain of STRAINS) grid.push(button(`${level}${strain}`));
  }
  const box = h("div", { class: "box", role: "group", "aria-label": "Bidding box" },
    h("div", { class: "bids" }, grid),
    h("div", { class: "others" }, button("P"), button("X"), button("XX"),
      h("button", { type: "button", class: "bid undo", disabled: !place.calls().length, onclick: undo }, "Undo")));
  box.addEventListener("keydown", (event) => moveFocus(box, event));
  return box;
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -5, ArrowDown: 5 };

function moveFocus(box, event) {
  const step = STEPS[event.key];
  if (!step) return;
  const buttons = [...box.querySelectorAll("button")];
  let at = buttons.indexOf(document.activeElement) + step;
  while (buttons[at]?.disabled) at += step;
  if (buttons[at]) {
    buttons[at].focus();
    event.preventDefault();
  }
}

export function showShares(box, chosen) {
  for (const button of box.querySelectorAll("button[data-call]")) {
    const found = chosen.calls[button.dataset.call];
    const share = found?.share ?? 0;
    button.style.setProperty("--share", String(Math.sqrt(share)));
    button.classList.toggle("common", share >= 0.02);
    if (found && !button.disabled) {
      button.setAttribute("aria-label", `${callName(button.dataset.call)}, chosen by ${percent(share)}`);
    }
  }
}

// Calls typed anywhere on the page: a level and a strain, p, x, r; backspace takes one back.
let level = "";
const STRAIN_KEYS = { c: "C", d: "D", h: "H", s: "S", n: "NT" };
const OTHER_KEYS = { p: "P", x: "X", r: "XX" };

export function keyPressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea")) return;
  const key = event.key.toLowerCase();
  let text = null;
  if (/^[1-7]$/.test(key)) {
    level = key;
    status(`${key}, and then c, d, h, s or n`);
    return;
  }
  if (level && STRAIN_KEYS[key]) text = level + STRAIN_KEYS[key];
  else if (!level && OTHER_KEYS[key]) text = OTHER_KEYS[key];
  else if (event.key === "Backspace" && place.calls().length) {
    event.preventDefault();
    undo();
  }
  level = "";
  if (text) {
    event.preventDefault();
    bid(text);
  }
}

export function table(position, options) {
  const box = position.over ? null : biddingBox(position);
  const element = h("section", { class: "table", "aria-label": "The table" },
    settings(options), auctionTable(position), typeLine(position),
    position.over
      ? h("div", { class: "over" },
          h("p", {}, position.contract ? ["The auction is over: ", contract(position.contract)] : "Passed out."),
          h("div", { class: "row" },
            h("button", { type: "button", onclick: undo }, "Undo"),
            h("button", { type: "button", onclick: () => place.go({ auction: "", at: undefined }) }, "New auction")))
      : box,
    tools(position));
  return { element, box };
}

function contract(text) {
  const [made, , declarer] = text.split(" ");
  const bidPart = made.replace(/X+$/, "");
  return [call(bidPart), made.slice(bidPart.length), ` by ${SEAT_NAMES[declarer] ?? declarer}`];
}

export { replace };
