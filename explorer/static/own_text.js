// Convention files that the reader has opened, kept in this browser; the last few of them.

const KEY = "bidwright.texts";
const DRAFT = "bidwright.draft";
const MOST = 4;

function stored(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the text lives as long as the page.
  }
}

export function all() {
  const found = stored(KEY, []);
  return Array.isArray(found) ? found : [];
}

export function keep(system, name, text) {
  const others = all().filter((each) => each.system !== system);
  store(KEY, [{ system, name, text }, ...others].slice(0, MOST));
}

export function draft() {
  return stored(DRAFT, null);
}

export function keepDraft(name, text) {
  store(DRAFT, { name, text });
}
