// Questions to the server, or to the files of a site. Answers are remembered as long as the page is open.

import * as store from "./own_text.js";
import * as shards from "./shards.js";

const known = new Map();
const MOST_KNOWN = 400;
const LONG_QUERY = 1500;

async function read(response) {
  let found;
  try {
    found = await response.json();
  } catch {
    throw new Error("the explorer does not answer as expected: is it still running?");
  }
  if (!response.ok) throw new Error(found.error ?? `it was refused (${response.status})`);
  return found;
}

async function fetched(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the explorer cannot be reached: is it still running?");
  }
  return read(response);
}

export async function post(path, body, signal) {
  if (shards.site) throw shards.notHere();
  const headers = { "content-type": "application/json" };
  return fetched(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

async function asked(what, query, signal) {
  const search = new URLSearchParams(query).toString();
  if (search.length > LONG_QUERY) return post(`/api/${what}`, query, signal);
  return fetched(`/api/${what}?${search}`, { signal });
}

export async function ask(what, query, signal) {
  const key = JSON.stringify([what, query]);
  if (known.has(key)) return known.get(key);
  let found;
  if (shards.site) return shards.ask(what, query);
  try {
    found = await asked(what, query, signal);
  } catch (error) {
    // The server keeps texts for a while only; this browser still has them.
    if (!/not kept here any more/.test(error.message) || !(await sendAgain(query))) throw error;
    found = await asked(what, query, signal);
  }
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

async function sendAgain(query) {
  const wanted = Object.values(query).filter((value) => String(value).startsWith("own:"));
  const kept = store.all().filter((each) => wanted.includes(each.system));
  for (const each of kept) await post("/api/text", { name: each.name, text: each.text });
  return kept.length > 0;
}

export async function keepText(name, text) {
  const found = await post("/api/text", { name, text });
  store.keep(found.system, found.name, text);
  return found;
}

export async function systems() {
  if (shards.site) return { systems: shards.site.systems.map((each) => each.name), version: shards.site.version };
  return fetched("/api/systems");
}
