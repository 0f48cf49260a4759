// The search of the library: by names, by calls, by the auction before a call.

import { h, replace, rich } from "./dom.js";
import { callOf, legalPart } from "./laws.js";

const form = document.getElementById("search");
const found = document.getElementById("found");
const MOST_PAGES = 12;
const MOST_LINES = 6;
let reading = null;

function entries() {
  reading ??= fetch("../search.json").then((answer) => {
    if (!answer.ok) throw new Error("the index of the search is not there");
    return answer.json();
  }).then((index) => index.entries);
  return reading;
}

const SIGNS = { "♣": "C", "♦": "D", "♥": "H", "♠": "S" };
const plain = (text) => text.replace(/[♣♦♥♠]/g, (sign) => SIGNS[sign]);
const words = (text) => plain(text).toUpperCase().split(/[^A-Z0-9]+/).filter(Boolean);

// A call as a rule writes it may be that of a suit that is not yet chosen: 2M is 2H and 2S.
function matches(written, call) {
  const text = plain(written).toUpperCase();
  if (text === call || (call === "P" && /^PASS$/.test(text))) return true;
  const level = text.match(/^([1-7])([MXYZ]|OM)$/);
  if (!level || level[1] !== call[0] || call.length < 2) return false;
  return level[2] === "M" || level[2] === "OM" ? "HS".includes(call.slice(1)) || level[2] !== "OM" : call.slice(1) !== "NT";
}

function linesOf(entry, query) {
  const last = query.calls.at(-1);
  if (!last) return [];
  const before = query.calls.slice(0, -1).join(" ");
  return entry.calls.filter(([pattern, call]) => matches(call, last)
    && (!before || words(pattern).map((word) => callOf(word) ?? word).join(" ").includes(before)));
}

function score(entry, query) {
  const names = words([entry.name.replaceAll("_", " "), entry.title, ...entry.names].join(" "));
  const text = words(entry.text);
  let sum = 0;
  for (const word of query.words) {
    if (names.some((name) => name === word)) sum += 8;
    else if (names.some((name) => name.startsWith(word))) sum += 5;
    else if (word.length > 2 && text.some((each) => each.startsWith(word))) sum += 1;
  }
  return sum;
}

export function parse(text) {
  const parts = text.trim().split(/[\s,()-]+/).filter(Boolean);
  const calls = parts.map(callOf);
  return { words: words(text), calls: parts.length && calls.every(Boolean) ? calls : [] };
}

async function show() {
  const text = form.elements.words.value;
  const query = parse(text);
  if (!query.words.length) return replace(found);
  let listed;
  try {
    listed = (await entries()).map((entry) => {
      const lines = linesOf(entry, query);
      return { entry, lines, points: query.calls.length ? Math.min(lines.length, 3) + (entry.kind === "conventions" && lines.length ? 2 : 0) : score(entry, query) };
    });
  } catch (error) {
    return replace(found, h("p", { class: "problem" }, error.message));
  }
  if (form.elements.words.value !== text) return undefined;
  listed = listed.filter((each) => each.points > 0).sort((one, other) => other.points - one.points);
  const auction = query.calls.length && legalPart(query.calls).length === query.calls.length ? query.calls.join("-") : null;
  return replace(found,
    auction && h("p", {}, h("a", { href: `../?auction=${auction}` }, "Look at ", rich(query.calls.join(" ")), " in the explorer")),
    listed.length === 0 && h("p", {}, "Nothing is found."),
    h("ul", { class: "pages" }, listed.slice(0, MOST_PAGES).map(({ entry, lines }) => h("li", {},
      h("a", { href: `../${entry.path}` }, rich(entry.title)), " ",
      h("span", { class: "quiet" }, entry.kind === "systems" ? "system" : "convention"),
      lines.length > 0 && h("ul", {}, lines.slice(0, MOST_LINES).map(([pattern, call, meaning]) =>
        h("li", {}, rich(pattern), ": ", h("strong", {}, rich(call)), " ", rich(meaning)))),
      lines.length > MOST_LINES && h("p", { class: "quiet" }, `and ${lines.length - MOST_LINES} more`)))));
}

const start = new URLSearchParams(location.search).get("q");
form.addEventListener("input", show);
form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
if (start) {
  form.elements.words.value = start.slice(0, 100);
  show();
}
