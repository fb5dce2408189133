// Text that acts on a terminal, or breaks out of a diagram, and the check that none of it gets through.
import * as fc from 'fast-check';
import { expect } from 'vitest';

/** Pieces, each of which does something to a terminal or to Mermaid. */
const HOSTILE_PIECES = [
  '\u001b]52;c;cm0gLXJm\u0007', // the clipboard
  '\u001b]0;title\u0007',
  '\u001b[2J\u001b[H', // clears the screen
  '\u001b[8mhidden\u001b[0m',
  '\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\',
  '\u001bP+q\u001b\\',
  '\u009b2J',
  '\u009d0;title\u009c',
  '\u0085',
  '\rover',
  'x\b\b\b',
  '\u007f\u0000\u0007',
  '\u202etxt.exe\u202c',
  '\u2066\u2069\u200e\u200f\u061c',
  '\u2028\u2029\u200b\ufeff',
  '\u{e0041}\u{e007f}',
  '\u0090\u009f',
  '; %% end\nend\n  participant X\n',
  '\ud83d',
];

/** All of them. */
export const HOSTILE_TEXT = `a${HOSTILE_PIECES.join('b')}c`;

/** Texts made of them, of plain ones and of single control characters. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...HOSTILE_PIECES),
      fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));

const ACTING =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

/** Fails for any character that a terminal acts on, besides line feeds, tabs and the colours of our own. */
export function expectTame(output: string, { hasColours = false }: { hasColours?: boolean } = {}): void {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  const text = hasColours ? output.replace(/\u001b\[(?:0|1|2|22|3\d|39|9\d)m/g, '') : output;
  const found = ACTING.exec(text);
  expect(
    found && {
      at: found.index,
      around: JSON.stringify(text.slice(Math.max(0, found.index - 30), found.index + 30)),
    },
  ).toBeNull();
}
