// Joins the pieces of streamed blocks, of which there may be hundreds per second, to about ten events per second. Pieces and
// other events stay in order.
import { isRecord } from '@inboard/core/util/guards.js';
import type { JoinedPieces } from './inspector-event.js';

/** How long pieces of one block are joined, in milliseconds. */
const JOIN_MS = 100;

/** One piece of a streamed block. */
export type StreamedPiece = Pick<JoinedPieces, 'parent' | 'index' | 'kind' | 'text'>;

const KINDS: Readonly<Record<string, readonly [JoinedPieces['kind'], string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  input_json_delta: ['input', 'partial_json'],
};

/** The piece in a frame of the CLI; undefined for other frames. */
export function pieceOf(frame: unknown): StreamedPiece | undefined {
  if (!isRecord(frame) || frame['type'] !== 'stream_event') return undefined;
  const { event, parent_tool_use_id: parent } = frame;
  if (!isRecord(event) || event['type'] !== 'content_block_delta' || !isRecord(event['delta']))
    return undefined;
  const type = String(event['delta']['type']);
  const [kind, field] = (Object.hasOwn(KINDS, type) ? KINDS[type] : undefined) ?? [];
  const text = field === undefined ? undefined : event['delta'][field];
  if (kind === undefined || typeof text !== 'string' || typeof event['index'] !== 'number') return undefined;
  return { parent: typeof parent === 'string' ? parent : null, index: event['index'], kind, text };
}

/** Joins the pieces of one session. The caller must call `flush` before it passes on any other event. */
export class PieceJoiner {
  readonly #emit: (pieces: JoinedPieces) => void;
  /** The open pieces by block, in the order in which they began. */
  readonly #open = new Map<string, JoinedPieces>();
  #since = 0;

  constructor(emit: (pieces: JoinedPieces) => void) {
    this.#emit = emit;
  }

  add(t: number, piece: StreamedPiece): void {
    // All blocks are flushed together, so that events stay in the order of their times.
    if (this.#open.size > 0 && t - this.#since > JOIN_MS) this.flush();
    if (this.#open.size === 0) this.#since = t;
    const key = `${piece.kind} ${piece.index} ${piece.parent}`;
    const open = this.#open.get(key);
    if (open) {
      open.text += piece.text;
      open.count += 1;
    } else this.#open.set(key, { type: 'pieces', t, ...piece, count: 1 });
  }

  /** Emits the joined pieces. */
  flush(): void {
    if (this.#open.size === 0) return;
    const joined = [...this.#open.values()];
    this.#open.clear();
    for (const pieces of joined) this.#emit(pieces);
  }
}
