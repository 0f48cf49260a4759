// The third view: a pasted board, call by call, each hand held against what its calls show.

import { ask, post } from "./api.js";
import { SEAT_NAMES, busy, call, compass, h, hand, percent, problem, replace, rich, status } from "./dom.js";
import { detailOf } from "./explore.js";
import * as panel from "./panel.js";
import * as place from "./place.js";
import { tools } from "./tools.js";

const EXAMPLE = "md|1SAT43HAJ542DQ6CQT,SK5HQT6DK9842CJ72,SQJ82HK73DA3CAK53,S976H98DJT75C9864|sv|o|ah|Board 1|mb|1H|mb|p|mb|1S|mb|p|mb|2S|mb|p|mb|4N|mb|p|mb|5H|mb|p|mb|6S|mb|p|mb|p|mb|p|";
let boards = [];
let pastedText = "";

export function pressed(event) {
  if (event.target.closest("input, select, textarea")) return;
  const made = place.calls().length;
  const at = Number(place.here().at ?? -1);
  if (event.key === "ArrowRight" && at < made - 1) place.go({ at: at + 1 }, { quietly: true });
  else if (event.key === "ArrowLeft" && at > 0) place.go({ at: at - 1 }, { quietly: true });
  else return;
  event.preventDefault();
}

export async function show(content) {
  const now = place.here();
  if (!now.deal && !now.auction) {
    replace(content, pasteForm());
    return;
  }
  if (!content.querySelector(".explore.board")) replace(content, busy());
  try {
    const found = await ask("board", { ...place.setting(now), deal: now.deal ?? "" });
    if (place.here().view === "board") replace(content, page(found));
  } catch (error) {
    replace(content, h("div", {}, problem(error), pasteForm()));
  }
}

