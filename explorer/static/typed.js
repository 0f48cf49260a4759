// An auction as people type it, read in the page: calls joined or marked in any way, brackets around
// one side's. `bridge.typed_auction` says what is left out and completed, and a test holds both equal.

import { callOf, isOver, legalCalls } from "./laws.js";

const SEATS = ["N", "E", "S", "W"];
const SEAT_NAMES = { N: "North", E: "East", S: "South", W: "West" };
const TOKEN = /\(([^()]*)\)|([^\s,;|()\u2013\u2014-]+)|([()])/g;
const GLUED = /[1-7]\s*(?:NT|N|SA|[CDHS\u2660-\u2667]\ufe0f?)|PASS|AP|P|REDOUBLE|REDBL|RDBL|RD|R|DOUBLE|DBL|DB|D|XX|X/gi;
const ALL_PASS = "AP";
const TO_END = 3;

function partsOf(word) {
  const text = /^[1-7]\s/.test(word) ? word.replaceAll(" ", "") : word;
  const parts = text.match(GLUED) ?? [];
  return parts.length > 1 && parts.join("") === text ? parts : [text];
}

function written(text) {
  const words = [];
  const clean = text.replace(/[!?*]+/g, " ").replace(/\ball[\s-]*pass(?:es)?\b/gi, ALL_PASS);
  for (const [, inside, bare, lone] of clean.matchAll(TOKEN)) {
    if (lone) throw new Error(`expected brackets in pairs, got a lone one in auction '${text}'`);
    for (const part of partsOf((inside ?? bare).trim())) {
      const made = part.toUpperCase() === ALL_PASS ? null : callOf(part);
      if (!made && part.toUpperCase() !== ALL_PASS) {
        throw new Error(`expected a call (such as 1NT, P, X, XX), got '${part}' as call ${words.length + 1} of auction '${text}'`);
      }
      words.push({ call: made, bracketed: inside !== undefined, text: part });
    }
  }
  return words;
}

function played(calls, more) {
  const made = [...calls];
  for (const call of more) {
    if (!legalCalls(made).has(call)) throw new Error(`illegal call ${call} in auction '${[...made, call].join(" ")}'`);
    made.push(call);
  }
  return made;
}

function ended(calls, passes) {
  const made = [...calls];
  const everybody = passes.some((word) => word.call === null);
  for (let count = 0; !isOver(made) && (everybody || count < passes.length); count++) made.push("P");
  return made;
}

function isLegal(calls) {
  try {
    played([], calls);
    return true;
  } catch {
    return false;
  }
}

// The calls with those of the other side than the opener's in brackets.
export function auctionText(calls) {
  const first = calls.findIndex((call) => call !== "P");
  const from = first < 0 ? 0 : first;
  return calls.map((call, at) => ((at - from) % 2 ? `(${call})` : call)).join(" ");
}

const quoted = (text) => `'${text}'`;

function byBrackets(body, passes, text) {
  const whole = passes.length === TO_END || passes.some((word) => word.call === null);
  const words = whole ? body : [...body, ...passes];
  const first = body.findIndex((word) => word.bracketed || word.call !== "P");
  let bracketed = body[first].bracketed === (first % 2 === 0);
  const calls = [];
  for (const word of words) {
    if (word.bracketed !== bracketed && (word.bracketed || word.call !== "P")) {
      calls.push("P");
      bracketed = !bracketed;
    }
    if (word.call) calls.push(word.call);
    bracketed = !bracketed;
  }
  let made = played([], calls);
  if (whole) made = ended(made, passes);
  if (calls.length === words.length) return [made, []];
  return [made, [`${quoted(text)} is read as ${quoted(auctionText(made))}: the other side passes in between`]];
}

function undelimited(body, passes, text, dealer) {
  const everybody = body.map((word) => word.call).filter(Boolean);
  const partners = everybody.flatMap((call) => [call, "P"]).slice(0, -1);
  const dashed = (text.match(/[\u2013\u2014-]/g) ?? []).length >= body.length - 1;
  const legal = { all: isLegal(everybody), us: isLegal(partners) };
  if (legal.us && (dashed || !legal.all)) {
    const made = ended(played([], partners), passes);
    return [made, [`${quoted(text)} is read as ${quoted(auctionText(made))}: two partners bid, their opponents pass`]];
  }
  const made = ended(played([], everybody), passes);
  const last = SEAT_NAMES[SEATS[(SEATS.indexOf(dealer) + everybody.length - 1) % 4]];
  let remark = `${quoted(text)} is read as the calls of all four players, so ${body.at(-1).text} is ${last}'s`;
  if (legal.us) remark += `; if the opponents passed, write ${quoted(auctionText(partners))}`;
  return [made, [remark]];
}

function read(text, dealer) {
  const body = written(text);
  const passes = [];
  while (body.length && (body.at(-1).call === "P" || body.at(-1).call === null)) passes.unshift(body.pop());
  if (body.length && [...body, ...passes].some((word) => word.bracketed)) return byBrackets(body, passes, text);
  if (body.length > 1 && !body.some((word) => word.call === "P")) return undelimited(body, passes, text, dealer);
  return [ended(played([], body.map((word) => word.call).filter(Boolean)), passes), []];
}

export function readTyped(text, dealer, vul) {
  if (/[|=\n]|https?:/.test(text)) {
    throw new Error("Boards and links are read on your machine: bidwright serve");
  }
  const [calls, remarks] = read(text, dealer);
  return { dealer, vul, calls, text: auctionText(calls), remarks };
}
