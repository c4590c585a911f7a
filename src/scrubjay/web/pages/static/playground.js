/** The playground: sends a note to this machine, and shows what was found, why, and the output. */

import { Offsets } from "./offsets.js";
import { TextView } from "./textview.js";
import { make } from "./elements.js";
import { send } from "./send.js";

const data = JSON.parse(document.getElementById("data").textContent);
const part = (id) => document.getElementById(id);
const input = part("input");
const state = { spans: [], reasons: [], current: -1, pinned: false, hidden: new Set(), asked: 0 };
let note = null;
let output = null;

part("run").addEventListener("click", run);
part("edit").addEventListener("click", edit);
part("copy").addEventListener("click", copy);
part("settings").addEventListener("submit", (event) => event.preventDefault());
part("model").addEventListener("change", showSettings);
for (const id of ["model", "policy", "dial", "least"]) {
  part(id).addEventListener("change", () => (showsResult() ? run() : undefined));
}
part("dial").addEventListener("input", showSettings);
part("least").addEventListener("input", showSettings);
part("example").addEventListener("change", chooseExample);
input.addEventListener("input", showCount);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    run();
  }
});
for (const id of ["marked", "output"]) {
  const root = part(id);
  root.addEventListener("pointerover", (event) => point(id, event.target, false));
  root.addEventListener("click", (event) => point(id, event.target, true));
  root.addEventListener("keydown", walk);
}
showSettings();
showCount();

function showsResult() {
  return !part("marked").hidden;
}

function showSettings() {
  const chosen = data.models.find((model) => model.name === part("model").value);
  part("dial").disabled = !chosen.dial;
  if (!chosen.dial) part("dial").value = "0";
  const dial = Number(part("dial").value);
  part("dial-value").value = dial > 0 ? `+${dial}` : String(dial);
  part("least-value").value = Number(part("least").value).toFixed(2);
}

function showCount() {
  const { characters } = new Offsets(input.value);
  part("count").textContent = `${characters.toLocaleString("en")} characters`;
}

function chooseExample() {
  const example = data.examples[Number(part("example").value)];
  if (part("example").value === "" || !example) return;
  const fitting = data.models.find((model) => model.language === example.language);
  const chosen = data.models.find((model) => model.name === part("model").value);
  if (fitting && chosen.language !== example.language) part("model").value = fitting.name;
  showSettings();
  input.value = example.text;
  showCount();
  run();
}

function edit() {
  part("marked").hidden = true;
  part("edit").hidden = true;
  input.hidden = false;
  input.focus();
}

async function run() {
  const text = input.value;
  if (text.trim() === "") return complain("There is no note yet: paste one, or choose an example.");
  const number = (state.asked += 1);
  part("run").setAttribute("aria-busy", "true");
  try {
    const answer = await send("/playground/run", {
      text,
      model: part("model").value,
      policy: part("policy").value,
      dial: Number(part("dial").value),
      min_score: Number(part("least").value),
    });
    if (number === state.asked) show(text, answer); // an older answer may come late
  } catch (error) {
    if (number === state.asked) complain(error.message);
  } finally {
    part("run").removeAttribute("aria-busy");
  }
}

function complain(message) {
  part("problem").textContent = message;
  part("problem").hidden = false;
}

function show(text, answer) {
  part("problem").hidden = true;
  const labels = data.models.find((model) => model.name === part("model").value).labels;
  const looks = new Map(labels.map((look) => [look.name, look]));
  const offsets = new Offsets(text);
  const fresh = new Offsets(answer.output);
  state.spans = answer.spans.map(([start, end, label, score, source], number) => ({
    start: offsets.toUnits(start), end: offsets.toUnits(end), label, score, source, number,
    characters: [start, end],
  }));
  state.reasons = answer.reasons;
  state.current = -1;
  state.pinned = false;
  const places = answer.places.map(([start, end], number) => ({
    start: fresh.toUnits(start), end: fresh.toUnits(end), label: state.spans[number].label, number,
  }));
  const dress = (mark, span) => dressMark(mark, span, looks.get(span.label));
  note = new TextView(part("marked"), text, dress);
  note.show(state.spans);
  output = new TextView(part("output"), answer.output, (mark, span) => {
    dress(mark, span);
    mark.dataset.label = "";
  });
  output.show(places.filter((place) => place.start < place.end));
  input.hidden = true;
  part("marked").hidden = false;
  part("edit").hidden = false;
  part("copy").disabled = false;
  part("speed").textContent = `${answer.milliseconds} ms`;
  part("policy-note").textContent = `Policy ${part("policy").value}`;
  showLegend(answer.counts, looks);
  showDetail(null);
  hideLabels();
  part("status").textContent = `${state.spans.length} spans found`;
}

function dressMark(mark, span, look) {
  mark.className = `c${look?.colour ?? 7}`;
  mark.dataset.label = span.label;
  mark.dataset.number = String(span.number);
}

