/**
 * Selections by mouse, finger or the browser's own keys, by the library text-annotator.
 *
 * The library knows the gestures of many devices; it keeps no annotations here and draws nothing:
 * its renderer is a stub, since its own ones write styles that the security policy refuses, or
 * lay boxes over the whole text. Offsets are asked relative to a line, so that a selection at the
 * end of a long note costs no more than one at its beginning.
 */

const LONGEST = 5000;

const stub = () => ({
  destroy() {},
  on: () => () => {},
  redraw() {},
  setStyle() {},
  setFilter() {},
  setVisible() {},
});

/**
 * Call back with start and end (UTF-16 units) whenever something was selected.
 * @param {import("./textview.js").TextView} view
 * @param {(start: number, end: number) => void} selected
 */
export function watchSelections(view, selected) {
  const annotator = RecogitoJS.createTextAnnotator(view.root, {
    renderer: stub,
    offsetReferenceSelector: ".line",
    userSelectAction: "SELECT",
  });
  annotator.on("selectionChanged", (annotations) => {
    if (annotations.length === 0) return;
    const borders = ofBrowser(view) ?? ofLibrary(view, annotations);
    setTimeout(() => annotator.clearAnnotations());
    if (borders === null) return;
    const [start, end] = borders;
    if (start < end && end - start <= LONGEST) selected(start, end);
  });
  return annotator;
}

/** Return what the browser has selected: the library looks a moment late, and may miss the end. */
function ofBrowser(view) {
  const selection = getSelection();
  if (selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const start = view.offsetOf(range.startContainer, range.startOffset);
  const end = view.offsetOf(range.endContainer, range.endOffset);
  return start === null || end === null ? null : [start, end];
}

/** Return what the library saw, where the selection is gone already. */
function ofLibrary(view, annotations) {
  const parts = annotations.flatMap((each) => each.target.selector);
  const offsets = parts.flatMap((part) => {
    const line = view.starts[Number(part.offsetReference?.dataset.line)];
    return line === undefined ? [] : [line + part.start, line + part.end];
  });
  if (offsets.length === 0) return null;
  return [Math.min(...offsets), Math.min(Math.max(...offsets), view.text.length)];
}
