// The value of a string literal, with its escapes resolved.
import type { Token } from './token.js';

const SINGLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};
const ESCAPE = /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[^]))/gi;

/** The text of a string, or of a template without `${…}`. Undefined for any other token. */
export function stringValue(token: Token | undefined): string | undefined {
  if (!token) return undefined;
  const { kind, text } = token;
  const isWhole =
    kind === 'string' ||
    (kind === 'template' && text.length > 1 && text.startsWith('`') && text.endsWith('`'));
  if (!isWhole) return undefined;
  const inner = text.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  return inner.replaceAll(ESCAPE, (whole, braced?: string, four?: string, two?: string, one = '') => {
    const code = Number.parseInt(braced ?? four ?? two ?? '', 16);
    if (!Number.isNaN(code)) return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    return /[\n\r\u2028\u2029]/.test(one) ? '' : (SINGLE[one] ?? one);
  });
}
