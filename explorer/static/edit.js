// The fourth view: a convention file with live diagnostics, and what it changes.

import { ask, keepText } from "./api.js";
import { codeField } from "./code_field.js";
import { busy, call, h, percent, problem, replace, rich, status } from "./dom.js";
import * as panel from "./panel.js";
import * as place from "./place.js";
import * as store from "./own_text.js";

const PAUSE = 350;
const START = `system my_system "My own system"

include sayc

# A notrump of 14 to 16 instead of 15 to 17.
override opening.1NT
  1NT "14 to 16, balanced" hcp 14..16, balanced; announce "14 to 16"

example KQ4.AJ8.K987.Q52 -> 1NT
`;

let timer = 0;
let turn = 0;

export async function show(content) {
  if (content.querySelector(".edit")) {
    content.querySelector(".edit").dispatchEvent(new Event("moved"));
    return;
  }
  const kept = store.draft() ?? { name: "my_system", text: START };
  const name = h("input", { type: "text", name: "name", value: kept.name, "aria-label": "Name of the file", spellcheck: "false", autocapitalize: "none" });
  const field = codeField(() => name.value, () => later());
  const text = field.text;
  text.value = kept.text;
  const diagnostics = h("div", { id: "diagnostics", class: "diagnostics", "aria-live": "polite" });
  const effect = h("div", { class: "effect" });
  const everywhere = h("div", {});
  const state = { system: null, base: place.here().base ?? "sayc" };

  const check = async () => {
    const mine = ++turn;
    store.keepDraft(name.value, text.value);
    try {
      const page = await keepText(name.value, text.value);
      field.colour().catch(() => {});
      const found = await ask("check", { text: page.system });
      if (mine !== turn) return;
      state.system = found.usable ? page.system : null;
      field.found(found.problems);
      replace(diagnostics, diagnosis(found, text, () => prove(page.system)));
      await showEffect();
    } catch (error) {
      if (mine === turn) replace(diagnostics, problem(error));
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  };
  const prove = async (system) => {
    replace(everywhere, busy("Looking for proofs, up to a minute…"));
    try {
      const found = await ask("check", { text: system, seconds: 60 });
      replace(everywhere, h("h3", {}, found.stage === "done" ? "Proved as far as lints go" : `Not finished within a minute (at ${found.stage})`), diagnosis(found, text));
    } catch (error) {
      replace(everywhere, problem(error));
    }
  };
  const showEffect = async () => {
    if (!state.system) {
      replace(effect, h("p", { class: "quiet" }, "What the change does is shown when the text has no errors."));
      return;
    }
    await compareHere(effect, state, later);
  };
  name.addEventListener("input", later);
  const refill = () => {
    field.found([]);
    later();
  };
  const meaning = meaningAtCursor(field);

  const file = h("input", { type: "file", accept: ".bid,.txt", class: "visually-hidden", id: "file", onchange: async () => {
    if (!file.files[0]) return;
    name.value = file.files[0].name.replace(/\.bid$/, "").replace(/[^A-Za-z0-9_-]/g, "_").replace(/^[^A-Za-z]+/, "") || "my_system";
    text.value = await file.files[0].text();
    refill();
  } });
  const beginAnew = () => {
    if (text.value !== START && !confirm("Begin anew? The text in the editor is lost.")) return;
    text.value = START;
    name.value = "my_system";
    refill();
  };
  const edit = h("div", { class: "edit explore" },
    h("section", { class: "card editor", "aria-label": "Editor" },
      h("div", { class: "row" }, h("label", { class: "field grow" }, h("span", {}, "File"), name),
        h("label", { class: "button", for: "file" }, "Open a file"), file,
        h("button", { type: "button", onclick: () => save(name.value, text.value) }, "Save as file"),
        h("button", { type: "button", onclick: beginAnew }, "Begin anew"),
        h("button", { type: "button", class: "main", onclick: () => state.system ? place.go({ view: "explore", ns: state.system, ew: state.system }) : status("The text has errors") }, "Explore it")),
      field.element, h("p", { class: "note keys" }, "Ctrl and space propose what may stand here, Tab takes the first; rest the pointer on a word or a rule for its meaning."), meaning),
    h("div", { class: "findings" },
      h("section", { class: "card", "aria-label": "Diagnostics" }, h("h2", {}, "Diagnostics"), diagnostics),
      h("section", { class: "card", "aria-label": "What it changes" }, h("h2", {}, "What it changes"), effect,
        h("p", {}, h("button", { type: "button", onclick: () => state.system && changesEverywhere(everywhere, state) }, "Look at all auctions")), everywhere)));
  edit.addEventListener("moved", showEffect);
  replace(content, edit);
  field.draw();
  replace(diagnostics, busy("Reading the text…"));
  check();
}

// The meaning of what stands at the cursor, for keyboards and phones; open, it follows the cursor.
function meaningAtCursor(field) {
  const words = h("div", { class: "meaning", "aria-live": "polite" });
  const box = h("details", {}, h("summary", {}, "What it means at the cursor"), words);
  let waiting = 0;
  const show = () => {
    clearTimeout(waiting);
    if (!box.open) return;
    waiting = setTimeout(async () => {
      try {
        const told = await field.told(field.cursor(), 1);
        replace(words, told.length ? told : h("p", { class: "quiet" }, "Put the cursor into a word or a rule."));
      } catch (error) {
        replace(words, problem(error));
      }
    }, PAUSE);
  };
  box.addEventListener("toggle", show);
  for (const happening of ["keyup", "click", "input", "found"]) field.text.addEventListener(happening, show);
  return box;
}

function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  h("a", { href: address, download: `${name.replace(/[^A-Za-z0-9_-]/g, "_") || "my_system"}.bid` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function diagnosis(found, text, prove) {
  const errors = found.problems.filter((each) => each.severity === "error").length;
  const head = found.problems.length === 0
    ? h("p", { class: "good" }, "✓ No problems", found.examples ? `, ${found.examples} of ${found.examples} examples bid as stated.` : ".")
    : h("p", {}, `${errors} error${errors === 1 ? "" : "s"}, ${found.problems.length - errors} other${found.problems.length - errors === 1 ? "" : "s"}`);
  status(errors ? `${errors} errors` : "no errors");
  return [head,
    h("ul", { class: "problems" }, found.problems.map((each) => h("li", { class: each.severity },
      h("button", { type: "button", class: "whole problemline", disabled: !each.own, onclick: () => select(text, each) },
        h("code", {}, each.own ? `${each.line}:${each.column}` : each.at), h("span", {}, h("span", { class: "code" }, each.code), " ", rich(each.message))),
      each.more.map((line) => h("div", { class: "note" }, rich(line)))))),
    found.more > 0 && h("p", { class: "quiet" }, `and ${found.more} more`),
    prove && found.usable && h("p", {}, h("button", { type: "button", onclick: prove }, "Look for proofs (up to a minute)"))];
}

function select(text, each) {
  const lines = text.value.split("\n");
  const offset = (line, column) => lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  text.focus();
  text.setSelectionRange(offset(each.line, each.column), offset(each.end_line, each.end_column));
  text.scrollTop = Math.max(0, (each.line - 6) * parseFloat(getComputedStyle(text).lineHeight));
}

// The auction of the link by the base and by the text: what differs is marked.
async function compareHere(element, state) {
  const setting = place.setting();
  const asked = (name) => ({ ...setting, ns: name, ew: name });
  const line = h("input", { type: "text", value: setting.auction, placeholder: "1NT (P), or nothing", "aria-label": "Auction", spellcheck: "false" });
  const form = h("form", { class: "inline", onsubmit: async (event) => {
    event.preventDefault();
    try {
      await panel.typed(line.value);
    } catch (error) {
      replace(element, form, problem(error));
    }
  } },
  panel.systemChoice("Compared with", state.base, (value) => { state.base = value; compareHere(element, state); }),
  h("label", { class: "field grow" }, h("span", {}, "After the auction"), line), h("button", { type: "submit" }, "Show"));
  if (!element.querySelector("table")) replace(element, form, busy("Comparing…"));
  try {
    const names = [state.base, state.system];
    const [old, now] = await Promise.all(names.map((name) => ask("position", asked(name))));
    const shares = old.over ? [null, null] : await Promise.all(names.map((name) => ask("chosen", asked(name))));
    if (names[0] === state.base && names[1] === state.system) replace(element, form, differences(old, now, shares, state));
  } catch (error) {
    replace(element, form, problem(error));
  }
}

function differences(old, now, shares, state) {
  const share = (at, name) => shares[at]?.calls[name]?.share ?? 0;
  const rows = [];
  now.made.forEach((made, at) => rows.push({ seat: made.seat, name: made.call, one: old.made[at]?.line, other: made.line, changed: old.made[at]?.line !== made.line }));
  for (const each of now.legal) {
    const before = old.legal.find((one) => one.call === each.call);
    const [was, is] = [share(0, each.call), share(1, each.call)];
    const error = 3 * Math.hypot(shares[0]?.calls[each.call]?.error ?? 0, shares[1]?.calls[each.call]?.error ?? 0) + 0.0005;
    const changed = before?.line !== each.line || Math.abs(was - is) > error;
    if (changed) rows.push({ name: each.call, one: before?.line, other: each.line, was, is, changed });
  }
  const shown = rows.filter((row) => row.changed);
  if (!shown.length) return h("p", {}, "Nothing differs after this auction.");
  return h("table", { class: "side" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Call"), h("th", { scope: "col" }, panel.systemName(state.base)), h("th", { scope: "col" }, panel.systemName(state.system)))),
    h("tbody", {}, shown.map((row) => h("tr", {}, h("th", { scope: "row" }, row.seat && h("span", { class: "seat" }, row.seat), call(row.name)),
      h("td", { "data-system": panel.systemName(state.base) }, row.one === undefined ? "–" : rich(row.one), row.was !== undefined && h("span", { class: "pill" }, percent(row.was))),
      h("td", { "data-system": panel.systemName(state.system) }, rich(row.other), row.is !== undefined && h("span", { class: "pill" }, percent(row.is)))))));
}

async function changesEverywhere(element, state) {
  replace(element, busy("Bidding deals by both versions; this takes half a minute or so…"));
  try {
    const found = await ask("changes", { old: state.base, new: state.system });
    replace(element, h("h3", {}, "All auctions"), h("p", {}, found.headline), found.groups.map(group), found.limits.map((line) => h("p", { class: "note" }, line)));
  } catch (error) {
    replace(element, problem(error));
  }
}

function group(found) {
  const shown = (calls) => calls.length ? calls.map((each) => [call(each), " "]) : "opening ";
  return h("div", { class: "group" },
    h("h4", {}, found.cause ? `${found.cause.name} ${found.cause.kind}` : "several changes together"),
    h("ul", {}, found.hands.map((line) => h("li", {}, shown(line.calls), "· ", call(line.old), " → ", call(line.new), ` on ${percent(line.weight.share)} of deals: `, rich(line.hands))),
      found.meanings.map((line) => h("li", {}, shown(line.calls), "means something else: ",
        line.aspects.map((each) => h("span", {}, `${each.name}: `, rich(each.old || "–"), " → ", rich(each.new || "–"), "; "))))));
}

