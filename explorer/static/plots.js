// Plots as SVG: high-card points as bars, suit lengths as small grids of shares.

import { percent, svg } from "./dom.js";

const SUITS = [["S", "♠", "spade"], ["H", "♥", "heart"], ["D", "♦", "diamond"], ["C", "♣", "club"]];
const WIDTH = 300;

export function pointPlot(shares, name) {
  const shown = shares.map((share, points) => [points, share]).filter(([, share]) => share >= 0.0005);
  if (!shown.length) return null;
  const low = Math.max(0, shown[0][0] - 1);
  const high = shown[shown.length - 1][0] + 1;
  const most = Math.max(...shown.map(([, share]) => share));
  const step = WIDTH / (high - low + 1);
  const every = high - low > 16 ? 5 : high - low > 8 ? 2 : 1;
  const parts = [svg("title", {}, `${name}, high-card points`), svg("line", { x1: 0, x2: WIDTH, y1: 80.5, y2: 80.5, class: "axis" })];
  for (const [points, share] of shown) {
    const height = (70 * share) / most;
    parts.push(svg("rect", { x: (points - low + 0.12) * step, y: 80 - height, width: 0.76 * step, height, class: "points" },
      svg("title", {}, `${points} HCP: ${percent(share)}`)));
  }
  for (let points = low; points <= high; points++) {
    if (points % every === 0) parts.push(svg("text", { x: (points - low + 0.5) * step, y: 94, class: "tick" }, String(points)));
  }
  parts.push(svg("text", { x: WIDTH, y: 9, class: "most" }, percent(most)));
  return svg("svg", { viewBox: `0 0 ${WIDTH} 98`, class: "plot", role: "img", "aria-label": `${name}: distribution of high-card points` }, parts);
}

export function lengthPlot(lengths, name) {
  const most = 9;
  const left = 20;
  const cell = (WIDTH - left) / (most + 1);
  const parts = [svg("title", {}, `${name}, suit lengths`)];
  SUITS.forEach(([suit, sign, kind], row) => {
    parts.push(svg("text", { x: 8, y: 20 * row + 15, class: `tick ${kind}` }, sign + "\ufe0e"));
    for (let length = 0; length <= most; length++) {
      const share = lengths[suit][length] ?? 0;
      const rect = svg("rect", { x: left + length * cell + 1, y: 20 * row + 1, width: cell - 2, height: 18, rx: 3, class: `length ${kind}` },
        svg("title", {}, `${length} ${sign}: ${percent(share)}`));
      rect.style.fillOpacity = String(share < 0.0005 ? 0.04 : 0.1 + 0.9 * Math.min(1, share / 0.5));
      parts.push(rect);
      if (share >= 0.095) {
        parts.push(svg("text", { x: left + (length + 0.5) * cell, y: 20 * row + 14, class: share > 0.27 ? "share strong" : "share" }, String(Math.round(100 * share))));
      }
    }
  });
  for (let length = 0; length <= most; length++) {
    parts.push(svg("text", { x: left + (length + 0.5) * cell, y: 93, class: "tick" }, String(length)));
  }
  return svg("svg", { viewBox: `0 0 ${WIDTH} 98`, class: "plot", role: "img", "aria-label": `${name}: suit lengths in per cent` }, parts);
}
