// Answers of a site without a server: files of many answers, named by the index of their system.

import { callOf, legalPart } from "./laws.js";

const SEATS = ["N", "E", "S", "W"];
const BEGIN = "begin";
const MOST_KEPT = 60;

const element = document.getElementById("site");

// The manifest of the site; null where a server answers.
export const site = element ? JSON.parse(element.textContent) : null;

const files = new Map();
if (site) files.set(pathOf(site.systems[0].name, site.begins.name), Promise.resolve(site.begins.content));

function pathOf(system, name) {
  return `data/${system}/${name}.gz`;
}

// A server may have unpacked the file on its way, so its first bytes decide.
async function unpacked(answer) {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return JSON.parse(new TextDecoder().decode(bytes));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

async function read(path) {
  let answer;
  try {
    answer = await fetch(path);
  } catch {
    throw new Error("This answer is not kept here, and there is no network.");
  }
  if (!answer.ok) throw new Error(`The site lacks ${path}: its address gave ${answer.status}.`);
  return unpacked(answer);
}

function file(system, name) {
  const path = pathOf(system, name);
  let content = files.get(path);
  if (!content) {
    content = read(path);
    content.catch(() => files.delete(path));
    if (files.size >= MOST_KEPT) files.delete([...files.keys()].find((each) => !each.includes("index-")));
    files.set(path, content);
  }
  return content;
}

const indexOf = (system) => file(system.name, system.index);

// The words of a command for the position of a question.
function words({ auction, ns, ew, dealer, vul, hand, seat }) {
  const name = (system) => (site.systems.find((each) => each.name === system)?.given ? `${system}.bid` : system);
  const plays = ns === ew ? ` --system ${name(ns)}` : ` --ns ${name(ns)} --ew ${name(ew)}`;
  const calls = String(auction ?? "").replace(/[^\w ()]/g, "");
  const more = [["dealer", dealer === "N" ? "" : dealer], ["vul", vul === "none" ? "" : vul], ["hand", hand && `${seat}:${hand}`]];
  return `'${calls}'${plays}${more.map(([option, value]) => (value ? ` --${option} ${value}` : "")).join("")}`;
}

// The sentence that something is not on the site, with the command that answers it.
export function notHere(what, query) {
  const error = new Error("This is not on the site. On your machine it is answered by");
  if (!query?.ns) error.command = "bidwright serve";
  else if (what === "deals") error.command = `bidwright sample ${words(query)}`;
  else if (what === "odds") error.command = `bidwright explain ${words(query)} --odds '${query.question.replaceAll("'", "")}'`;
  else error.command = `bidwright explain ${words(query)}`;
  return error;
}

// A seat as another dealer's table has it: meanings go by the calls, so North always deals in the files.
const turned = (seat, steps) => (seat === null ? null : SEATS[(SEATS.indexOf(seat) + steps) % 4]);

function turnedSeats(object, steps) {
  return Object.fromEntries(Object.entries(object).map(([seat, value]) => [turned(seat, steps), value]));
}

export function turnedAnswer(what, answer, dealer) {
  const steps = SEATS.indexOf(dealer);
  if (steps === 0 || what === "chosen") return answer;
  if (what === "call") return { ...answer, seat: turned(answer.seat, steps) };
  return {
    ...answer, dealer, turn: turned(answer.turn, steps), vul: vulnerabilityHere(answer.vul, steps),
    contract: answer.contract?.replace(/[NESW]$/, (seat) => turned(seat, steps)) ?? null,
    made: answer.made.map((made) => ({ ...made, seat: turned(made.seat, steps) })),
    shown: turnedSeats(answer.shown, steps), exact: turnedSeats(answer.exact, steps),
  };
}

function vulnerabilityHere(vul, steps) {
  return steps % 2 === 0 ? vul : { ns: "ew", ew: "ns" }[vul] ?? vul;
}

async function answered(what, query) {
  const system = site.systems.find((each) => each.name === query.ns);
  const steps = SEATS.indexOf(query.dealer);
  if (steps < 0) throw new Error(`expected a seat (N, E, S, W), got '${query.dealer}'`);
  const vul = vulnerabilityHere(query.vul, steps);
  if (!system || query.ns !== query.ew || !site.vulnerabilities.includes(vul)) throw notHere(what, query);
  const texts = query.auction.split(" ").filter(Boolean);
  let calls = legalPart(texts);
  if (calls.length < texts.length) {
    const wrong = texts[calls.length];
    throw new Error(callOf(wrong) ? `illegal call ${wrong} in auction '${query.auction}'` : `expected a call (such as 1NT, P, X, XX), got '${wrong}'`);
  }
  if (what === "call") calls = calls.slice(0, Number(query.place) + 1);
  const before = calls.length ? calls.slice(0, -1).join("-") : BEGIN;
  let name = calls.length === 0 && system === site.systems[0] && vul === site.vulnerabilities[0] ? site.begins.name : null;
  name ??= (await indexOf(system))[vul][before];
  const entry = name && (await file(system.name, name))[calls.at(-1) ?? ""];
  const reply = entry?.[what];
  if (!reply) throw notHere(what, query);
  if (reply.refused) throw new Error(reply.refused);
  if (what === "position") ahead(system, vul, calls);
  return turnedAnswer(what, reply.answer, query.dealer);
}

// Fetches the file that the next click will need.
async function ahead(system, vul, calls) {
  try {
    const next = (await indexOf(system))[vul][calls.join("-")];
    if (next) await file(system.name, next);
  } catch {
    // The click will say what is wrong.
  }
}

export async function ask(what, query) {
  // What reads a typed text is fetched when there is one.
  if (what === "typed") return (await import("./typed.js")).readTyped(query.auction, query.dealer, query.vul);
  if (["position", "chosen", "call"].includes(what)) return answered(what, query);
  throw notHere(what, query);
}

// Fetches all answers of a system, so that they are kept for a time without a network.
export async function keepAll(name, progress) {
  const system = site.systems.find((each) => each.name === name);
  const names = [...new Set(Object.values(await indexOf(system)).flatMap((each) => Object.values(each)))];
  let done = 0;
  const next = async () => {
    while (names.length) {
      const path = pathOf(name, names.pop());
      const answer = await fetch(path);
      if (!answer.ok) throw new Error(`The site lacks ${path}.`);
      await answer.arrayBuffer();
      progress(++done, system.files);
    }
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(next));
}
