// Text with colours that we choose. Escape sequences are removed from all foreign text, also inside a styled text, so that
// foreign text cannot look like ours.
import { styleText } from 'node:util';
import { cleanText } from '@inboard/core/util/terminal-text.js';

/** A format of `util.styleText`, or several. */
export type Style = Parameters<typeof styleText>[0];

/** Text for a terminal. A string counts as foreign, and is cleaned of escape sequences. */
export type TerminalText = string | StyledText;

/**
 * Text that has been cleaned, with colours if the stream takes them. In an ordinary template literal it loses only its
 * colours.
 */
export class StyledText {
  readonly #plain: string;
  readonly #coloured: string;

  private constructor(plain: string, coloured: string) {
    this.#plain = plain;
    this.#coloured = coloured;
  }

  static of(style: Style | undefined, text: TerminalText): StyledText {
    const plain = typeof text === 'string' ? cleanText(text) : text.#plain;
    const inner = renderText(text);
    return new StyledText(plain, style === undefined ? inner : paint(style, inner));
  }

  /** Several texts, one after the other. */
  static join(parts: readonly TerminalText[]): StyledText {
    const texts = parts.map((part) => StyledText.of(undefined, part));
    return new StyledText(
      texts.map((text) => text.#plain).join(''),
      texts.map((text) => text.#coloured).join(''),
    );
  }

  /** The text as it is written to the stream. */
  render(): string {
    return this.#coloured;
  }

  /** The text without its colours. */
  toString(): string {
    return this.#plain;
  }
}

/** A text as it is written to a stream. */
export function renderText(text: TerminalText): string {
  return typeof text === 'string' ? cleanText(text) : text.render();
}

/** A template that keeps the colours of styled parts: styled`${bold} and ${foreign}`. */
export function styled(
  words: TemplateStringsArray,
  ...parts: readonly (TerminalText | number)[]
): StyledText {
  const all = words.flatMap((word, index) => [word, ...parts.slice(index, index + 1).map(asText)]);
  return StyledText.join(all);
}

function asText(part: TerminalText | number): TerminalText {
  return typeof part === 'number' ? String(part) : part;
}

// `styleText` must not look at the streams of this process, because `createStyler` has already decided about colours.
const PLAIN = { validateStream: false };

function paint(style: Style, text: string): string {
  return (styleText as (style: Style, text: string, options: object) => string)(style, text, PLAIN);
}
