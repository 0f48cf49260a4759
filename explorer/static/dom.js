// Building the page: elements from values. Text is always set as text, never as markup.

const SUITS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const SUIT_CLASS = { "♣": "club", "♦": "diamond", "♥": "heart", "♠": "spade" };
export const SEATS = ["N", "E", "S", "W"];
export const SEAT_NAMES = { N: "North", E: "East", S: "South", W: "West" };

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children.flat(3)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function replace(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  add(element, children);
  return element;
}

function sign(symbol) {
  return h("span", { class: `suit ${SUIT_CLASS[symbol]}` }, symbol + "\ufe0e");
}

// A call as players write it: 1♠, 2NT, Pass.
export function call(text) {
  if (text === "P") return h("span", { class: "call" }, "Pass");
  if (text === "X") return h("span", { class: "call double" }, "X");
  if (text === "XX") return h("span", { class: "call double" }, "XX");
  const suit = SUITS[text.slice(1)];
  return h("span", { class: "call" }, text[0], suit ? sign(suit) : "NT");
}

// A call in a sentence: 1 spades, double.
export function callWords(text) {
  const names = { P: "pass", X: "double", XX: "redouble" };
  const suits = { C: "clubs", D: "diamonds", H: "hearts", S: "spades", NT: "notrump" };
  return names[text] ?? `${text[0]} ${suits[text.slice(1)]}`;
}

// The name of a button with a call: it says at least what is seen, so that it can be asked for by voice.
export function callName(text) {
  const seen = { X: "X, double", XX: "XX, redouble" };
  return seen[text] ?? (text.endsWith("NT") ? text : callWords(text));
}

// A sentence with its calls and suits set as signs.
export function rich(text) {
  const parts = [];
  let last = 0;
  text = String(text ?? "").replace(/ (?=[♠♥♦♣])/g, "\u00a0");
  for (const found of text.matchAll(/\b([1-7])(NT|[CDHS])\b|[♠♥♦♣]/g)) {
    parts.push(text.slice(last, found.index));
    parts.push(found[1] ? call(found[0]) : sign(found[0]));
    last = found.index + found[0].length;
  }
  parts.push(text.slice(last));
  return h("span", {}, parts);
}

// A hand in PBN as four holdings.
export function hand(pbn) {
  const signs = ["♠", "♥", "♦", "♣"];
  return h("span", { class: "hand" },
    pbn.split(".").map((ranks, place) =>
      h("span", { class: "holding" }, sign(signs[place]), ranks.replaceAll("T", "10") || "–")));
}

// Four places around a table: what a function gives for each seat, or nothing where it gives none.
export function compass(of, acting = null) {
  return h("div", { class: "diagram" }, SEATS.map((seat) =>
    h("div", { class: `of-${seat}${seat === acting ? " acting" : ""}` },
      h("div", { class: "seat" }, SEAT_NAMES[seat]), of(seat))));
}

export function percent(share) {
  if (share === 0) return "0 %";
  if (share < 0.001) return "< 0.1 %";
  return `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

export function status(text) {
  document.getElementById("status").textContent = text;
}

// Tells something that everybody should see for a moment.
let hiding;
export function toast(text) {
  const element = document.getElementById("toast");
  element.textContent = text;
  element.hidden = false;
  status(text);
  clearTimeout(hiding);
  hiding = setTimeout(() => { element.hidden = true; }, 4000);
}

export function busy(text = "Working it out…") {
  return h("p", { class: "busy" }, h("span", { class: "spinner", "aria-hidden": "true" }), text);
}

export function problem(error) {
  return h("div", { class: "problem", role: "alert" }, error.message ?? String(error),
    error.command && h("pre", {}, h("code", {}, error.command)));
}
