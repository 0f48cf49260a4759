// Begins: which view is shown, and keys that work everywhere.

import { systems } from "./api.js";
import { h, problem, replace } from "./dom.js";
import * as board from "./board.js";
import * as compare from "./compare.js";
import * as edit from "./edit.js";
import * as explore from "./explore.js";
import * as panel from "./panel.js";
import * as place from "./place.js";
import * as practice from "./practice.js";

const VIEWS = {
  explore: ["Explore", explore],
  compare: ["Compare", compare],
  board: ["Board", board],
  edit: ["Edit", edit],
  practice: ["Practice", practice],
};
const content = document.getElementById("content");
const views = document.getElementById("views");

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
    }, title)));
  document.body.dataset.view = name;
  Promise.resolve(VIEWS[name][1].show(content)).catch((error) => replace(content, problem(error)));
}

async function begin() {
  try {
    panel.offer((await systems()).systems);
  } catch (error) {
    replace(content, problem(error));
    return;
  }
  place.onMove(show);
  addEventListener("keydown", (event) => VIEWS[current()][1].pressed?.(event));
  show();
}

begin();
