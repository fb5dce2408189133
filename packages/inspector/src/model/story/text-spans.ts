// Reads the inline Markdown of a text as plain data: code, bold, italics, links. The views draw it as text, never as HTML.

/** A part of a text. A link's address is always http or https. */
export type TextSpan =
  | { type: 'text' | 'code' | 'strong' | 'emphasis'; text: string }
  | { type: 'link'; text: string; href: string };

/** A longer label or address does not count as a link. */
const MOST_LABEL = 500;
const MOST_ADDRESS = 2000;

const MARKS: readonly (readonly [string, 'code' | 'strong' | 'emphasis'])[] = [
  ['`', 'code'],
  ['**', 'strong'],
  ['*', 'emphasis'],
];

/** Reads a text of one or more lines in one pass. The partner of an unpaired mark is searched for only once. */
export function readSpans(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  const hopeless = new Set<string>();
  let plain = 0;
  let at = 0;
  const take = (end: number, span: TextSpan): void => {
    if (at > plain) spans.push({ type: 'text', text: text.slice(plain, at) });
    spans.push(span);
    at = end;
    plain = end;
  };
  while (at < text.length) {
    const found = readMark(text, at, hopeless) ?? readLink(text, at) ?? readAddress(text, at);
    if (found) take(found.end, found.span);
    else at += 1;
  }
  if (plain < text.length) spans.push({ type: 'text', text: text.slice(plain) });
  return spans;
}

/** The address if it is http or https and has no user name; otherwise undefined. Other addresses could run code. */
export function safeAddress(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address)) return undefined;
  try {
    const { protocol, href, username } = new URL(address);
    return (protocol === 'http:' || protocol === 'https:') && username === '' ? href : undefined;
  } catch {
    return undefined;
  }
}

interface Found {
  end: number;
  span: TextSpan;
}

function readMark(text: string, at: number, hopeless: Set<string>): Found | undefined {
  for (const [mark, type] of MARKS) {
    if (!text.startsWith(mark, at) || hopeless.has(mark)) continue;
    const start = at + mark.length;
    const end = text.indexOf(mark, start);
    if (end < 0) {
      hopeless.add(mark);
      continue;
    }
    const inside = text.slice(start, end);
    // In "2 * 3 * 4" the stars have spaces beside them and are not marks. No mark reaches over the end of a paragraph.
    const isMeant =
      inside !== '' && (type === 'code' || inside.trim() === inside) && !inside.includes('\n\n');
    if (isMeant) return { end: end + mark.length, span: { type, text: inside } };
  }
  return undefined;
}

function readLink(text: string, at: number): Found | undefined {
  if (text[at] !== '[') return undefined;
  const length = text.slice(at, at + MOST_LABEL).indexOf('](');
  const middle = at + length;
  const label = text.slice(at + 1, middle);
  if (length < 2 || label.includes('[')) return undefined;
  const address = text.slice(middle + 2, middle + MOST_ADDRESS);
  const end = address.indexOf(')');
  const href = end < 0 ? undefined : safeAddress(address.slice(0, end));
  return href === undefined
    ? undefined
    : { end: middle + 2 + end + 1, span: { type: 'link', text: label, href } };
}

function readAddress(text: string, at: number): Found | undefined {
  if (text[at] !== 'h' || (at > 0 && /\w/.test(text[at - 1] as string))) return undefined;
  if (!text.startsWith('https://', at) && !text.startsWith('http://', at)) return undefined;
  let end = at;
  while (end < text.length && !/[\s<>"'`|]/.test(text[end] as string)) end += 1;
  // Punctuation at the end belongs to the sentence, not to the address.
  while (end > at && /[.,;:!?)\]*]/.test(text[end - 1] as string)) end -= 1;
  const address = text.slice(at, end);
  const href = safeAddress(address);
  return href === undefined ? undefined : { end, span: { type: 'link', text: address, href } };
}
