// Where the messages of a CLI wait for their consumer: decoded ones as they are, pieces of a streamed answer in bytes, and
// whatever is too much in a file.
import type { InboardError } from '../../errors.js';
import { AsyncQueue, NOTHING, type QueueListener } from '../../util/queues/async-queue.js';
import { SpillQueue } from '../../util/queues/spill-queue.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { UndecodedPiece } from '../../wire/protocol/piece-run.js';

export interface MessageQueueOptions {
  /** Bytes kept in memory; more go to a temporary file. */
  maxBytes: number | undefined;
  listener: QueueListener<SDKMessage>;
  /** The message in a line; undefined where there is none, which it reports. */
  readLine: (line: string) => WireObject | undefined;
  onWarning: (error: InboardError) => void;
}

/** Makes one for one live CLI: the queue, and the way in for what is not decoded. */
export function createMessageQueue({ maxBytes, listener, readLine, onWarning }: MessageQueueOptions) {
  const decode = (line: string): SDKMessage | typeof NOTHING =>
    (readLine(line) as SDKMessage | undefined) ?? NOTHING;
  const make = (piece: UndecodedPiece): SDKMessage | typeof NOTHING =>
    (piece.read() as SDKMessage | undefined) ?? decode(piece.line);
  const buffer = new SpillQueue<SDKMessage, UndecodedPiece>({ maxBytes, decode, make, onWarning });
  const messages = new AsyncQueue<SDKMessage, [line: string]>(buffer, listener);
  const pushPiece = (piece: UndecodedPiece): void => {
    if (!messages.isAwaited) {
      if (messages.isOpen) buffer.pushRaw(piece);
      return;
    }
    const message = make(piece);
    if (message !== NOTHING) messages.push(message, '');
  };
  return { messages, pushPiece };
}
