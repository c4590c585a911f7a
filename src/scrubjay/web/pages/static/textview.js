/**
 * A text on the page with its spans marked, line by line. Offsets are UTF-16 units of the text.
 *
 * Lines stand in blocks that the browser lays out only when they come near the screen
 * (`content-visibility`), so that a note of a megabyte scrolls like a short one; a change draws
 * the lines that it touches and no others. The text is put in as text nodes, never as markup.
 */

import { lineAt, lineStarts } from "./lines.js";

const LINES_IN_BLOCK = 40;

export class TextView {
  /**
   * @param {HTMLElement} root where the text goes
   * @param {string} text
   * @param {(mark: HTMLElement, span: object) => void} dress gives a mark its looks and names
   */
  constructor(root, text, dress) {
    this.root = root;
    this.text = text;
    this.dress = dress;
    this.starts = lineStarts(text);
    this.spans = [];
    this.lines = this.starts.map((_, number) => this.#makeLine(number));
    root.replaceChildren(...this.#makeBlocks());
  }

  /** Show these spans in place of the ones before; only lines that differ are drawn anew. */
  show(spans) {
    const before = this.#byLine();
    this.spans = [...spans].sort((one, other) => one.start - other.start || one.end - other.end);
    const after = this.#byLine();
    for (const number of new Set([...before.keys(), ...after.keys()])) {
      const old = before.get(number) ?? [];
      const now = after.get(number) ?? [];
      const same = old.length === now.length && old.every((span, i) => sameLook(span, now[i]));
      if (!same) this.#draw(number, now);
    }
  }

  /** Return the elements that show a span, one for each line that it is on. */
  marksOf(span) {
    const found = [];
    const last = lineAt(this.starts, Math.max(span.start, span.end - 1));
    for (let number = lineAt(this.starts, span.start); number <= last; number += 1) {
      for (const mark of this.lines[number].querySelectorAll("mark")) {
        if (Number(mark.dataset.start) === span.start) found.push(mark);
      }
    }
    return found;
  }

  /** Return the span of a mark, or of anything inside it; null elsewhere. */
  spanOf(node) {
    const element = node instanceof Element ? node : node?.parentElement;
    const mark = element?.closest("mark");
    if (!mark || !this.root.contains(mark)) return null;
    return this.spans.find((span) => span.start === Number(mark.dataset.start)) ?? null;
  }

  /** Return a DOM range over some of the text. */
  rangeOf(start, end) {
    const range = document.createRange();
    range.setStart(...this.#place(start, false));
    range.setEnd(...this.#place(end, true));
    return range;
  }

  /** Return the offset of a place in the DOM, or null outside the text. */
  offsetOf(node, offset) {
    const element = node instanceof Element ? node : node.parentElement;
    const line = element?.closest("[data-line]");
    if (!line || !this.root.contains(line)) return null;
    const before = document.createRange();
    before.selectNodeContents(line);
    before.setEnd(node, offset);
    return this.starts[Number(line.dataset.line)] + before.toString().length;
  }

  /** Bring a place of the text into sight, where it is not. */
  reveal(start, end) {
    const line = this.lines[lineAt(this.starts, start)];
    line.scrollIntoView({ block: "nearest" }); // lays the block out, so that the rest is exact
    const box = this.rangeOf(start, end).getBoundingClientRect();
    const frame = this.root.getBoundingClientRect();
    const room = frame.height > 4 * box.height ? box.height * 1.5 : 0;
    if (box.top < frame.top + room) this.root.scrollTop -= frame.top + room - box.top;
    else if (box.bottom > frame.bottom - room) {
      this.root.scrollTop += box.bottom - frame.bottom + room;
    }
  }

  #makeLine(number) {
    const line = document.createElement("div");
    line.className = "line";
    line.dir = "auto";
    line.dataset.line = String(number);
    line.append(this.#slice(this.starts[number], this.#lineEnd(number)));
    return line;
  }

  #makeBlocks() {
    const blocks = [];
    for (let first = 0; first < this.lines.length; first += LINES_IN_BLOCK) {
      const lines = this.lines.slice(first, first + LINES_IN_BLOCK);
      const block = document.createElement("div");
      block.className = "block";
      block.style.containIntrinsicBlockSize = `auto ${lines.length * 1.7}em`;
      block.append(...lines);
      blocks.push(block);
    }
    return blocks;
  }

  #lineEnd(number) {
    return this.starts[number + 1] ?? this.text.length;
  }

  #slice(start, end) {
    return document.createTextNode(this.text.slice(start, end));
  }

  #byLine() {
    const found = new Map();
    for (const span of this.spans) {
      const last = lineAt(this.starts, Math.max(span.start, span.end - 1));
      for (let number = lineAt(this.starts, span.start); number <= last; number += 1) {
        if (!found.has(number)) found.set(number, []);
        found.get(number).push(span);
      }
    }
    return found;
  }

  #draw(number, spans) {
    const parts = [];
    const end = this.#lineEnd(number);
    let place = this.starts[number];
    for (const span of spans) {
      const start = Math.max(span.start, place); // of overlapping spans the earlier is whole
      let stop = Math.min(span.end, end);
      if (span.end > end) stop = end - lineEnding(this.text, place, end);
      if (start >= stop) continue;
      if (place < start) parts.push(this.#slice(place, start));
      const mark = document.createElement("mark");
      mark.dataset.start = String(span.start);
      mark.append(this.#slice(start, stop));
      this.dress(mark, span);
      mark.classList.toggle("unfinished", span.end > end); // its label stands where it ends
      parts.push(mark);
      place = stop;
    }
    if (place < end) parts.push(this.#slice(place, end));
    this.lines[number].replaceChildren(...parts);
  }

  #place(offset, isEnd) {
    let number = lineAt(this.starts, offset);
    if (isEnd && number > 0 && this.starts[number] === offset) number -= 1;
    let left = offset - this.starts[number];
    const walker = document.createTreeWalker(this.lines[number], NodeFilter.SHOW_TEXT);
    let node = walker.nextNode();
    while (node && (left > node.length || (left === node.length && !isEnd))) {
      const next = walker.nextNode();
      if (!next) break;
      left -= node.length;
      node = next;
    }
    return node ? [node, Math.min(left, node.length)] : [this.lines[number], 0];
  }
}

function sameLook(one, other) {
  return (
    one.start === other.start &&
    one.end === other.end &&
    one.label === other.label &&
    one.look === other.look
  );
}

/** Return how many units of line end the part of a text ends with. */
function lineEnding(text, start, end) {
  return /(?:\r\n|\n|\r)?$/.exec(text.slice(Math.max(start, end - 2), end))[0].length;
}
