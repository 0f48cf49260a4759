// Where the reader is: everything that a link says. A link is the same for everybody.

const DEFAULTS = { view: "explore", auction: "", ns: "sayc", ew: "sayc", dealer: "N", vul: "none" };
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
  return text ? `/?${text}` : "/";
}

export function go(changes, { quietly = false } = {}) {
  const target = link(changes);
  if (quietly) history.replaceState(null, "", target);
  else if (target !== location.pathname + location.search) history.pushState(null, "", target);
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

export function setting(place = here()) {
  const { auction, ns, ew, dealer, vul } = place;
  return { auction: auction.replaceAll("-", " "), ns, ew, dealer, vul };
}
