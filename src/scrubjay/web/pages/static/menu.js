/** The menu of labels beside a selection: by mouse, by arrow keys, or by a label's own key. */

import { make } from "./elements.js";

export class LabelMenu {
  /**
   * @param {HTMLElement} root an empty element with the attribute `popover`
   * @param {object[]} looks labels with name, colour, key and description
   * @param {(label: string) => void} chosen
   */
  constructor(root, looks, chosen) {
    this.root = root;
    this.chosen = chosen;
    this.back = null;
    this.items = looks.map((look) => this.#makeItem(look));
    root.replaceChildren(...this.items);
    root.setAttribute("role", "menu");
    root.setAttribute("aria-label", "Labels");
    root.addEventListener("keydown", (event) => this.#press(event));
    this.byKey = new Map(looks.map((look, number) => [look.key, this.items[number]]));
  }

  get isOpen() {
    return this.root.matches(":popover-open");
  }

  /** Open beside a box on the screen; the focus goes back to `back` when it closes. */
  open(box, back, current) {
    this.back = back;
    if (!this.isOpen) this.root.showPopover();
    const own = this.root.getBoundingClientRect();
    const below = box.bottom + 6 + own.height < innerHeight || box.top < own.height;
    const top = below ? box.bottom + 6 : box.top - own.height - 6;
    const left = Math.min(Math.max(8, box.left), innerWidth - own.width - 8);
    this.root.style.top = `${Math.max(8, Math.min(top, innerHeight - own.height - 8))}px`;
    this.root.style.left = `${Math.max(8, left)}px`;
    const item = this.items.find((each) => each.dataset.label === current) ?? this.items[0];
    item.focus({ preventScroll: false });
  }

  /** Close, where it is open. */
  close() {
    if (!this.isOpen) return;
    this.root.hidePopover();
    this.back?.focus({ preventScroll: true });
  }

  #makeItem(look) {
    const item = make("button", { type: "button", className: `c${look.colour}`, tabIndex: -1 },
      make("span", { className: `tag c${look.colour}` }, look.name),
      make("kbd", {}, look.key));
    item.dataset.label = look.name;
    item.title = look.description;
    item.setAttribute("role", "menuitem");
    item.addEventListener("click", () => this.#choose(look.name));
    return item;
  }

  #choose(label) {
    this.close();
    this.chosen(label);
  }

  #press(event) {
    const at = this.items.indexOf(document.activeElement);
    const columns = getComputedStyle(this.root).gridTemplateColumns.split(" ").length;
    const steps = { ArrowDown: columns, ArrowUp: -columns, ArrowRight: 1, ArrowLeft: -1 };
    if (event.key in steps) {
      const next = at + steps[event.key];
      this.items[Math.max(0, Math.min(this.items.length - 1, next))].focus();
    } else if (event.key === "Home") this.items[0].focus();
    else if (event.key === "End") this.items.at(-1).focus();
    else if (event.key === "Escape" || event.key === "Tab") this.close();
    else if (!event.ctrlKey && !event.metaKey && !event.altKey && this.byKey.has(event.key)) {
      this.#choose(this.byKey.get(event.key).dataset.label);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
