"use strict";
if (window.innerWidth < 640) {
  for (const box of document.querySelectorAll("nav details")) box.open = false;
}
for (const section of document.querySelectorAll(".examples")) {
  const form = section.querySelector("form");
  if (!form) continue;
  const items = Array.from(section.querySelectorAll("ol > li"));
  const shown = form.querySelector(".shown");
  const chosen = (name) => new Set(
    Array.from(form.querySelectorAll(`input[name="${name}"]:checked`), (box) => box.value)
  );
  const update = () => {
    const kinds = chosen("kind");
    const labels = chosen("label");
    let count = 0;
    for (const item of items) {
      const { kind, gold, predicted } = item.dataset;
      const unlabelled = !gold && !predicted;
      const seen = kinds.has(kind) && (unlabelled || labels.has(gold) || labels.has(predicted));
      item.hidden = !seen;
      if (seen) count += 1;
    }
    shown.textContent = `${count} of ${items.length} shown`;
  };
  form.hidden = false;
  form.addEventListener("change", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of form.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      for (const box of form.querySelectorAll('input[name="label"]')) {
        box.checked = button.value === "all";
      }
      update();
    });
  }
  update();
}
