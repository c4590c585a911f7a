/** What stands around the text: the mark that is chosen, labels, tools, and what is said aloud. */

import { make } from "./elements.js";

const part = (id) => document.getElementById(id);

export class Panel {
  /**
   * @param {Map<string, object>} looks
   * @param {object} page what the buttons do
   */
  constructor(looks, page) {
    this.looks = looks;
    this.page = page;
    this.buttons = [...document.querySelectorAll(".labels [data-label]")];
    for (const button of this.buttons) {
      button.addEventListener("click", () => this.#then(() => page.give(button.dataset.label)));
    }
    const tools = {
      undo: () => page.work.undo(), redo: () => page.work.redo(), finish: () => page.finish(),
      reopen: () => page.work.reopen(), previous: () => page.toMark(-1), next: () => page.toMark(1),
      help: () => this.help(),
    };
    for (const [id, action] of Object.entries(tools)) {
      part(id).addEventListener("click", () => (id === "help" ? action() : this.#then(action)));
    }
    part("close-keys").addEventListener("click", () => part("keys").close());
    part("keys").addEventListener("close", () => part("text").focus({ preventScroll: true }));
  }

  help() {
    part("keys").showModal();
  }

  say(words) {
    part("said").textContent = words;
  }

  complain(words) {
    part("problem").textContent = words;
    part("problem").hidden = false;
  }

  saving(isBusy) {
    part("saved").textContent = isBusy ? "Saving…" : "Saved";
    part("saved").className = `pill ${isBusy ? "busy" : "good"}`;
  }

  /** Show what changed in the document as a whole. */
  update(work) {
    part("problem").hidden = true;
    part("undo").disabled = !work.canUndo;
    part("redo").disabled = !work.canRedo;
    part("finish").hidden = work.isDone;
    part("reopen").hidden = !work.isDone;
    part("text").classList.toggle("closed", work.isDone);
    part("state").textContent = work.state;
    part("state").className = `pill ${work.isDone ? "good" : "busy"}`;
    const counts = new Map();
    for (const { label } of work.marks) counts.set(label, (counts.get(label) ?? 0) + 1);
    for (const button of this.buttons) {
      button.querySelector(".count").textContent = counts.get(button.dataset.label) ?? "";
      button.disabled = work.isDone;
    }
  }

  /** Show the mark that is chosen, if any. */
  showMark(mark, work) {
    const at = mark ? work.marks.indexOf(mark) + 1 : 0;
    part("place").textContent = mark ? `${at} of ${work.marks.length}` : `${work.marks.length} marks`;
    for (const button of this.buttons) {
      button.setAttribute("aria-pressed", String(mark?.label === button.dataset.label));
    }
    if (!mark) {
      part("mark").replaceChildren(make("p", { className: "quiet small" }, "No mark is chosen."));
      return;
    }
    const text = work.text.slice(mark.start, mark.end);
    const words = text.length > 80 ? `${text.slice(0, 80)}…` : text;
    const colour = this.looks.get(mark.label)?.colour ?? 7;
    const head = make("div", { className: "words" },
      make("span", { className: `tag c${colour}` }, mark.label), make("q", { dir: "auto" }, words));
    const facts = make("dl", { className: "facts" },
      make("dt", {}, "By"), make("dd", {}, mark.source || "–"),
      make("dt", {}, "Score"), make("dd", { className: "number" }, mark.score === null ? "–" : mark.score.toFixed(3)));
    part("mark").replaceChildren(head, facts, ...(work.isDone ? [] : this.#markTools()));
  }

  /** Tell those who do not see the page where they are. */
  announce(mark, cursor) {
    const words = cursor.view.text.slice(cursor.start, cursor.end).slice(0, 200);
    part("said").textContent = mark ? `${mark.label}: ${words}` : words;
  }

  /** Tell what marking all same words did, and let it be undone whole. */
  tellApplied(applied, everywhere) {
    const where = everywhere ? ` in ${applied.documents} documents` : "";
    const left = applied.skipped ? `, ${applied.skipped} left alone: other marks are in the way` : "";
    const closed = applied.closed ? `, ${applied.closed} finished documents left alone` : "";
    const words = `${applied.places} marks changed${where}${left}${closed}.`;
    this.say(words);
    const parts = [make("p", { className: "small" }, words)];
    if (everywhere && applied.documents > 0) {
      const button = make("button", { type: "button" }, "Undo everywhere");
      button.addEventListener("click", async () => {
        button.disabled = true;
        const told = await this.page.work.undoBatch(applied.batch);
        if (told) this.say(`Undone in ${told.applied.documents} documents.`);
      });
      parts.push(button);
    }
    part("mark").append(...parts);
  }

  #markTools() {
    const { page } = this;
    const button = (words, action, name = "") => {
      const made = make("button", { type: "button" }, words);
      if (name) made.setAttribute("aria-label", name);
      made.addEventListener("click", () => this.#then(action));
      return made;
    };
    return [
      make("div", { className: "row", role: "group", ariaLabel: "Borders" },
        button("‹ start", () => page.moveMark("start", -1), "Move the beginning to the left"),
        button("start ›", () => page.moveMark("start", 1), "Move the beginning to the right"),
        button("‹ end", () => page.moveMark("end", -1), "Move the end to the left"),
        button("end ›", () => page.moveMark("end", 1), "Move the end to the right")),
      make("div", { className: "row", role: "group", ariaLabel: "Same words" },
        button("All same here", () => page.same(false)),
        button("In all documents", () => page.same(true)),
        button("Delete", () => page.remove())),
    ];
  }

  /** Do something for a button, and let the keys go on in the text. */
  #then(action) {
    part("text").focus({ preventScroll: true });
    return this.page.inOrder(action);
  }
}
