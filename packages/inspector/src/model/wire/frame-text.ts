// Finds the text of the frame in the line of an event, exactly as the line has it. Decoding and encoding the frame again could
// change how numbers are written, and copies must be exact.

/** The text of one field of a JSON object, unchanged; undefined if there is no such field, or no object. */
export function fieldText(json: string, field: string): string | undefined {
  let at = skipSpace(json, 0);
  if (json[at] !== '{') return undefined;
  at = skipSpace(json, at + 1);
  while (json[at] === '"') {
    const nameEnd = skipString(json, at);
    const name = json.slice(at + 1, nameEnd - 1);
    const from = skipSpace(json, skipSpace(json, nameEnd) + 1);
    const to = skipValue(json, from);
    if (name === field) return json.slice(from, to).trimEnd();
    at = skipSpace(json, to);
    if (json[at] !== ',') return undefined;
    at = skipSpace(json, at + 1);
  }
  return undefined;
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (json[at] === ' ' || json[at] === '\t' || json[at] === '\n' || json[at] === '\r') at += 1;
  return at;
}

/** The index after the string that begins at `from`. */
function skipString(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

/** The index of the comma or bracket after the value that begins at `from`. */
function skipValue(json: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const character = json[at];
    if (character === '"') {
      at = skipString(json, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      depth -= 1;
    } else if (character === ',' && depth === 0) return at;
    at += 1;
  }
  return at;
}
