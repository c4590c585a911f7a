/** Keys of the page to adjudicate: go through the differences and take a side. */

const root = document.getElementById("differences");
let current = 0;

const cards = () => [...root.querySelectorAll(".difference")];

function go(number) {
  const found = cards();
  if (found.length === 0) return;
  current = Math.max(0, Math.min(found.length - 1, number));
  for (const card of found) card.classList.toggle("current", card === found[current]);
  found[current].focus({ preventScroll: true });
  found[current].scrollIntoView({ block: "nearest" });
}

const isShown = () => cards()[current]?.classList.contains("current") ?? false;

// The keys of the first that is open count at once; nothing is focused or scrolled for it.
const open = cards().findIndex((card) => !card.classList.contains("decided"));
if (open >= 0) {
  current = open;
  cards()[open].classList.add("current");
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("select, input, textarea, summary")) return;
  if (event.key === "j") return go(isShown() ? current + 1 : current);
  if (event.key === "k") return go(current - 1);
  const card = cards()[current];
  const button = card?.classList.contains("current") && card.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (button) button.click();
});

root.addEventListener("focusin", (event) => {
  const number = cards().indexOf(event.target.closest(".difference"));
  if (number >= 0) current = number;
  for (const card of cards()) card.classList.toggle("current", card === cards()[current]);
});

// Not after the swap: while it settles htmx gives elements of the same id their old classes.
document.body.addEventListener("htmx:afterSettle", () => {
  const next = cards().findIndex((card, number) => number >= current && !card.classList.contains("decided"));
  go(next < 0 ? current : next);
});
