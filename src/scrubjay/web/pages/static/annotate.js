/** The page to annotate a document: joins text, marks, cursor, menu and keys. */

import { Cursor, moveBorder } from "./cursor.js";
import { Words, trim } from "./lines.js";
import { LabelMenu } from "./menu.js";
import { Panel } from "./panel.js";
import { watchSelections } from "./selecting.js";
import { TextView } from "./textview.js";
import { countTime } from "./timing.js";
import { Work } from "./work.js";

const data = JSON.parse(document.getElementById("data").textContent);
const part = (id) => document.getElementById(id);
const looks = new Map(data.labels.map((look) => [look.name, look]));
const labelOfKey = new Map(data.labels.filter((look) => look.key).map((look) => [look.key, look.name]));

class Page {
  constructor(text, version) {
    this.work = new Work(data.address, text, version);
    this.view = new TextView(part("text"), text, (mark, span) => {
      mark.className = `c${looks.get(span.label)?.colour ?? 7}`;
      mark.dataset.label = span.label;
    });
    this.words = new Words(text, this.view.starts);
    this.cursor = new Cursor(this.view, this.words);
    this.mark = null;
    this.before = Promise.resolve();
    this.panel = new Panel(looks, this);
    this.menu = new LabelMenu(part("menu"), data.labels, (label) => this.inOrder(() => this.give(label)));
    this.work.addEventListener("changed", () => this.#changed());
    this.work.addEventListener("sent", () => this.panel.saving(true));
    this.work.addEventListener("settled", () => this.panel.saving(this.work.waiting > 0));
    this.work.addEventListener("refused", (event) => this.panel.complain(event.detail.message));
    this.flush = countTime(data.address, () => !this.work.isDone);
    this.#listen();
    this.#changed();
  }

  /** Give the current mark a label, or mark what is selected. */
  async give(label) {
    if (this.work.isDone) return this.panel.say("This document is finished. Reopen it first.");
    if (this.mark) {
      if (this.mark.label !== label) await this.work.relabel(this.mark, label);
      return;
    }
    const borders = trim(this.work.text, this.cursor.start, this.cursor.end);
    if (!borders) return this.panel.say("Nothing is selected.");
    this.cursor.put(...borders);
    await this.work.add(...borders, label);
  }

  /** Move one border of the current mark by a word. */
  async moveMark(side, direction) {
    if (!this.mark || this.work.isDone) return;
    const mark = this.mark;
    const borders = moveBorder(this.words, mark, side, direction);
    if (!borders) return;
    const done = this.work.move(mark, borders.start, borders.end);
    this.cursor.put(borders.start, borders.end);
    await done;
  }

  async remove() {
    if (this.mark && !this.work.isDone) await this.work.remove(this.mark);
  }

  /** Treat all strings like the current mark's alike. */
  async same(everywhere) {
    if (!this.mark || this.work.isDone) return;
    const { start, end, label } = this.mark;
    const told = await this.work.same(start, end, label, everywhere);
    if (told) this.panel.tellApplied(told.applied, everywhere);
  }

  async finish() {
    await this.flush();
    const told = await this.work.finish();
    if (told) location.assign(told.next === null ? "/project" : `/project/documents/${told.next}`);
  }

  /** Go to the next mark (1) or the one before (-1). */
  toMark(direction) {
    const { marks } = this.work;
    const { start, end } = this.cursor;
    const next = direction > 0
      ? marks.find((mark) => mark.start > start || (mark.start === start && !this.mark && mark.end > end))
      : marks.findLast((mark) => mark.start < start);
    if (next) this.go(next.start, next.end);
    else this.panel.say(direction > 0 ? "There is no mark after this." : "There is no mark before this.");
  }

  /** Stand somewhere, and bring it into sight. */
  go(start, end) {
    this.cursor.put(start, end);
    this.follow();
  }

  /** Show where the cursor is now. */
  follow() {
    this.#settle();
    if (!this.cursor.isEmpty) this.view.reveal(this.cursor.start, this.cursor.end);
    this.panel.announce(this.mark, this.cursor);
  }

  openMenu() {
    if (this.cursor.isEmpty) return;
    if (this.work.isDone) return this.panel.say("This document is finished. Reopen it first.");
    const box = this.view.rangeOf(this.cursor.start, this.cursor.end).getBoundingClientRect();
    this.menu.open(box, part("text"), this.mark?.label);
  }

  /** Choose nothing. */
  clear() {
    this.cursor.put(this.cursor.start, this.cursor.start);
    this.follow();
  }

  #forget() {
    this.cursor.put(this.cursor.start, this.cursor.start);
    this.#settle();
  }

