// Begins: which view is shown, and keys that work everywhere.

import { systems } from "./api.js";
import { h, problem, replace } from "./dom.js";
import * as explore from "./explore.js";
import * as panel from "./panel.js";
import * as place from "./place.js";
import { site } from "./shards.js";
import { dress } from "./tools.js";

// A site has the views that its files answer, and says of the others where they are.
const ELSEWHERE = { board: "Stepping through boards", edit: "Writing convention files", practice: "Practice by topics" };
// The views; all but the first are fetched when they are first shown.
const VIEWS = {
  explore: ["Explore", () => explore],
  compare: ["Compare", () => import("./compare.js")],
  board: ["Board", () => import("./board.js")],
  edit: ["Edit", () => import("./edit.js")],
  practice: ["Practice", () => import("./practice.js")],
};
const fetched = { explore };
if (site) for (const name of Object.keys(ELSEWHERE)) delete VIEWS[name];
const content = document.getElementById("content");
const views = document.getElementById("views");

function elsewhere(name) {
  replace(content, h("div", { class: "card" },
    h("p", {}, `${ELSEWHERE[name]} needs the program on your machine: `, h("code", {}, "bidwright serve"), "."),
    h("p", {}, h("a", { href: "library/" }, "Practice deals of each convention are in the library"))));
}

function current() {
  const name = place.here().view;
  return VIEWS[name] ? name : "explore";
}

function show() {
  const name = current();
  replace(views, Object.entries(VIEWS).map(([view, [title]]) =>
    h("a", {
      href: place.link({ view, at: undefined, deal: undefined }), "aria-current": view === name ? "page" : null,
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        place.go({ view, at: undefined, deal: undefined });
      },
    }, title)), site && h("a", { href: "library/" }, "Library"));
  document.body.dataset.view = name;
  if (site && ELSEWHERE[place.here().view]) {
    elsewhere(place.here().view);
    return;
  }
  showView(name).catch((error) => replace(content, problem(error)));
}

async function showView(name) {
  const view = fetched[name] ?? await VIEWS[name][1]();
  fetched[name] = view;
  if (current() === name) await view.show(content);
}

async function begin() {
  dress();
  try {
    panel.offer(await systems());
  } catch (error) {
    replace(content, problem(error));
    return;
  }
  if (site) import("./offline.js");
  place.onMove(show);
  addEventListener("keydown", (event) => fetched[current()]?.pressed?.(event));
  show();
}

begin();
