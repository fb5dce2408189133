// Keeps the messages of a CLI until their consumer takes them. Decoded messages wait as they are, pieces of a
// streamed answer wait as bytes, and what exceeds the limit waits in a file.
import type { InboardError } from '../../errors.js';
import { AsyncQueue, NOTHING, type QueueListener } from '../../util/queues/async-queue.js';
import { SpillQueue } from '../../util/queues/spill-queue.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKMessage } from '../../wire/protocol/messages/messages.js';
import type { UndecodedPiece } from '../../wire/protocol/piece-run.js';

export interface MessageQueueOptions {
  /** The number of bytes kept in memory. More go to a temporary file. */
  maxBytes: number | undefined;
  listener: QueueListener<SDKMessage>;
  /** Decodes the message in a line. Undefined if there is none. */
  readLine: (line: string) => WireObject | undefined;
  onWarning: (error: InboardError) => void;
}

/** Makes the queue of one live CLI, and the function that adds a piece that is not decoded. */
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
