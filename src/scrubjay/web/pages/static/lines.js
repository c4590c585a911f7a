/**
 * A text cut into lines, and lines into words. Offsets are UTF-16 units of the whole text.
 */

/** Lines longer than this are broken at a space, so that no line takes a browser long to lay out. */
export const LONGEST_LINE = 2000;

const LINE_END = /\r\n|\n|\r/g;
const WORD = /[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu;

/**
 * Return where lines begin, ascending, first 0; line ends belong to the line before them.
 * @param {string} text
 */
export function lineStarts(text) {
  const starts = [0];
  LINE_END.lastIndex = 0;
  let found;
  while ((found = LINE_END.exec(text)) !== null) {
    breakLong(text, starts, LINE_END.lastIndex);
    if (LINE_END.lastIndex < text.length) starts.push(LINE_END.lastIndex);
  }
  breakLong(text, starts, text.length);
  return starts;
}

/** Add breaks until the line that began last and ends at `end` is short enough. */
function breakLong(text, starts, end) {
  let begin = starts[starts.length - 1];
  while (end - begin > LONGEST_LINE) {
    const space = text.lastIndexOf(" ", begin + LONGEST_LINE - 1);
    let next = space > begin ? space + 1 : begin + LONGEST_LINE;
    const unit = text.charCodeAt(next);
    if (unit >= 0xdc00 && unit <= 0xdfff) next -= 1; // never inside a pair
    starts.push(next);
    begin = next;
  }
}

/** Return the number of the line that holds a unit. */
export function lineAt(starts, unit) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= unit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Words of a text: runs of letters and digits, and every other character that is no space. */
export class Words {
  constructor(text, starts) {
    this.text = text;
    this.starts = starts;
    this.known = new Map();
  }

  /** Return the words of a line as [start, end) pairs. */
  ofLine(number) {
    let words = this.known.get(number);
    if (words === undefined) {
      const begin = this.starts[number];
      const end = this.starts[number + 1] ?? this.text.length;
      words = Array.from(this.text.slice(begin, end).matchAll(WORD), (match) => [
        begin + match.index,
        begin + match.index + match[0].length,
      ]);
      this.known.set(number, words);
    }
    return words;
  }

  /** Return the first word that ends behind a unit, or null where there is none. */
  after(unit) {
    for (let line = lineAt(this.starts, unit); line < this.starts.length; line += 1) {
      const found = this.ofLine(line).find(([, end]) => end > unit);
      if (found) return found;
    }
    return null;
  }

  /** Return the last word that begins before a unit, or null where there is none. */
  before(unit) {
    for (let line = lineAt(this.starts, unit); line >= 0; line -= 1) {
      const found = this.ofLine(line).findLast(([start]) => start < unit);
      if (found) return found;
    }
    return null;
  }

  /** Return the word of the nearest line above (-1) or below (1) that has one, nearest in column. */
  beside(unit, direction) {
    const line = lineAt(this.starts, unit);
    const column = unit - this.starts[line];
    for (let next = line + direction; next >= 0 && next < this.starts.length; next += direction) {
      const words = this.ofLine(next);
      if (words.length === 0) continue;
      const wanted = this.starts[next] + column;
      return words.find(([, end]) => end > wanted) ?? words[words.length - 1];
    }
    return null;
  }
}

/** Return the offsets without white space at their ends, or null where nothing else is between. */
export function trim(text, start, end) {
  const part = text.slice(start, end);
  const begin = start + part.length - part.trimStart().length;
  const stop = end - (part.length - part.trimEnd().length);
  return begin < stop ? [begin, stop] : null;
}
