// Where the reader is: everything that a link says. A link is the same for everybody.

import { site } from "./shards.js";

const first = site?.systems[0].name ?? "sayc";
const DEFAULTS = { view: "explore", auction: "", ns: first, ew: first, dealer: "N", vul: site?.vulnerabilities[0] ?? "none" };
const listeners = [];

export function here() {
  const found = { ...DEFAULTS };
  for (const [name, value] of new URLSearchParams(location.search)) found[name] = value.slice(0, 800);
  return found;
}

export function link(changes = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...here(), ...changes })) {
    if (value !== undefined && value !== null && value !== DEFAULTS[name]) search.set(name, value);
  }
  const text = search.toString();
  return text ? `?${text}` : location.pathname;
}

export function go(changes, { quietly = false } = {}) {
  const target = link(changes);
  if (quietly) history.replaceState(null, "", target);
  else if (new URL(target, location.href).search !== location.search) history.pushState(null, "", target);
  for (const listener of listeners) listener();
}

export function onMove(listener) {
  listeners.push(listener);
  addEventListener("popstate", listener);
}

// The calls of the auction in the link, as far as they look like calls.
export function calls(text = here().auction) {
  return text.split("-").filter(Boolean);
}

// Writes the auction of the link in the notation of this page.
export function settle(calls) {
  if (calls.join("-") !== here().auction) history.replaceState(null, "", link({ auction: calls.join("-") }));
}

// The seat whose turn it is after so many calls.
export function seatAt(number, { dealer } = here()) {
  const seats = ["N", "E", "S", "W"];
  return seats[(Math.max(seats.indexOf(dealer), 0) + number) % 4];
}

export function setting(place = here()) {
  const { auction, ns, ew, dealer, vul } = place;
  return { auction: auction.replaceAll("-", " "), ns, ew, dealer, vul };
}
