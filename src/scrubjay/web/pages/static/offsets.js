/**
 * Offsets between a browser and the server.
 *
 * JavaScript counts UTF-16 units, the server characters (Unicode code points). A character beyond
 * U+FFFF is two units and one character; everything else is one of each.
 */

/** Leads from units to characters of one text and back; both ways by binary search. */
export class Offsets {
  /** @param {string} text */
  constructor(text) {
    /** Units at which the characters of two units begin, ascending. */
    this.pairs = [];
    for (let unit = 0; unit < text.length; unit += 1) {
      if (isPair(text, unit)) {
        this.pairs.push(unit);
        unit += 1;
      }
    }
    this.units = text.length;
    this.characters = text.length - this.pairs.length;
  }

  /** Return the character offset of a unit; one inside a pair goes to the pair's beginning. */
  toCharacters(unit) {
    requireInside(unit, this.units);
    const before = countBelow(this.pairs, unit, (pair) => pair);
    const inside = before > 0 && this.pairs[before - 1] + 1 === unit;
    return inside ? unit - 1 - (before - 1) : unit - before;
  }

  /** Return the unit at which a character begins; the offset behind the last is the length. */
  toUnits(character) {
    requireInside(character, this.characters);
    // The n-th pair begins `n` characters earlier than its unit says.
    return character + countBelow(this.pairs, character, (pair, number) => pair - number);
  }
}

/** Tell whether a character of two units begins at this unit. */
export function isPair(text, unit) {
  const first = text.charCodeAt(unit);
  if (first < 0xd800 || first > 0xdbff) return false;
  const second = text.charCodeAt(unit + 1);
  return second >= 0xdc00 && second <= 0xdfff;
}

/** Return how many items have a key below the limit; the keys ascend. */
function countBelow(items, limit, key) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(items[middle], middle) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function requireInside(offset, length) {
  if (!Number.isInteger(offset) || offset < 0 || offset > length) {
    throw new RangeError(`offset ${offset} is not within 0 to ${length}`);
  }
}
