// Finding a string field in raw transcript text without parsing it: lines may be cut at either end, and one line can be
// larger than all that was read of the file.

/** The first value of a field, at any depth; fields written without a space after the colon are searched first. */
export function findFirstString(text: string, field: string): string | undefined {
  for (const pattern of [`"${field}":"`, `"${field}": "`]) {
    for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + pattern.length)) {
      const value = readString(text, at + pattern.length);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** The last value of a field, at any depth. */
export function findLastString(text: string, field: string): string | undefined {
  let end = text.length;
  for (;;) {
    const tight = text.lastIndexOf(`"${field}":"`, end);
    const spaced = text.lastIndexOf(`"${field}": "`, end);
    const at = Math.max(tight, spaced);
    if (at === -1) return undefined;
    const value = readString(text, at + field.length + (at === tight ? 4 : 5));
    if (value !== undefined) return value;
    if (at === 0) return undefined;
    end = at - 1;
  }
}

/** Whether a field is true somewhere in the text. */
export function hasTrue(text: string, field: string): boolean {
  return text.includes(`"${field}":true`) || text.includes(`"${field}": true`);
}

/** Whether an object of a type is somewhere in the text. */
export function hasType(text: string, type: string): boolean {
  return text.includes(`"type":"${type}"`) || text.includes(`"type": "${type}"`);
}

// The string that begins here, or undefined when the text ends inside it.
function readString(text: string, start: number): string | undefined {
  let end = start;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) return undefined;
  const raw = text.slice(start, end);
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
