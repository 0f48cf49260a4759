// Deals that agree with the auction, what is likely of the hands, and questions about the odds.

import { ask } from "./api.js";
import { SEATS, SEAT_NAMES, busy, compass, h, hand, percent, problem, replace } from "./dom.js";

export function dealsSection(setting) {
  const body = h("div", { class: "deals-body" });
  const seen = h("input", { type: "text", name: "hand", placeholder: "KQ4.AQ8.K9873.K2", autocomplete: "off", spellcheck: "false" });
  const seat = h("select", { name: "seat", "aria-label": "Whose hand" }, SEATS.map((each) => h("option", { value: each }, SEAT_NAMES[each])));
  const state = { seed: 0 };
  const query = () => ({ ...setting, seed: state.seed, ...(seen.value.trim() ? { hand: seen.value, seat: seat.value } : {}) });
  const draw = async (event) => {
    event?.preventDefault();
    replace(body, busy("Drawing deals…"));
    try {
      // Plots come when deals do: the first view is there a request sooner.
      const [found, plots] = await Promise.all([ask("deals", query()), import("./plots.js")]);
      replace(body, foundDeals(found, plots, () => { state.seed += 1; draw(); }), oddsForm(query));
    } catch (error) {
      replace(body, problem(error));
    }
  };
  return h("section", { class: "card", "aria-label": "Deals and odds" },
    h("h2", {}, "Deals and odds"),
    h("form", { class: "inline", onsubmit: draw },
      h("label", { class: "field grow" }, h("span", {}, "A hand that you see (if you like)"), seen),
      h("label", { class: "field" }, h("span", {}, "It is"), seat),
      h("button", { type: "submit", class: "main" }, "Show deals")),
    body);
}

function foundDeals(found, { lengthPlot, pointPlot }, again) {
  const { posterior } = found;
  const hands = Object.entries(posterior.hands);
  const source = posterior.exact
    ? `Counted exactly: ${Number(posterior.deals).toLocaleString("en", { maximumFractionDigits: 0 })} deals agree.`
    : `From ${posterior.drawn.toLocaleString("en")} deals drawn; ± ${(100 * posterior.error).toFixed(1)} at most.`;
  return [
    found.doubts.map((sentence) => h("p", { class: "note odd" }, sentence)),
    h("p", { class: "quiet" }, source, found.judgement !== null && ` A hand that takes judgement makes a deal count ${found.judgement} times as much.`),
    h("div", { class: "plots" }, hands.map(([seat, tables]) => h("figure", {},
      h("figcaption", {}, `${SEAT_NAMES[seat]}: ${tables.mean_hcp.toFixed(1)} HCP on average`),
      pointPlot(tables.hcp, SEAT_NAMES[seat]), lengthPlot(tables.lengths, SEAT_NAMES[seat])))),
    fits(posterior),
    h("div", { class: "row" }, h("h3", {}, "A sample"), h("button", { type: "button", onclick: again }, "Other deals")),
    h("ol", { class: "deals" }, found.deals.map((deal) => h("li", { class: "deal" },
      compass((seat) => hand(deal[seat]))))),
  ];
}

// How likely each side has a fit of eight cards or more, and game or slam in points.
function fits(posterior) {
  const signs = { S: "♠", H: "♥", D: "♦", C: "♣" };
  const rows = Object.entries(posterior.sides).map(([side, tables]) => {
    const atLeast = (shares, least) => shares.slice(least).reduce((sum, each) => sum + each, 0);
    return h("tr", {}, h("th", { scope: "row" }, side),
      Object.keys(signs).map((suit) => h("td", {}, percent(atLeast(tables.fits[suit], 8)))),
      h("td", {}, percent(atLeast(tables.hcp, 25))));
  });
  return h("div", { class: "scroll" }, h("table", { class: "numbers" },
    h("caption", {}, "Eight cards or more together, and 25 HCP or more"),
    h("thead", {}, h("tr", {}, h("th", {}), Object.entries(signs).map(([suit, sign]) =>
      h("th", { scope: "col", class: `suit ${{ S: "spade", H: "heart", D: "diamond", C: "club" }[suit]}` }, sign + "\ufe0e")), h("th", { scope: "col" }, "25+"))),
    h("tbody", {}, rows)));
}

function oddsForm(query) {
  const question = h("input", { type: "text", name: "question", placeholder: "SK with East", autocomplete: "off", spellcheck: "false" });
  const answers = h("ul", { class: "answers", "aria-live": "polite" });
  const submit = async (event) => {
    event.preventDefault();
    if (!question.value.trim()) return;
    const line = h("li", {}, busy());
    answers.prepend(line);
    try {
      const found = await ask("odds", { ...query(), question: question.value });
      const error = found.exact ? "exact" : `± ${(100 * found.error).toFixed(1)}`;
      replace(line, h("strong", {}, percent(found.probability)), ` ${found.question} (${error})`);
    } catch (error) {
      replace(line, problem(error));
    }
  };
  return h("form", { class: "inline", onsubmit: submit },
    h("label", { class: "field grow" },
      h("span", {}, "How likely is…  (SK with East; fit spades N-S 8+; N-S hcp 25+; W hcp 12+, hearts 5+)"), question),
    h("button", { type: "submit" }, "Ask"), answers);
}
