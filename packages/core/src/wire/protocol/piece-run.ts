// Recognizes the pieces of a streamed answer, which are most of what a CLI sends, by their bytes. The pieces of one block
// differ only in two strings: the text and the uuid. A piece is decoded on demand: the two strings are put into a copy of
// a sample piece. That takes a third less time than `JSON.parse`, and a piece that nobody reads takes almost none.
import { isRecord } from '../../util/guards.js';
import type { WireObject } from './codec.js';

const PREFIX = '{"type":"stream_event","event":{"type":"content_block_delta",';
/** Matches the beginning of a piece, up to its text, and captures the name of the field with the text. */
const HEAD =
  /^\{"type":"stream_event","event":\{"type":"content_block_delta","index":\d+,"delta":\{"type":"\w+","([a-z]\w*)":(?=")/;
/** Matches the rest of a piece, after its text: the uuid, and fields that are the same in every piece of a block. */
const REST =
  /^(\}\},(?:"\w+":(?:null|true|false|\d+|"[\w .:/@+-]*"),)*"uuid":")([\w-]+)("(?:,"\w+":(?:null|true|false|\d+|"[\w .:/@+-]*"))*\})$/;
/** Pieces are usually a few words long. A longer one is not used as a sample, because samples are decoded twice. */
const MAX_SAMPLE_LENGTH = 64 * 1024;
/** The most pieces that pass before the next sample is taken, if no line matched the last samples. */
const MAX_PAUSE = 63;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** In bytes. `JSON.parse` would be slower for a text up to this length. */
const SHORT = 256;

/** The parts that all pieces of a run have in common. */
interface Template {
  /** The bytes up to the text. */
  head: Words;
  /** The bytes from the text to the uuid. */
  middle: Words;
  /** The number of bytes of the uuid. */
  uuidLength: number;
  /** The bytes from the uuid to the end. */
  end: Words;
  /** The name of the field with the text. */
  field: string;
  sample: WireObject & { event: WireObject & { delta: WireObject } };
}

/** Recognizes pieces that have the same form as the line before them. Each stream of lines has its own. */
export class PieceRun {
  #template: Template | undefined;
  #hasMatched = false;
  /** How many pieces pass before the next sample is taken. Without a pause, alternating runs would need one for each line. */
  #pause = 0;
  #nextPause = 0;
  /** The view of the bytes that were matched last. It is kept because a chunk may hold many lines. */
  #viewed: { bytes: Buffer; view: DataView } | undefined;

  /** The line as a piece, if it has the form of the sample. The bytes must not change while the piece is in use. */
  match(bytes: Buffer, start: number, end: number): UndecodedPiece | undefined {
    const template = this.#template;
    if (template === undefined) return undefined;
    const uuidEnd = end - template.end.length;
    const textEnd = uuidEnd - template.uuidLength - template.middle.length;
    // A text has at least its quotes.
    if (textEnd < start + template.head.length + 2) return undefined;
    const view = this.#viewOf(bytes);
    if (!template.end.areAt(view, uuidEnd)) return undefined;
    if (!template.middle.areAt(view, textEnd) || !template.head.areAt(view, start)) return undefined;
    this.#hasMatched = true;
    return new UndecodedPiece(template, bytes, start, end);
  }

  /** Takes a line that did not match as the sample for the next lines. Call it after the line was passed on. */
  learn(line: string): void {
    if (this.#template !== undefined) this.#forget();
    if (!line.startsWith(PREFIX)) return;
    if (this.#pause > 0) {
      this.#pause -= 1;
      return;
    }
    this.#template = readTemplate(line);
    this.#hasMatched = false;
    if (this.#template === undefined) this.#forget();
  }

  #forget(): void {
    this.#nextPause = this.#hasMatched ? 0 : Math.min(MAX_PAUSE, this.#nextPause * 2 + 1);
    this.#pause = this.#nextPause;
    this.#template = undefined;
    this.#viewed = undefined;
  }

  #viewOf(bytes: Buffer): DataView {
    if (this.#viewed?.bytes !== bytes) this.#viewed = { bytes, view: createView(bytes) };
    return this.#viewed.view;
  }
}

/** A piece of a streamed answer whose line is not decoded yet. */
export class UndecodedPiece {
  readonly #template: Template;
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  /** The number of bytes of the line. */
  readonly length: number;

  constructor(template: Template, bytes: Buffer, start: number, end: number) {
    this.#template = template;
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.length = end - start;
  }

  /** The bytes of the line, unchanged. */
  get bytes(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  get line(): string {
    return this.#bytes.toString('utf8', this.#start, this.#end);
  }

  /** The message of the piece. If it is undefined, the caller must decode the whole line, which may be malformed. */
  read(): WireObject | undefined {
    const { head, middle, uuidLength, end, field, sample } = this.#template;
    const bytes = this.#bytes;
    const uuidEnd = this.#end - end.length;
    const uuidStart = uuidEnd - uuidLength;
    const textStart = this.#start + head.length;
    const textEnd = uuidStart - middle.length;
    if (!isPlain(bytes, uuidStart, uuidEnd)) return undefined;
    if (!isPlainText(bytes, textStart, textEnd)) {
      const text = parseText(bytes.toString('utf8', textStart, textEnd));
      return text === undefined
        ? undefined
        : copySample(sample, field, text, bytes.toString('latin1', uuidStart, uuidEnd));
    }
    // Both strings are decoded at once, because a second call of `toString` takes longer than cutting its result.
    const strings = bytes.toString('latin1', textStart + 1, uuidEnd);
    return copySample(sample, field, strings.slice(0, textEnd - textStart - 2), strings.slice(-uuidLength));
  }
}

/** Copies the sample with another text and uuid. Single assignments take half the time of a literal with a computed key. */
function copySample(sample: Template['sample'], field: string, text: string, uuid: string): WireObject {
  const delta = { ...sample.event.delta };
  delta[field] = text;
  const event = { ...sample.event };
  event.delta = delta;
  const message = { ...sample };
  message.event = event;
  message['uuid'] = uuid;
  return message;
}

/** Whether the bytes are a short JSON string without escapes and without characters of several bytes. */
function isPlainText(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > SHORT || bytes[start] !== QUOTE || bytes[end - 1] !== QUOTE) return false;
  return isPlain(bytes, start + 1, end - 1);
}

function parseText(quoted: string): string | undefined {
  try {
    const text: unknown = JSON.parse(quoted);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Whether every byte is an ASCII character that needs no escape in a JSON string. */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH || byte > 0x7e) return false;
  }
  return true;
}

function readTemplate(line: string): Template | undefined {
  const head = HEAD.exec(line);
  const field = head?.[1];
  if (!head || field === undefined || line.length > MAX_SAMPLE_LENGTH) return undefined;
  const sample = parseSample(line);
  const text = sample?.event.delta[field];
  if (!sample || typeof text !== 'string') return undefined;
  // If the CLI escapes the text in another way than `JSON.stringify`, REST does not match, and no sample is taken.
  const rest = REST.exec(line.slice(head[0].length + JSON.stringify(text).length));
  const [, middle, uuid, end] = rest ?? [];
  if (middle === undefined || uuid === undefined || end === undefined || sample['uuid'] !== uuid)
    return undefined;
  return {
    head: new Words(head[0]),
    middle: new Words(middle),
    uuidLength: uuid.length,
    end: new Words(end),
    field,
    sample,
  };
}

function parseSample(line: string): Template['sample'] | undefined {
  try {
    const sample: unknown = JSON.parse(line);
    const isPiece =
      isRecord(sample) &&
      sample['type'] === 'stream_event' &&
      isRecord(sample['event']) &&
      sample['event']['type'] === 'content_block_delta' &&
      isRecord(sample['event']['delta']);
    return isPiece ? (sample as Template['sample']) : undefined;
  } catch {
    return undefined;
  }
}

/** An ASCII text to look for in bytes. It compares four bytes at a time, which halves the time of `Buffer.compare`. */
class Words {
  readonly length: number;
  readonly #words: Int32Array;
  /** The bytes after the last word. */
  readonly #rest: Uint8Array;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    const view = createView(bytes);
    const count = Math.floor(bytes.length / 4);
    this.length = bytes.length;
    this.#words = new Int32Array(count);
    for (let index = 0; index < count; index += 1) this.#words[index] = view.getInt32(index * 4);
    this.#rest = bytes.subarray(count * 4);
  }

  areAt(view: DataView, start: number): boolean {
    const words = this.#words;
    const rest = this.#rest;
    const restStart = start + words.length * 4;
    for (let index = 0; index < rest.length; index += 1) {
      if (view.getUint8(restStart + index) !== rest[index]) return false;
    }
    for (let index = 0; index < words.length; index += 1) {
      if (view.getInt32(start + index * 4) !== words[index]) return false;
    }
    return true;
  }
}

function createView(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
