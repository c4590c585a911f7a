/**
 * Where somebody is in a text: a stretch of words, of which one end stays when it is stretched.
 * Offsets are UTF-16 units.
 */

const SHOWN = "cursor";

export class Cursor {
  /**
   * @param {import("./textview.js").TextView} view
   * @param {import("./lines.js").Words} words
   */
  constructor(view, words) {
    this.view = view;
    this.words = words;
    this.start = 0;
    this.end = 0;
    this.anchor = [0, 0];
    this.head = [0, 0];
  }

  get isEmpty() {
    return this.start === this.end;
  }

  /** Stand on a stretch. */
  put(start, end) {
    this.anchor = [start, end];
    this.head = [start, end];
    this.#join();
  }

  /** Go one word on (1) or back (-1). */
  step(direction) {
    const next = direction > 0 ? this.words.after(this.end) : this.words.before(this.start);
    if (next) this.put(...next);
  }

  /** Go to the nearest word of a line below (1) or above (-1). */
  line(direction) {
    const next = this.words.beside(this.start, direction);
    if (next) this.put(...next);
  }

  /** Take one word more, or one less, on the side that moves. */
  stretch(direction) {
    const next = direction > 0 ? this.words.after(this.head[1]) : this.words.before(this.head[0]);
    if (next) this.head = next;
    this.#join();
  }

  /** Show the stretch, unless a mark shows it already. */
  draw(hasMark) {
    if (!globalThis.CSS?.highlights) return;
    CSS.highlights.delete(SHOWN);
    if (!hasMark && !this.isEmpty) {
      CSS.highlights.set(SHOWN, new Highlight(this.view.rangeOf(this.start, this.end)));
    }
  }

  #join() {
    this.start = Math.min(this.anchor[0], this.head[0]);
    this.end = Math.max(this.anchor[1], this.head[1]);
  }
}

/** Return other borders of a stretch: one end moved by a word; null where it would vanish. */
export function moveBorder(words, stretch, side, direction) {
  let { start, end } = stretch;
  if (side === "start") {
    const word = direction < 0 ? words.before(start) : words.after(start);
    if (!word) return null;
    start = direction < 0 ? word[0] : (words.after(word[1])?.[0] ?? end);
  } else {
    const word = direction > 0 ? words.after(end) : words.before(end);
    if (!word) return null;
    end = direction > 0 ? word[1] : (words.before(word[0])?.[1] ?? start);
  }
  return start < end ? { start, end } : null;
}
