// Makes foreign text safe for a terminal: text of models, tools, files and other programs. Characters that would move the
// cursor, write to the clipboard, or change colours or the order of letters are shown as escapes, like `\u001b`.

// Control characters besides tab and line feed (C0, DEL, C1), characters that change the direction of text, separators
// that some terminals take for line ends, and invisible characters. Joiners and variation selectors stay, because
// languages and emoji need them.
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** A character as one or two JSON escapes, like `\u001b`. */
export function escapeCharacter(character: string): string {
  let escaped = '';
  for (let at = 0; at < character.length; at += 1) {
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

/**
 * A text without effects on a terminal other than being printed. Line feeds and tabs stay, Windows line ends become line
 * feeds, and all other unsafe characters are escaped.
 */
export function cleanText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, escapeCharacter);
}

/** A safe text for one cell of a table. Line feeds, tabs and unsafe characters become spaces. */
export function blankText(text: string): string {
  return text.replace(/[\t\n]/g, ' ').replace(UNSAFE, ' ');
}

/** JSON with its unsafe characters escaped. In a string an escape means the same character, so the value stays. */
export function cleanJson(json: string): string {
  return json.replace(UNSAFE, escapeCharacter);
}

/** Cleans a text that comes in pieces. The result is the same as for the whole text, wherever the text was cut. */
export class TextCleaner {
  #held = '';

  /** Cleans the next piece. A carriage return or half a surrogate pair at its end is held back for the next piece. */
  push(piece: string): string {
    const text = this.#held + piece;
    const last = text.charCodeAt(text.length - 1);
    const isCut = last === 0x0d || (last >= 0xd800 && last <= 0xdbff);
    this.#held = isCut ? text.slice(-1) : '';
    return cleanText(isCut ? text.slice(0, -1) : text);
  }

  /** The rest that was held back, cleaned. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return cleanText(rest);
  }
}
