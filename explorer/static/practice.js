// The fifth view: hands to bid, with a nod, a hint, and then everything.

import { ask } from "./api.js";
import { busy, call, callWords, compass, h, hand, problem, replace, rich, status } from "./dom.js";
import { rejected } from "./board.js";
import * as panel from "./panel.js";
import * as place from "./place.js";
import { tools } from "./tools.js";

const KEY = "bidwright.practice";
const LEVELS = ["any", "easy", "middle", "hard"];
const ENOUGH = 3;
const MOST_MISSED = 50;
let answered = null;

// What is kept in this browser: of each system and topic right and asked, and the hands that were missed.
function record() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY)) ?? {};
    return { counts: found.counts ?? {}, missed: found.missed ?? [] };
  } catch {
    return { counts: {}, missed: [] };
  }
}

function keep(found) {
  try {
    localStorage.setItem(KEY, JSON.stringify(found));
  } catch {
    // Without storage nothing is counted.
  }
}

const keyOf = ({ ns, topic }) => `${ns} ${topic}`;
const same = (one, other) => ["ns", "topic", "seed", "level"].every((name) => String(one[name] ?? "") === String(other[name] ?? ""));

function count(now, good) {
  const found = record();
  const [right, all] = found.counts[keyOf(now)] ?? [0, 0];
  found.counts[keyOf(now)] = [right + (good ? 1 : 0), all + 1];
  found.missed = found.missed.filter((each) => !same(each, now));
  if (!good) found.missed.push({ ns: now.ns, topic: now.topic, seed: now.seed ?? 0, level: now.level });
  found.missed = found.missed.slice(-MOST_MISSED);
  keep(found);
}

// The topics that go wrong most often, the worst first, among those that were asked some times.
export function weakSpots(topics, counts, ns) {
  return topics
    .map((each) => ({ ...each, score: counts[keyOf({ ns, topic: each.topic })] }))
    .filter(({ score }) => score && score[1] >= ENOUGH && score[0] < score[1])
    .sort((one, other) => one.score[0] / one.score[1] - other.score[0] / other.score[1])
    .slice(0, 3);
}

export function pressed(event) {
  if (event.key === "Enter" && answered === "done" && !event.target.closest("button, a, input, select")) next();
}

function next() {
  place.go({ seed: Number(place.here().seed ?? 0) + 1 });
}

const start = (more) => place.go({ seed: Math.floor(Math.random() * 1e6), ...more });

function levels(now) {
  return h("label", { class: "field" }, "Difficulty ", h("select", { onchange: (event) => place.go({ level: event.target.value === "0" ? undefined : event.target.value }) },
    LEVELS.map((name, level) => h("option", { value: String(level), selected: String(now.level ?? 0) === String(level) }, name))));
}

// The topics by groups, in the order of a beginner's path.
function path(topics, now) {
  const { counts } = record();
  const groups = [...new Set(topics.map((each) => each.group))];
  return groups.map((group) => [h("h3", {}, group), h("ul", { class: "topics" }, topics.filter((each) => each.group === group).map(({ topic, title }) => {
    const score = counts[keyOf({ ns: now.ns, topic })];
    return h("li", {}, h("button", { type: "button", "aria-pressed": topic === now.topic, class: topic === now.topic ? "chosen" : "", onclick: () => start({ topic }) }, title),
      score && h("span", { class: "quiet" }, ` ${score[0]} of ${score[1]}`));
  }))]);
}

function weak(topics, now) {
  const { counts, missed } = record();
  const spots = weakSpots(topics, counts, now.ns);
  const mine = missed.filter((each) => each.ns === now.ns);
  if (!spots.length && !mine.length) return null;
  return h("div", { class: "weak" }, h("h3", {}, "Your weak spots"),
    h("ul", { class: "topics" }, spots.map(({ topic, title, score }) => h("li", {}, h("button", { type: "button", onclick: () => start({ topic }) }, title), h("span", { class: "quiet" }, ` ${score[0]} of ${score[1]}`))),
      mine.length && h("li", {}, h("button", { type: "button", onclick: () => place.go({ level: undefined, ...mine[0] }) }, `Again: ${mine.length} missed hand${mine.length > 1 ? "s" : ""}`))),
    h("p", {}, h("button", { type: "button", class: "quiet", onclick: () => { keep({ counts: {}, missed: [] }); start({}); } }, "Forget the record")));
}

export async function show(content) {
  const now = place.here();
  answered = null;
  const topics = h("div", {}, busy());
  const desk = h("section", { class: "card desk", "aria-label": "The hand" });
  replace(content, h("div", { class: "explore practice" },
    h("section", { class: "card", "aria-label": "Topics" }, panel.systemChoice("System", now.ns, (value) => place.go({ ns: value, topic: undefined, seed: undefined })), topics), desk));
  try {
    const found = await ask("topics", { system: now.ns });
    replace(topics, weak(found.topics, now), h("details", { open: !now.topic || innerWidth > 860 }, h("summary", { class: "headline" }, "What to practise"),
      levels(now), path(found.topics, now)));
  } catch (error) {
    replace(topics, problem(error));
    return;
  }
  if (!now.topic) {
    replace(desk, h("h2", {}, "Practice"), h("p", {}, "Choose a topic. You get an auction and a hand for which the system has exactly one call; some hands are not about the topic at all, so look twice."));
    return;
  }
  replace(desk, busy("Dealing a hand…"));
  try {
    const found = await ask("exercise", { system: now.ns, topic: now.topic, seed: now.seed ?? 0, level: now.level ?? 0 });
    if (place.here().topic === now.topic) lay(desk, found, now);
  } catch (error) {
    replace(desk, problem(error), h("p", {}, h("button", { type: "button", onclick: next }, "Another hand")));
  }
}

