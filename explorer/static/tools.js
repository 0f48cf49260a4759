// Beside every table: copy the link, report the position, and the look of suits and letters.

import { h, replace, status, toast } from "./dom.js";
import * as panel from "./panel.js";
import * as place from "./place.js";
import { site } from "./shards.js";

const KEY = "bidwright.look";
const LOOKS = {
  suits: ["Suits", { four: "four colours", two: "two colours" }],
  size: ["Letters", { normal: "normal", large: "large", largest: "largest" }],
};

function look() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

// Gives the page the look that this browser keeps.
export function dress() {
  const kept = look();
  for (const [name, [, choices]] of Object.entries(LOOKS)) {
    document.documentElement.dataset[name] = kept[name] in choices ? kept[name] : Object.keys(choices)[0];
  }
}

function choose(name, value) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...look(), [name]: value }));
  } catch {
    // Without storage the look lasts as long as the page.
  }
  document.documentElement.dataset[name] = value;
}

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
    return true;
  } catch {
    return false;
  }
}

// A position as a text that another person can answer: where it is, and by which program.
export function reportText(position, hands = {}) {
  const now = place.here();
  const lines = [
    `Auction: ${position.text || "(no call yet)"}`,
    `Dealer ${position.dealer}, vulnerable ${position.vul}`,
    `North-South play ${panel.systemName(now.ns)}, East-West play ${panel.systemName(now.ew)}`,
    ...Object.entries(hands).map(([seat, hand]) => `${seat} ${hand}`),
    ...position.made.filter((made) => made.line).map((made) => `${made.seat} ${made.call}: ${made.line}`),
    `bidwright ${panel.programVersion()}${site ? `, site of ${site.systems.length} systems` : ""}`,
    location.href,
    "What is wrong, and what you expected:",
  ];
  return `${lines.join("\n")}\n`;
}

export function tools(position, hands) {
  const shown = h("div", {});
  const report = async () => {
    const text = reportText(position, hands);
    const area = h("textarea", { class: "report-text", rows: 9, "aria-label": "The report", spellcheck: "false", value: text });
    replace(shown, h("p", { class: "quiet" }, "Add a line, and send it to whoever looks after the system."), area,
      h("button", { type: "button", onclick: () => copy(area.value, "The report is copied.") }, "Copy the report"));
    area.focus();
    area.setSelectionRange(text.length, text.length);
    status("The report of this position");
  };
  const link = async () => {
    if (!(await copy(location.href, "The link is copied."))) toast(location.href);
  };
  const current = document.documentElement.dataset;
  return h("div", { class: "tools" },
    h("div", { class: "row" },
      h("button", { type: "button", class: "copy-link", onclick: link }, "Copy link"),
      h("button", { type: "button", class: "report-position", onclick: report }, "Report this position")),
    shown,
    h("details", {}, h("summary", {}, "Look"), h("div", { class: "settings" },
      Object.entries(LOOKS).map(([name, [label, choices]]) => h("label", { class: "field" }, h("span", {}, label),
        h("select", { name, onchange: (event) => choose(name, event.target.value) },
          Object.entries(choices).map(([value, words]) => h("option", { value, selected: current[name] === value }, words))))))));
}