function pasteForm() {
  const text = h("textarea", { rows: 8, "aria-label": "PBN, LIN or a link", spellcheck: "false",
    placeholder: '[Deal "N:AKT.JT8.KQ82.A64 …"], md|3S76HA643…, or https://www.bridgebase.com/tools/handviewer.html?…' });
  text.value = pastedText;
  const result = h("div", {});
  const read = async () => {
    pastedText = text.value;
    replace(result, busy("Reading…"));
    try {
      const found = await post("/api/pasted", { text: text.value });
      boards = found.boards;
      if (boards.length === 1) open(boards[0]);
      else replace(result, list(found));
    } catch (error) {
      replace(result, problem(error));
    }
  };
  const file = h("input", { type: "file", accept: ".pbn,.lin,.txt", class: "visually-hidden", id: "boards", onchange: async () => {
    if (file.files[0]) {
      text.value = await file.files[0].text();
      read();
    }
  } });
  return h("section", { class: "card paste" }, h("h2", {}, "Step through a board"),
    h("p", { class: "quiet" }, "Paste PBN, LIN or a link to the hand viewer, or open a file. Each hand is then held against the calls it made, by the systems you choose."),
    text, h("div", { class: "row" },
      h("button", { type: "button", class: "main", onclick: read }, "Read it"), h("label", { class: "button", for: "boards" }, "Open a file"), file,
      h("button", { type: "button", onclick: () => { text.value = EXAMPLE; read(); } }, "Try an example")),
    result);
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function reportOn() {
  const result = h("div", {});
  const write = async () => {
    replace(result, busy("Every call is judged: this may take a minute…"));
    const { ns, ew } = place.setting(place.here());
    try {
      const found = await post("/api/report", { text: pastedText, ns, ew });
      const file = new Blob([found.page], { type: "text/html" });
      const odd = Object.entries(found.counts).filter(([, number]) => number);
      replace(result, [
        h("p", {}, `${count(found.judged, "call")} on ${count(found.boards, "board")}: `,
          odd.length ? odd.map(([kind, number]) => `${number} ${kind}`).join(", ") : "all as agreed",
          found.left_out > 0 && `; ${count(found.left_out, "board")} left out`, "."),
        h("p", {}, h("a", { href: URL.createObjectURL(file), download: "review.html" }, "Save the report")),
      ]);
    } catch (error) {
      replace(result, problem(error));
    }
  };
  return h("div", { class: "report" },
    h("button", { type: "button", onclick: write }, "Report for the director"), result);
}

function list(found) {
  return [
    reportOn(),
    h("h3", {}, `${found.boards.length} boards${found.more ? ` (and ${found.more} more that are not read)` : ""}`),
    h("ul", { class: "boards" }, found.boards.map((board) => h("li", {},
      h("button", { type: "button", onclick: () => open(board) }, `Board ${board.number ?? "?"}`), " ",
      h("span", {}, board.calls.slice(0, 8).map((each) => [call(each), " "]), board.calls.length > 8 && "…"),
      board.errors.length > 0 && h("span", { class: "note odd" }, ` ${board.errors[0]}`)))),
  ];
}

function open(board) {
  place.go({ auction: board.calls.join("-"), dealer: board.dealer, vul: board.vul, deal: board.deal ?? undefined, at: board.calls.length ? 0 : undefined });
}

function mark(made) {
  if (!made.verdict) return made.known ? "" : "?";
  return made.verdict.agreed ? "✓" : made.verdict.judged ? "✗" : "?";
}

function page(found) {
  const now = place.here();
  const at = now.at === undefined ? null : found.made[Number(now.at)];
  const change = (name) => (value) => place.go({ [name]: value });
  const odd = found.made.filter((made) => made.verdict?.kind).length;
  const held = found.made.filter((made) => made.verdict?.judged).length;
  status(at ? `${SEAT_NAMES[at.seat]} ${at.call}: ${at.verdict?.judged ? (at.verdict.agreed ? "as agreed" : "not as agreed") : ""}` : "");
  return h("div", { class: "explore board" },
    h("section", { class: "table", "aria-label": "The board" },
      h("div", { class: "settings" },
        panel.systemChoice("North-South play", now.ns, change("ns")), panel.systemChoice("East-West play", now.ew, change("ew"))),
      panel.conditions(found),
      diagram(found, at),
      panel.auctionTable(found),
      h("div", { class: "row" },
        h("button", { type: "button", disabled: !at || at.place === 0, onclick: () => place.go({ at: at.place - 1 }, { quietly: true }) }, "← Back"),
        h("button", { type: "button", class: "main", disabled: at?.place === found.made.length - 1 || !found.made.length, onclick: () => place.go({ at: at ? at.place + 1 : 0 }, { quietly: true }) }, "Next call →"),
        h("a", { href: place.link({ view: "explore" }) }, "Explore from here")),
      tools(found, found.hands),
      pastedText && reportOn(),
      boards.length > 1 && h("div", { class: "wrap others-of" }, boards.map((board) =>
        h("button", { type: "button", class: "chip", onclick: () => open(board) }, String(board.number ?? "?")))),
      h("p", {}, h("button", { type: "button", onclick: () => place.go({ auction: undefined, deal: undefined, at: undefined }) }, "Another board"))),
    h("div", { class: "findings" },
      h("section", { class: "card" }, h("h2", {}, held ? `${held - odd} of ${held} calls as agreed` : "The calls"),
        h("ol", { class: "made" }, found.made.map((made) => h("li", { class: made === at ? "open" : "" },
          h("button", { type: "button", class: "whole verdicts", onclick: () => place.go({ at: made.place }, { quietly: true }) },
            h("span", { class: "seat" }, made.seat), call(made.call), h("span", { class: "line" }, rich(made.line)),
            h("span", { class: `mark ${mark(made) === "✓" ? "good" : "odd"}`, title: mark(made) === "✓" ? "as agreed" : "not as agreed" }, mark(made))),
          made === at && stepOf(made, now)))))));
}

function diagram(found, at) {
  if (!Object.keys(found.hands).length) return null;
  return compass((seat) => (found.hands[seat] ? hand(found.hands[seat]) : "–"), at?.seat);
}

function stepOf(made, now) {
  const element = h("div", { class: "detail" });
  const { verdict } = made;
  const parts = [];
  if (verdict) {
    parts.push(h("p", {}, hand(verdict.hand)));
    if (verdict.agreed) {
      parts.push(h("p", { class: "good" }, "As agreed."), source(verdict.rule));
    } else if (!verdict.judged) {
      parts.push(h("p", {}, "Nothing is agreed that this call could be held against."));
    } else {
      parts.push(h("p", { class: "odd" }, verdict.says), promises(verdict));
      parts.push(verdict.instead
        ? h("p", {}, "By the system this hand bids ", call(verdict.instead.call), verdict.instead.text && ` (${verdict.instead.text})`, ".", source(verdict.instead))
        : h("p", {}, "By the system this hand passes: no rule fits it."));
      if (verdict.share !== null) parts.push(h("p", { class: "quiet" }, `${percent(verdict.share)} of the hands possible here make this call.`));
    }
    parts.push(rejected(made));
  }
  const more = h("div", {}, busy());
  parts.push(h("details", { ontoggle: async (event) => {
    if (!event.target.open || more.dataset.done) return;
    more.dataset.done = "yes";
    try {
      replace(more, detailOf(await ask("call", { ...place.setting(now), place: made.place })));
    } catch (error) {
      replace(more, problem(error));
    }
  } }, h("summary", {}, "What the call shows, and why"), more));
  replace(element, parts);
  return element;
}

function promises(verdict) {
  return verdict.lacks.length > 0 && h("ul", {}, verdict.lacks.map((text) => h("li", {}, rich(text))));
}

function source(rule) {
  return h("figure", { class: "rule" }, h("figcaption", {}, h("code", { class: "at" }, rule.at)), h("pre", {}, h("code", {}, rule.source)));
}

export function rejected(made) {
  const own = made.rejected.filter((each) => each.call === made.call);
  const rules = [...own, ...made.rejected.filter((each) => each.call !== made.call)];
  if (!rules.length) return null;
  return h("details", {}, h("summary", {}, `${rules.length} rules come first and do not fit`),
    h("ul", { class: "rejected" }, rules.slice(0, 40).map((each) => h("li", {}, call(each.call), " ",
      each.text && h("span", {}, rich(each.text), " "), h("span", { class: "quiet" }, "needs ", rich(each.unmet), " "), h("code", { class: "at" }, each.at)))),
    rules.length > 40 && h("p", { class: "quiet" }, `and ${rules.length - 40} more`));
}
