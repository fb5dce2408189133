// What a fake CLI writes: remembered, in chunks where the script wants that, and once more on demand.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { FakePipes } from '../pipes/memory-pipes.js';

/** The kinds of lines a CLI writes. */
export type LineKind = 'message' | 'request' | 'response';

export class LineWriter {
  /** What is written is cut into chunks of so many bytes; 0 leaves it whole. */
  chunkBytes = 0;
  readonly #pipes: FakePipes;
  readonly #onWritten: (line: string, frame: WireObject) => void;
  readonly #last: Partial<Record<LineKind, string>> = {};

  constructor(pipes: FakePipes, onWritten: (line: string, frame: WireObject) => void) {
    this.#pipes = pipes;
    this.#onWritten = onWritten;
  }

  write(kind: LineKind, line: string): void {
    const frame = JSON.parse(line) as WireObject;
    // A withdrawal goes with the requests and is none.
    if (kind !== 'request' || frame['type'] === 'control_request') this.#last[kind] = line;
    this.#onWritten(line, frame);
    this.writeRaw(`${line}\n`);
  }

  writeRaw(text: string): void {
    const bytes = Buffer.from(text);
    const size = this.chunkBytes > 0 ? this.chunkBytes : bytes.length;
    for (let start = 0; start < bytes.length; start += size) {
      this.#pipes.write(bytes.subarray(start, start + size));
    }
  }

  /** Sends its last line of a kind again; gives its id where it is a request. */
  repeat(kind: LineKind): string | undefined {
    const line = this.#last[kind];
    if (line === undefined) throw new TypeError(`repeat('${kind}'): the fake has sent none yet`);
    this.write(kind, line);
    const frame: unknown = JSON.parse(line);
    return kind === 'request' && isRecord(frame) ? String(frame['request_id']) : undefined;
  }
}