function showLegend(counts, looks) {
  const names = Object.keys(counts).sort((one, other) => counts[other] - counts[one]);
  const rows = names.map((name) => {
    const box = make("input", { type: "checkbox", checked: !state.hidden.has(name) });
    box.addEventListener("change", () => {
      if (box.checked) state.hidden.delete(name);
      else state.hidden.add(name);
      hideLabels();
    });
    const tag = make("span", { className: `tag c${looks.get(name)?.colour ?? 7}` }, name);
    tag.title = looks.get(name)?.description ?? "";
    return make("li", {}, make("label", {}, box, tag), make("span", { className: "number" }, String(counts[name])));
  });
  if (rows.length === 0) rows.push(make("li", { className: "none" }, "Nothing was found."));
  part("legend").replaceChildren(...rows);
}

function hideLabels() {
  for (const mark of document.querySelectorAll(".sheet mark")) {
    const span = state.spans[Number(mark.dataset.number)];
    mark.classList.toggle("dimmed", state.hidden.has(span.label));
  }
}

function point(id, target, pin) {
  const view = id === "marked" ? note : output;
  const span = view?.spanOf(target);
  if (pin) state.pinned = Boolean(span);
  else if (state.pinned || !span) return;
  choose(span ? span.number : -1, id === "marked" ? null : "marked");
}

/** Go through the marks with the arrow keys. */
function walk(event) {
  const steps = { ArrowRight: 1, ArrowLeft: -1 };
  if (!(event.key in steps) || event.ctrlKey || event.altKey || event.shiftKey) {
    if (event.key === "Escape") choose(-1);
    return;
  }
  if (state.spans.length === 0) return;
  event.preventDefault();
  const next = state.current < 0 && steps[event.key] < 0 ? state.spans.length - 1 : state.current + steps[event.key];
  state.pinned = true;
  choose((next + state.spans.length) % state.spans.length, "marked", "output");
}

function choose(number, ...reveal) {
  if (number !== state.current) {
    for (const mark of document.querySelectorAll("mark.current")) mark.classList.remove("current");
    for (const mark of document.querySelectorAll(`mark[data-number="${number}"]`)) mark.classList.add("current");
    state.current = number;
    showDetail(number < 0 ? null : state.spans[number]);
  }
  for (const id of reveal) {
    const view = id === "marked" ? note : id === "output" ? output : null;
    const span = view?.spans.find((each) => each.number === number);
    if (span) view.reveal(span.start, span.end);
  }
}

function showDetail(span) {
  if (span === null) {
    const hint = make("p", { className: "quiet small" }, "Point at a mark, click it, or go through the marks with ", make("kbd", {}, "←"), " and ", make("kbd", {}, "→"), ".");
    return part("detail").replaceChildren(hint);
  }
  const mark = document.querySelector(`#marked mark[data-number="${span.number}"]`);
  const tag = make("span", { className: `tag ${[...mark.classList].find((name) => /^c\d$/.test(name))}` }, span.label);
  const words = note.text.slice(span.start, span.end);
  const quoted = make("q", { dir: "auto" }, words.length > 80 ? `${words.slice(0, 80)}…` : words);
  const facts = make("dl", { className: "facts" },
    make("dt", {}, "Score"), make("dd", { className: "number" }, span.score === null ? "none: a rule found it" : span.score.toFixed(4)),
    make("dt", {}, "Source"), make("dd", {}, span.source || "–"),
    make("dt", {}, "Characters"), make("dd", { className: "number" }, `${span.characters[0]} to ${span.characters[1]}`));
  const reason = state.reasons?.[span.number];
  const voices = reason ? reason.voices.map((voice) => showVoice(voice, span)) : [];
  const more = [];
  if (reason?.sentence) more.push(make("p", {}, reason.sentence));
  if (!reason) more.push(make("p", { className: "quiet small" }, "Reasons are told for notes of up to 50,000 characters."));
  part("detail").replaceChildren(make("h3", {}, tag, quoted), facts, ...more, ...voices);
}

function showVoice(voice, span) {
  const parts = [make("strong", {}, voice.member)];
  if (voice.spans.length === 0) parts.push(make("span", { className: "quiet" }, "does not propose it"));
  for (const [start, end, label, score] of voice.spans) {
    const same = start === span.characters[0] && end === span.characters[1];
    const borders = same ? "" : `, characters ${start} to ${end}`;
    const value = score === null ? "" : `, ${score.toFixed(3)}`;
    parts.push(make("span", {}, `proposes ${label}${value}${borders}`));
  }
  const rules = voice.rules.map((rule) => make("li", {}, make("code", { dir: "auto" }, rule)));
  if (rules.length > 0) parts.push(make("ul", {}, ...rules));
  for (const [label, share] of voice.labels) {
    const meter = make("meter", { min: 0, max: 1, value: share });
    meter.setAttribute("aria-label", `Probability of ${label}`);
    parts.push(make("div", { className: "share" }, make("span", {}, label), meter, make("span", { className: "number" }, share.toFixed(3))));
  }
  return make("div", { className: "voice" }, ...parts);
}

async function copy() {
  await navigator.clipboard.writeText(output.text);
  part("status").textContent = "The output was copied";
  part("copy").textContent = "Copied";
  setTimeout(() => (part("copy").textContent = "Copy"), 1500);
}
