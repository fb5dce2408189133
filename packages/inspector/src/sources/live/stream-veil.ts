// Takes secrets out of streamed blocks. A secret may come in many pieces, and what makes a value one may come before it or
// after it: so what ends in the middle of a word waits, and a line that may hold a secret waits for its end. A page reads a
// little later, and never half a key.
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { REDACTED } from '@inboard/core/record/trace/trace-event.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { JoinedPieces } from '../../stream/inspector-event.js';

/** The longest word that is waited for, in a line that gives no reason for doubt. */
const LONGEST_WORD = 4096;
/** What was shown is looked at again with what follows, up to so many characters: a private key has many lines. */
const MOST_CONTEXT = 32 * 1024;
/** `{ "value": "…", "name": "API_KEY" }`: only what follows says that the value is a secret. */
const VALUE_FIRST = /"(?:parameter)?val(?:ues?)?"/i;

interface Block {
  /** The last of its pieces, without its text. */
  pieces: JoinedPieces;
  /** Pieces of which nothing was told yet. */
  count: number;
  /** What was told, as it came and as it was shown, as far as it may matter to what follows. */
  context: string;
  shown: string;
  /** What waits. */
  held: string;
}

/** One per session. */
export class StreamVeil {
  readonly #redactor: Redactor;
  readonly #emit: (pieces: JoinedPieces) => void;
  readonly #blocks = new Map<string, Block>();

  constructor(redactor: Redactor, emit: (pieces: JoinedPieces) => void) {
    this.#redactor = redactor;
    this.#emit = emit;
  }

  /** More of a block; what can be shown of it is emitted. */
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

  /** The blocks of a subagent, or of the session itself for null, are over: whatever waits is whole. Undefined for all. */
  end(parent?: string | null): void {
    for (const [key, block] of this.#blocks) {
      if (parent !== undefined && block.pieces.parent !== parent) continue;
      this.#blocks.delete(key);
      this.#show(block, block.held.length, true);
    }
  }

  /** How much of what waits can be shown. */
  #findEnd(block: Block): number {
    const { context, held, pieces } = block;
    // An input is one line to its end, however it is laid out.
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
    // What follows may make a secret of what was shown before: from there on it is told anew, hidden.
    const text = shown.slice(lengthInCommon(block.shown, shown));
    // A hidden end may be that of a key whose lines still come.
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
    // Half of one, as after an interrupt, does not tell what stands where.
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
