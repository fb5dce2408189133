// Writes the fake CLI's lines to its pipes and records them. If the script asks for it, lines are cut into chunks, or
// the last line of a kind is repeated.
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { FakePipes } from '../pipes/fake-pipes.js';
import type { RunState } from '../run-state.js';

/** The kinds of lines a CLI writes. */
export type LineKind = 'message' | 'request' | 'response';

export class LineWriter {
  /** The size of the chunks, in bytes. With 0, lines are written whole. */
  chunkBytes = 0;
  readonly #state: RunState;
  readonly #pipes: FakePipes;
  readonly #last: Partial<Record<LineKind, string>> = {};

  constructor(state: RunState, pipes: FakePipes) {
    this.#state = state;
    this.#pipes = pipes;
  }

  write(kind: LineKind, line: string): void {
    if (this.#state.isOver) return;
    const frame = JSON.parse(line) as WireObject;
    // A cancellation has the kind `request` too, but must not be repeated in place of a request.
    if (kind !== 'request' || frame['type'] === 'control_request') this.#last[kind] = line;
    this.#state.record('cli', line, frame);
    this.writeRaw(`${line}\n`);
  }

  writeRaw(text: string): void {
    const bytes = Buffer.from(text);
    const size = this.chunkBytes > 0 ? this.chunkBytes : bytes.length;
    for (let start = 0; start < bytes.length; start += size) {
      this.#pipes.write(bytes.subarray(start, start + size));
    }
  }

  /** Writes the last line of a kind again and returns it. */
  repeat(kind: LineKind): WireObject {
    const line = this.#last[kind];
    if (line === undefined) throw new TypeError(`repeat('${kind}'): the fake has not sent one yet`);
    this.write(kind, line);
    return JSON.parse(line) as WireObject;
  }
}