  #changed() {
    this.view.show(this.work.marks);
    const { start, end } = this.cursor;
    if (this.mark && !this.work.marks.some((mark) => mark.start <= start && end <= mark.end)) {
      // Its borders were taken back, or moved by another window: stay with what is there now.
      const near = this.work.marks.find((mark) => mark.start < end && start < mark.end);
      if (near) this.cursor.put(near.start, near.end);
    }
    this.#settle();
    this.panel.update(this.work);
  }

  /** Find the mark that the cursor stands on, and show it. */
  #settle() {
    const { start, end, isEmpty } = this.cursor;
    this.mark = isEmpty ? null : (this.work.marks.find((mark) => mark.start <= start && end <= mark.end) ?? null);
    this.#show();
  }

  /** Show what is chosen: a mark, or words. */
  #show() {
    for (const each of part("text").querySelectorAll("mark.current")) each.classList.remove("current");
    if (this.mark) for (const each of this.view.marksOf(this.mark)) each.classList.add("current");
    this.cursor.draw(this.mark !== null);
    this.panel.showMark(this.mark, this.work);
  }

  #listen() {
    const text = part("text");
    // A key that comes before the new selection is known must not change the mark before it.
    text.addEventListener("pointerdown", () => this.#forget());
    text.addEventListener("click", (event) => this.#click(event));
    text.addEventListener("keydown", (event) => this.#press(event));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !this.work.isDone) {
        event.preventDefault();
        this.inOrder(() => this.finish());
      }
    });
    document.addEventListener("pointerdown", (event) => {
      if (this.menu.isOpen && !part("menu").contains(event.target)) this.menu.close();
    });
    watchSelections(this.view, (start, end) => {
      const borders = trim(this.work.text, start, end);
      if (!borders) return;
      getSelection().removeAllRanges();
      this.cursor.put(...borders);
      this.#settle();
      // Where a mark holds the selection, the menu would give the mark a label: a part is meant.
      if (this.mark && (this.mark.start !== borders[0] || this.mark.end !== borders[1])) {
        this.mark = null;
        this.#show();
      }
      this.openMenu();
    });
    addEventListener("beforeunload", (event) => {
      if (this.work.waiting > 0) event.preventDefault();
    });
  }

  #click(event) {
    if (!getSelection().isCollapsed) return;
    const place = caretAt(event.clientX, event.clientY);
    const mark = this.view.spanOf(event.target);
    if (mark) return this.go(mark.start, mark.end);
    const offset = place && this.view.offsetOf(place.node, place.offset);
    const word = offset === null ? null : this.words.after(offset);
    if (word && word[0] <= offset) this.go(...word);
    else this.clear();
  }

  #press(event) {
    const action = this.#actionOf(event);
    if (!action) return;
    event.preventDefault();
    this.inOrder(action);
  }

  /** Do something after all that was asked for before: keys may come faster than answers. */
  inOrder(action) {
    this.before = this.before.then(action).catch((error) => this.panel.complain(error.message));
    return this.before;
  }

  #actionOf(event) {
    const { key, shiftKey } = event;
    if (event.ctrlKey || event.metaKey) {
      const name = key.toLowerCase();
      if (name === "z") return () => (shiftKey ? this.work.redo() : this.work.undo());
      return name === "y" ? () => this.work.redo() : null;
    }
    if (event.altKey && !event.getModifierState("AltGraph")) return null;
    const walking = { ArrowRight: 1, ArrowLeft: -1 };
    if (key in walking) {
      if (!shiftKey) return () => this.#walk(() => this.cursor.step(walking[key]));
      if (this.mark) return () => this.moveMark("end", walking[key]);
      return () => this.#walk(() => this.cursor.stretch(walking[key]));
    }
    const simple = {
      ArrowDown: () => this.#walk(() => this.cursor.line(1)),
      ArrowUp: () => this.#walk(() => this.cursor.line(-1)),
      j: () => this.toMark(1),
      k: () => this.toMark(-1),
      ",": () => this.moveMark("start", -1),
      ".": () => this.moveMark("start", 1),
      x: () => this.remove(),
      Delete: () => this.remove(),
      Backspace: () => this.remove(),
      "=": () => this.same(false),
      "+": () => this.same(true),
      u: () => this.work.undo(),
      U: () => this.work.redo(),
      Enter: () => this.openMenu(),
      Escape: () => this.clear(),
      "?": () => this.panel.help(),
    };
    if (key in simple) return simple[key];
    return labelOfKey.has(key) ? () => this.give(labelOfKey.get(key)) : null;
  }

  #walk(step) {
    step();
    this.follow();
  }
}

/** Return node and offset of the text under a point of the window. */
function caretAt(x, y) {
  if (document.caretPositionFromPoint) {
    const place = document.caretPositionFromPoint(x, y);
    return place && { node: place.offsetNode, offset: place.offset };
  }
  const range = document.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}

async function begin() {
  const response = await fetch(`${data.address}/text`, { headers: { Accept: "application/json" } });
  const told = await response.json();
  if (!response.ok) {
    part("problem").textContent = told.detail;
    part("problem").hidden = false;
    return;
  }
  new Page(told.text, told.version);
  part("text").dataset.ready = "true";
  part("text").focus({ preventScroll: true });
}

begin();