function lay(desk, found, now) {
  const feedback = h("div", { class: "feedback", "aria-live": "polite" });
  const state = { tries: 0 };
  const bidding = box(found, (made) => judge(made, found, now, feedback, state));
  replace(desk, h("h2", {}, "What do you call?"), h("p", { class: "quiet" }, `Difficulty: ${LEVELS[found.level]}`),
    compass((seat) => (seat === found.turn ? h("div", { class: "big" }, hand(found.hand)) : seatLine(found, seat)), found.turn),
    h("div", { class: "two" },
      h("div", {}, panel.conditions(found), panel.auctionTable(found), h("details", {}, h("summary", {}, "What the calls show"),
        h("ul", { class: "denials" }, found.made.map((made) => h("li", {}, h("span", { class: "seat" }, made.seat), call(made.call), " ", rich(made.line)))))),
      bidding),
    feedback, tools(found, { [found.turn]: found.hand }));
  status("A new hand");
}

// What a player has called, where his hand would be.
function seatLine(found, seat) {
  const calls = found.made.filter((made) => made.seat === seat);
  return h("span", { class: "quiet" }, calls.length ? calls.map((made) => [call(made.call), " "]) : "–");
}

function box(found, press) {
  const element = panel.biddingBox({ ...found, legal: found.legal.map((each) => ({ ...each, line: "" })) }, press);
  element.querySelector(".undo")?.remove();
  return element;
}

async function judge(made, found, now, feedback, state) {
  if (answered === "done") return;
  const query = { system: now.ns, auction: found.calls.join(" "), dealer: found.dealer, vul: found.vul, hand: found.hand, call: made };
  state.tries += 1;
  replace(feedback, busy());
  try {
    const level = Math.min(state.tries, 2);
    const reply = await ask("judged", { ...query, help: level });
    if (state.tries === 1) count(now, reply.grade !== "wrong");
    if (reply.right) {
      answered = "done";
      replace(feedback, h("p", { class: "nod" }, "✓ ", call(reply.call), " – ", rich(reply.line)), others(reply), more(reply, made), onward());
      status("right");
    } else if (reply.grade === "possible") {
      answered = "done";
      replace(feedback, h("p", { class: "nod" }, "Good enough: with judgement ", call(made), " may be bid. The system's call is ", call(reply.call), " – ", rich(reply.line)), more(reply, made), onward());
      status(`good enough; the system's call is ${callWords(reply.call)}`);
    } else if (level < 2) {
      replace(feedback, h("p", { class: "odd" }, "Not this one. ", reply.hint.map((line) => [rich(line), " "])),
        h("div", { class: "row" }, h("span", { class: "quiet" }, "Try again, or"), h("button", { type: "button", onclick: () => { state.tries = 1; judge(made, found, now, feedback, state); } }, "tell me")));
      status("not this one");
    } else {
      answered = "done";
      replace(feedback, everything(reply, made), onward());
      status(`the call is ${callWords(reply.call)}`);
    }
  } catch (error) {
    replace(feedback, problem(error));
  }
}

function others(reply) {
  return reply.also?.length ? h("p", { class: "quiet" }, "With judgement also: ", reply.also.map((each, at) => [at > 0 && ", ", call(each)])) : null;
}

function onward() {
  return h("p", {}, h("button", { type: "button", class: "main", onclick: next }, "Next hand"));
}

function everything(reply, made) {
  return [
    h("p", { class: "nod" }, "It is ", call(reply.call), " – ", rich(reply.line)),
    h("p", {}, reply.hint.slice(0, 1).map((line) => rich(line))),
    nearest(reply),
    more(reply, made),
  ];
}

const card = (name) => [rich({ S: "♠", H: "♥", D: "♦", C: "♣" }[name[0]]), name[1].replace("T", "10")];

function nearest(reply) {
  const wanted = call(reply.nearest_call);
  if (!reply.nearest) return h("p", {}, "No hand that comes here makes ", wanted, " by the system.");
  const list = (names) => names.map((name, at) => [at > 0 && ", ", card(name)]);
  const { gone, come, least } = reply.nearest;
  return h("p", {}, least ? "The least change that makes " : "A near hand that makes ", wanted, " right: ", list(come), " instead of ", list(gone), ": ", hand(reply.nearest.hand));
}

function more(reply, made) {
  return [
    reply.rule && h("figure", { class: "rule" }, h("figcaption", {}, h("code", { class: "at" }, reply.rule.at)), h("pre", {}, h("code", {}, reply.rule.source))),
    rejected({ ...reply, call: made }),
  ];
}
