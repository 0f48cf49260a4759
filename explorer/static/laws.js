// The Laws of calling (17 to 22, 36 and 37), so that no call waits for the server to be legal.

const STRAINS = ["C", "D", "H", "S", "NT"];
export const BIDS = [1, 2, 3, 4, 5, 6, 7].flatMap((level) => STRAINS.map((strain) => level + strain));
const RANKS = new Map(BIDS.map((text, rank) => [text, rank]));

function state(calls) {
  let rank = -1, bidder = -1, doubles = 0, passes = 0;
  for (const [at, text] of calls.entries()) {
    passes = text === "P" ? passes + 1 : 0;
    if (text === "X") doubles = 1;
    else if (text === "XX") doubles = 2;
    else if (text !== "P") [rank, bidder, doubles] = [RANKS.get(text), at, 0];
  }
  return { rank, bidder, doubles, over: passes >= (rank < 0 ? 4 : 3) };
}

export function isOver(calls) {
  return state(calls).over;
}

// The legal calls after legal calls, as a set of texts: P, X, XX, 1C ... 7NT.
export function legalCalls(calls) {
  const { rank, bidder, doubles, over } = state(calls);
  if (over) return new Set();
  const mine = bidder >= 0 && (calls.length - bidder) % 2 === 0;
  const found = ["P"];
  if (bidder >= 0 && !mine && doubles === 0) found.push("X");
  if (bidder >= 0 && mine && doubles === 1) found.push("XX");
  return new Set([...found, ...BIDS.slice(rank + 1)]);
}

// A call in the notation of this page, or null: a link may say 1n, 2♥, pass or dbl.
const SIGNS = { "♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "♢": "D", "♡": "H", "♤": "S" };
const OTHER = [["P", /^(P|PASS)$/], ["X", /^(X|D|DB|DBL|DOUBLE)$/], ["XX", /^(XX|R|RD|RDBL|REDBL|REDOUBLE)$/]];

export function callOf(text) {
  const word = text.toUpperCase().replace("\ufe0f", "").replace(/[♣♦♥♠♧♢♡♤]/, (sign) => SIGNS[sign]).replace(/^([1-7])(N|SA)$/, "$1NT");
  return RANKS.has(word) ? word : OTHER.find(([, words]) => words.test(word))?.[0] ?? null;
}

// The calls of a text, as far as they are calls and legal one after another.
export function legalPart(texts) {
  const calls = [];
  for (const text of texts) {
    const made = callOf(text);
    if (!made || !legalCalls(calls).has(made)) break;
    calls.push(made);
  }
  return calls;
}
