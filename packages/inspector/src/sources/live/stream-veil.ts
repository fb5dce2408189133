// Removes secrets from streamed blocks. A secret may come in many pieces, and the text that marks a value as secret may come
// before or after it. So text that ends inside a word is held, and a line that may contain a secret is held to its end. Pages
// get text a little later, but never half a key.
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { REDACTED } from '@inboard/core/record/trace/trace-event.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { JoinedPieces } from '../../stream/inspector-event.js';

/** The longest word that is held, in a line without signs of a secret. */
const LONGEST_WORD = 4096;
/** How many characters that were already shown are checked again with new text, because a private key has many lines. */
const MOST_CONTEXT = 32 * 1024;
/** In `{ "value": "…", "name": "API_KEY" }`, only the text after the value shows that it is a secret. */
const VALUE_FIRST = /"(?:parameter)?val(?:ues?)?"/i;

interface Block {
  /** The facts of the last piece. */
  pieces: JoinedPieces;
  /** The number of pieces since the last emitted event. */
  count: number;
  /** The emitted text that is checked again together with new text. `context` is as it came, `shown` as pages got it. */
  context: string;
  shown: string;
  /** The text that is held. */
  held: string;
}

/** The veil of one session. */
export class StreamVeil {
  readonly #redactor: Redactor;
  readonly #emit: (pieces: JoinedPieces) => void;
  readonly #blocks = new Map<string, Block>();

  constructor(redactor: Redactor, emit: (pieces: JoinedPieces) => void) {
    this.#redactor = redactor;
    this.#emit = emit;
  }

  /** Takes more text of a block, and emits the part that can be shown. */
  add(pieces: JoinedPieces): void {
    const { parent, kind, index, text, count } = pieces;
    const key = `${kind} ${index} ${parent}`;
    let block = this.#blocks.get(key);
    if (!block) this.#blocks.set(key, (block = { pieces, count: 0, context: '', shown: '', held: '' }));
    block.pieces = pieces;
    block.count += count;
    block.held += text;
    this.#show(block, this.#findEnd(block), false);
  }

  /** Ends the blocks of a subagent, of the main conversation (null), or all (undefined), and emits the held text. */
  end(parent?: string | null): void {
    for (const [key, block] of this.#blocks) {
      if (parent !== undefined && block.pieces.parent !== parent) continue;
      this.#blocks.delete(key);
      this.#show(block, block.held.length, true);
    }
  }

  /** How much of the held text can be shown. */
  #findEnd(block: Block): number {
    const { context, held, pieces } = block;
    // An input counts as one line, even if its JSON has line breaks.
    const lastFeed = pieces.kind === 'input' ? -1 : held.lastIndexOf('\n');
    const before = pieces.kind === 'input' ? context : lastLineOf(context);
    const line = lastFeed < 0 ? before + held : held.slice(lastFeed + 1);
    if (this.#isDoubtful(block, line)) return lastFeed + 1;
    const least = Math.max(0, held.length - LONGEST_WORD);
    let end = held.length;
    while (end > least && !/\s/.test(held.charAt(end - 1))) end -= 1;
    return end;
  }

  #isDoubtful({ pieces: { kind } }: Block, text: string): boolean {
    return !this.#redactor.isClean(text) || (kind === 'input' && VALUE_FIRST.test(text));
  }

  #show(block: Block, end: number, isLast: boolean): void {
    if (end === 0) return;
    const whole = block.context + block.held.slice(0, end);
    block.held = block.held.slice(end);
    const isDoubtful = this.#isDoubtful(block, whole);
    const isInput = block.pieces.kind === 'input';
    const shown =
      isInput && isLast
        ? this.#hideInput(block, whole)
        : isDoubtful
          ? this.#redactor.redactText(whole)
          : whole;
    // New text may show that earlier text was a secret. Then the text from there on is emitted again, redacted.
    const text = shown.slice(lengthInCommon(block.shown, shown));
    // If the end is hidden, it may be a key whose further lines are still to come.
    const isOpen = isInput || shown.trimEnd().endsWith(REDACTED);
    const isWhole = isOpen || (isDoubtful && whole.length <= MOST_CONTEXT);
    block.context = isWhole ? whole : lastLineOf(whole).slice(-MOST_CONTEXT);
    block.shown = isWhole ? shown : lastLineOf(shown).slice(-MOST_CONTEXT);
    if (text === '') return;
    this.#emit({ ...block.pieces, text, count: block.count });
    block.count = 0;
  }

  #hideInput({ shown }: Block, whole: string): string {
    const input = parse(whole);
    // An incomplete input, as after an interrupt, cannot be checked by its fields, so the rest is hidden.
    if (!isRecord(input)) return `${shown}${REDACTED}`;
    const clean = this.#redactor.redactValue(input);
    return clean === input ? whole : (stringifyDeep(clean) as string);
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function lastLineOf(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

function lengthInCommon(one: string, other: string): number {
  if (other.startsWith(one)) return one.length;
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
