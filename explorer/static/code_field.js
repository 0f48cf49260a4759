// The field of the editor: a text area with colours behind it, proposals at the cursor, and the
// meaning of the word under the pointer. What it shows is what the language server answers.

import { ask, keepText } from "./api.js";
import { h, replace, rich } from "./dom.js";

const REST = 450;
const QUICK = 130;
const MOST_SHOWN = 40;
const WORD = /[\w.]/;

// `nameOf` gives the name of the file; `changed` is called at every change.
export function codeField(nameOf, changed) {
  const text = h("textarea", {
    class: "code", rows: 24, spellcheck: "false", autocapitalize: "none", autocorrect: "off", autocomplete: "off", wrap: "off",
    "aria-label": "Convention file", "aria-describedby": "diagnostics", "aria-autocomplete": "list", "aria-haspopup": "listbox", "aria-controls": "proposals",
  });
  const paint = h("div", { class: "paint" });
  const gutter = h("div", { class: "gutter", "aria-hidden": "true" });
  const list = h("ul", { id: "proposals", class: "proposals", role: "listbox", "aria-label": "Proposals", hidden: true });
  const tip = h("div", { class: "tip", role: "tooltip", hidden: true });
  const count = h("div", { class: "visually-hidden", role: "status" });
  const element = h("div", { class: "field-of-code" },
    h("div", { class: "sheet" }, gutter, h("div", { class: "page" }, h("div", { class: "behind", "aria-hidden": "true" }, paint), text)), list, tip, count);

  const field = { element, text, problems: [] };
  const system = async () => (await keepText(nameOf(), text.value)).system;

  // ---------------------------------------------------------------- colours

  const marksOf = new Map();
  const kindOf = new Map();
  let shown = [];

  function drawnLine(line, flaws) {
    const kinds = new Array(line.length).fill("");
    const fill = (from, to, kind) => kinds.fill(kind, from, Math.min(to, line.length));
    const marks = marksOf.get(line);
    if (marks) for (const [from, width, kind] of marks) fill(from, from + width, kind);
    else {
      // A line that is being written: words keep the colours that they had elsewhere.
      for (const found of line.matchAll(/"[^"]*"?|[A-Za-z_][\w.]*|\d\w*/g)) fill(found.index, found.index + found[0].length, found[0].startsWith('"') ? "string" : kindOf.get(found[0]) ?? "");
    }
    const comment = line.replace(/"[^"]*"?/g, (quoted) => " ".repeat(quoted.length)).indexOf("#");
    if (comment >= 0) fill(comment, line.length, "comment");
    for (const [from, to, severity] of flaws) for (let at = from; at < Math.min(to, line.length); at++) kinds[at] += ` flaw ${severity}`;
    const parts = [];
    for (let from = 0, to = 0; from < line.length; from = to) {
      while (to < line.length && kinds[to] === kinds[from]) to++;
      parts.push(kinds[from] ? h("span", { class: kinds[from] }, line.slice(from, to)) : line.slice(from, to));
    }
    return h("div", {}, parts);
  }

  function flawsByLine(lines) {
    const flaws = new Map();
    for (const each of field.problems.filter((one) => one.own)) {
      for (let line = each.line; line <= Math.min(each.end_line, lines.length); line++) {
        const from = line === each.line ? each.column - 1 : 0;
        const to = line === each.end_line ? each.end_column - 1 : lines[line - 1].length;
        flaws.set(line, [...(flaws.get(line) ?? []), [from, Math.max(to, from + 1), each.severity]]);
      }
    }
    return flaws;
  }

  // Only lines that look otherwise than before are made anew: texts may have thousands.
  function draw() {
    const lines = text.value.split("\n");
    const flaws = flawsByLine(lines);
    const now = lines.map((line, at) => JSON.stringify([line, marksOf.get(line) ?? null, flaws.get(at + 1) ?? null]));
    let same = 0;
    while (same < now.length && same < shown.length && now[same] === shown[same]) same++;
    let end = 0;
    while (end < now.length - same && end < shown.length - same && now.at(-1 - end) === shown.at(-1 - end)) end++;
    for (let count = shown.length - same - end; count > 0; count--) paint.children[same].remove();
    const next = paint.children[same] ?? null;
    for (let at = same; at < now.length - end; at++) paint.insertBefore(drawnLine(lines[at], flaws.get(at + 1) ?? []), next);
    shown = now;
    const severities = lines.map((_, at) => flaws.get(at + 1)?.map((flaw) => flaw[2]));
    replace(gutter, lines.map((_, at) => h("div", { class: severities[at] && (severities[at].includes("error") ? "error" : severities[at][0]) }, String(at + 1))));
    follow();
  }

  function follow() {
    gutter.scrollTop = text.scrollTop;
    paint.style.transform = `translate(${-text.scrollLeft}px, ${-text.scrollTop}px)`;
  }

  async function colour() {
    const written = text.value;
    const found = await ask("colours", { text: await system() });
    if (written !== text.value) return;
    const lines = written.split("\n");
    const marked = new Set(found.marks.map(([line]) => line));
    lines.forEach((line, at) => { if (marked.has(at)) marksOf.set(line, []); });
    for (const [line, from, width, kind] of found.marks) {
      marksOf.get(lines[line]).push([from, width, found.kinds[kind]]);
      kindOf.set(lines[line].slice(from, from + width), found.kinds[kind]);
    }
    // Equal lines were filled once for each; what is twice there is the same.
    for (const line of new Set(lines)) if (marksOf.has(line)) marksOf.set(line, [...new Map(marksOf.get(line).map((mark) => [mark[0], mark])).values()]);
    draw();
  }

  // -------------------------------------------------------------- proposals

  let proposed = null;
  let active = -1;
  let asking = 0;

  function cursor() {
    const before = text.value.slice(0, text.selectionStart);
    const line = before.split("\n").length - 1;
    const begin = before.lastIndexOf("\n") + 1;
    return { line, character: before.length - begin, begin, before: before.slice(begin) };
  }

  function close() {
    list.hidden = true;
    count.textContent = "";
    proposed = null;
    active = -1;
    text.removeAttribute("aria-activedescendant");
  }

  async function propose(asked) {
    const here = cursor();
    const mine = ++asking;
    try {
      const found = await ask("proposals", { text: await system(), line: here.line, character: here.character });
      const now = cursor();
      if (mine !== asking || document.activeElement !== text || now.line !== here.line || now.character < here.character || !now.before.startsWith(here.before.slice(0, found.start))) return;
      proposed = { line: here.line, start: found.start, before: here.before.slice(0, found.start), all: found.proposals, asked };
      narrow();
    } catch {
      close();
    }
  }

  // Shows those that begin as the word does; false if the proposals are for another place.
  function narrow() {
    if (!proposed) return false;
    const here = cursor();
    const typed = here.before.slice(proposed.start);
    if (here.line !== proposed.line || !here.before.startsWith(proposed.before) || here.character < proposed.start || [...typed].some((sign) => !WORD.test(sign))) {
      close();
      return false;
    }
    const fitting = proposed.all.filter((each) => each.text.toLowerCase().startsWith(typed.toLowerCase()));
    if (!fitting.length || (!typed && !proposed.asked) || (fitting.length === 1 && fitting[0].text === typed)) {
      list.hidden = true;
      count.textContent = "";
      active = -1;
      text.removeAttribute("aria-activedescendant");
      return true;
    }
    active = -1;
    text.removeAttribute("aria-activedescendant");
    replace(list, fitting.slice(0, MOST_SHOWN).map((each, at) => h("li", { role: "option", id: `proposal-${at}`, "aria-selected": "false",
      onmousedown: (event) => event.preventDefault(), onclick: () => accept(each) },
      h("code", {}, each.text), h("span", { class: "quiet" }, [each.detail, each.about].filter(Boolean).join("; ")))));
    list.hidden = false;
    // A list that opens says nothing by itself to who does not see it.
    count.textContent = fitting.length === 1 ? `1 proposal: ${fitting[0].text}` : `${fitting.length} proposals`;
    list.scrollTop = 0;
    placeAt(list, pointOf(proposed.line, proposed.start), 20);
    return true;
  }

  function move(by) {
    const options = [...list.children];
    options[active]?.setAttribute("aria-selected", "false");
    active = (active + by + options.length + (active < 0 && by < 0 ? 1 : 0)) % options.length;
    options[active].setAttribute("aria-selected", "true");
    options[active].scrollIntoView({ block: "nearest" });
    text.setAttribute("aria-activedescendant", options[active].id);
  }

  function accept(each) {
    const here = cursor();
    text.focus();
    text.setSelectionRange(here.begin + proposed.start, text.selectionEnd);
    close();
    write(each.text);
  }

  // As if it had been typed: the browser can undo it.
  function write(words) {
    if (document.execCommand("insertText", false, words)) return;
    text.setRangeText(words, text.selectionStart, text.selectionEnd, "end");
    text.dispatchEvent(new Event("input"));
  }

  // ------------------------------------------------------------------ places

  function pointOf(line, character) {
    const drawn = paint.children[line];
    const around = element.getBoundingClientRect();
    const range = document.createRange();
    range.setStart(drawn, 0);
    let left = character;
    for (const part of drawn.childNodes) {
      const node = part.nodeType === Node.TEXT_NODE ? part : part.firstChild;
      if (node.length >= left) {
        range.setStart(node, left);
        break;
      }
      left -= node.length;
    }
    range.collapse(true);
    const place = range.getClientRects()[0] ?? drawn.getBoundingClientRect();
    return { x: place.left - around.left, y: drawn.getBoundingClientRect().top - around.top };
  }

  function placeAt(box, point, below) {
    const room = element.clientWidth;
    box.style.left = "0px";
    const width = box.offsetWidth;
    box.style.left = `${Math.max(0, Math.min(point.x, room - width))}px`;
    const down = point.y + below;
    const above = element.getBoundingClientRect().top + down + box.offsetHeight > innerHeight && point.y > box.offsetHeight;
    box.style.top = `${above ? point.y - box.offsetHeight : down}px`;
  }

  // ---------------------------------------------------------------- meanings

  field.cursor = cursor;

  let resting = 0;
  let pointed = "";
  const hide = () => { tip.hidden = true; pointed = ""; clearTimeout(resting); };

  function pointer(event) {
    const box = text.getBoundingClientRect();
    const style = getComputedStyle(text);
    const line = Math.floor((event.clientY - box.top - parseFloat(style.paddingTop) + text.scrollTop) / parseFloat(style.lineHeight));
    const drawn = paint.children[line];
    if (!drawn || !drawn.textContent) return null;
    const range = document.createRange();
    range.selectNodeContents(drawn);
    const width = range.getBoundingClientRect().width / drawn.textContent.length;
    const character = Math.floor((event.clientX - drawn.getBoundingClientRect().left) / width);
    return character >= 0 && character < drawn.textContent.length && drawn.textContent[character].trim() ? { line, character } : null;
  }

  // What is wrong at a place, and the meaning of what stands there; no elements if there is neither.
  // `behind` takes in the place just behind a mistake, where the cursor is that wrote it.
  field.told = async ({ line, character }, behind = 0) => {
    const wrong = field.problems.filter((each) => each.own && each.line === line + 1 && character >= each.column - 1 && (each.end_line > each.line || character < each.end_column - 1 + behind));
    const words = await ask("meaning", { text: await system(), line, character }).then((found) => found.text, (error) => { if (!wrong.length) throw error; });
    return [...wrong.map((each) => h("p", { class: "odd" }, rich(each.message))), ...markdown(words)];
  };

  async function explain(place) {
    const told = await field.told(place).catch(() => []);
    const mark = `${place.line}:${wordAt(place)}`;
    if (pointed !== mark || !told.length) return;
    replace(tip, told);
    tip.hidden = false;
    placeAt(tip, pointOf(place.line, place.character), 22);
  }

  function wordAt({ line, character }) {
    const words = paint.children[line].textContent;
    let [from, to] = [character, character];
    while (from > 0 && WORD.test(words[from - 1])) from--;
    while (to < words.length && WORD.test(words[to])) to++;
    return `${from}:${to}`;
  }

  text.addEventListener("mousemove", (event) => {
    const place = pointer(event);
    const mark = place ? `${place.line}:${wordAt(place)}` : "";
    if (mark === pointed) return;
    hide();
    pointed = mark;
    if (place) resting = setTimeout(() => explain(place), REST);
  });
  text.addEventListener("mouseleave", (event) => { if (!tip.contains(event.relatedTarget)) hide(); });
  tip.addEventListener("mouseleave", hide);

  // -------------------------------------------------------------------- keys

  let soon = 0;
  text.addEventListener("input", (event) => {
    hide();
    draw();
    changed();
    clearTimeout(soon);
    if (narrow()) return;
    const { before } = cursor();
    const typed = before.match(/[\w.]+$/)?.[0];
    // On a phone nothing else asks for proposals.
    const asked = !typed && matchMedia("(pointer: coarse)").matches && /\s$/.test(before);
    if (event.inputType?.startsWith("insert") && (typed || asked) && !before.includes("#")) soon = setTimeout(() => propose(asked), QUICK);
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      propose(true);
    } else if (event.key === "Escape" && (!list.hidden || !tip.hidden)) {
      event.preventDefault();
      close();
      hide();
    } else if (!list.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (!list.hidden && (event.key === "Tab" || (event.key === "Enter" && active >= 0))) {
      event.preventDefault();
      list.children[Math.max(0, active)].click();
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      close();
      const blank = cursor().before.match(/^ */)[0];
      if (!blank) return;
      event.preventDefault();
      write(`\n${blank}`);
    }
  });
  // Who moves the cursor asks for nothing: an answer that is under way is dropped.
  const moved = () => {
    asking++;
    close();
  };
  text.addEventListener("blur", moved);
  text.addEventListener("click", moved);
  text.addEventListener("keyup", (event) => { if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) moved(); });
  text.addEventListener("scroll", () => { follow(); close(); hide(); });

  field.draw = draw;
  field.colour = colour;
  field.found = (problems) => {
    field.problems = problems;
    draw();
    text.dispatchEvent(new Event("found"));
  };
  return field;
}

// The few signs of Markdown that meanings use, as elements.
export function markdown(source) {
  const blocks = [];
  let items = null;
  const lines = String(source ?? "").split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (!line.startsWith("- ")) items = null;
    if (line.startsWith("```")) {
      const begin = ++at;
      while (at < lines.length && !lines[at].startsWith("```")) at++;
      blocks.push(h("pre", {}, lines.slice(begin, at).join("\n")));
    } else if (line.startsWith("- ")) {
      if (!items) blocks.push(items = h("ul", {}));
      items.append(h("li", {}, inline(line.slice(2))));
    } else if (line.trim() === "---") blocks.push(h("hr", {}));
    else if (line.trim()) blocks.push(h("p", {}, inline(line)));
  }
  return blocks;
}

function inline(line) {
  return line.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith("**")) return h("b", {}, rich(part.slice(2, -2)));
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    return rich(part);
  });
}
