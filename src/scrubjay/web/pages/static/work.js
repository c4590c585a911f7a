/**
 * One annotator's marks in one document: what the server holds, and every change to it.
 *
 * Changes are sent one after another, each with the revision that it was made on; what comes back
 * is the truth. Offsets here are UTF-16 units, those that travel are characters.
 */

import { Offsets } from "./offsets.js";
import { Refused, send } from "./send.js";

export class Work extends EventTarget {
  /**
   * @param {string} address of the document, without a slash at its end
   * @param {string} text
   * @param {object} version as the server tells it
   */
  constructor(address, text, version) {
    super();
    this.address = address;
    this.text = text;
    this.offsets = new Offsets(text);
    this.waiting = 0;
    this.queue = Promise.resolve();
    this.#take(version);
  }

  get isDone() {
    return this.state === "done";
  }

  /** Mark some text; marks that are in the way give way. */
  add(start, end, label) {
    return this.#edit(() => ({ action: "add", ...this.#borders(start, end), label }));
  }

  /** Give a mark other borders. */
  move(mark, start, end) {
    return this.#edit(() => ({ action: "move", mark: this.#name(mark), ...this.#borders(start, end) }));
  }

  /** Give a mark another label. */
  relabel(mark, label) {
    return this.#edit(() => ({ action: "relabel", mark: this.#name(mark), label }));
  }

  /** Take a mark away. */
  remove(mark) {
    return this.#edit(() => ({ action: "delete", mark: this.#name(mark) }));
  }

  undo() {
    return this.#change("undo", () => ({ revision: this.revision }));
  }

  redo() {
    return this.#change("redo", () => ({ revision: this.revision }));
  }

  /** Treat all same strings alike, in this document or in all; no label takes their marks away. */
  same(start, end, label, everywhere) {
    return this.#change("same", () => ({
      ...this.#borders(start, end), label, everywhere, revision: this.revision,
    }));
  }

  /** Undo a change of many documents. */
  undoBatch(batch) {
    return this.#change("undo-batch", () => ({ batch }));
  }

  /** Declare the marks final; the answer tells where to go on. */
  finish() {
    return this.#change("finish", () => ({ revision: this.revision }));
  }

  /** Open finished marks again. */
  reopen() {
    return this.#change("reopen", () => ({}));
  }

  #edit(action) {
    return this.#change("edit", () => ({ ...action(), revision: this.revision }));
  }

  /** Send a change after those before it; returns what came back, or null where it was refused. */
  #change(name, body) {
    const run = async () => {
      try {
        const told = await send(`${this.address}/${name}`, body());
        this.#take(told.version);
        return told;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.code === "conflict") await this.#reload();
        this.dispatchEvent(new CustomEvent("refused", { detail: error }));
        return null;
      } finally {
        this.waiting -= 1;
        this.dispatchEvent(new Event("settled"));
      }
    };
    this.waiting += 1;
    this.dispatchEvent(new Event("sent"));
    const done = this.queue.then(run);
    this.queue = done.catch(() => null);
    return done;
  }

  async #reload() {
    const response = await fetch(`${this.address}/version`, { headers: { Accept: "application/json" } });
    if (response.ok) this.#take((await response.json()).version);
  }

  #take(version) {
    this.revision = version.revision;
    this.state = version.state;
    this.canUndo = version.can_undo;
    this.canRedo = version.can_redo;
    this.marks = version.marks.map(([start, end, label, score, source]) => ({
      start: this.offsets.toUnits(start), end: this.offsets.toUnits(end), label, score, source,
    }));
    this.dispatchEvent(new Event("changed"));
  }

  #borders(start, end) {
    return { start: this.offsets.toCharacters(start), end: this.offsets.toCharacters(end) };
  }

  #name(mark) {
    return { ...this.#borders(mark.start, mark.end), label: mark.label };
  }
}
