// Picks the model's text from the messages of the CLI, each piece once. With partial messages on, a text comes twice:
// first in pieces, then whole. Without them it comes only whole.
import type { Options } from '../../options/options.js';
import { isRecord } from '../../util/guards.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { blocksOf, bodyOf } from '../../wire/protocol/messages/message-content.js';

/** A piece of text, and the subagent or main loop that wrote it. */
export interface TextPiece {
  text: string;
  /** The id of the call that started the subagent. Undefined for the main loop. */
  parent: string | undefined;
}

/** An answer that comes in pieces. */
interface StreamedAnswer {
  /** Undefined if the answer's beginning was not seen. */
  id: unknown;
  hasText: boolean;
}

/** Must be given every partial message, in order. Each reader or group of readers has its own. */
export class TextPicker {
  /** The answers that are being streamed, each by the id of the call that started its subagent. */
  readonly #streamed = new Map<string | undefined, StreamedAnswer>();

  pick(message: object): TextPiece[] {
    const wire = message as WireObject;
    if (wire['type'] === 'stream_event') return this.#pickPiece(wire);
    if (wire['type'] === 'assistant') return this.#pickWhole(wire);
    return [];
  }

  #pickPiece(wire: WireObject): TextPiece[] {
    const { event } = wire;
    if (!isRecord(event)) return [];
    const parent = parentOf(wire);
    if (event['type'] === 'message_start') {
      const id = isRecord(event['message']) ? event['message']['id'] : undefined;
      this.#streamed.set(parent, { id, hasText: false });
    }
    if (event['type'] !== 'content_block_delta' || !isRecord(event['delta'])) return [];
    const { type, text } = event['delta'];
    if (type !== 'text_delta' || typeof text !== 'string') return [];
    const answer = this.#streamed.get(parent);
    if (answer) answer.hasText = true;
    else this.#streamed.set(parent, { id: undefined, hasText: true });
    return text === '' ? [] : [{ text, parent }];
  }

  #pickWhole(wire: WireObject): TextPiece[] {
    // When the API fails, the CLI writes a text in the model's place. It is not an answer, and the result reports the failure.
    if (wire['error'] !== undefined) return [];
    const parent = parentOf(wire);
    const { id } = bodyOf(wire);
    const answer = this.#streamed.get(parent);
    if (answer?.hasText && (answer.id === undefined || answer.id === id)) return [];
    return blocksOf(wire).flatMap(({ type, text }) =>
      type === 'text' && typeof text === 'string' && text !== '' ? [{ text, parent }] : [],
    );
  }
}

/** Whether the caller wants partial messages among the messages. */
export function asksForPartials({
  includePartialMessages,
  extraArgs = {},
}: Pick<Options, 'includePartialMessages' | 'extraArgs'>): boolean {
  return Boolean(includePartialMessages) || 'include-partial-messages' in extraArgs;
}

/** Whether the CLI sends a message only because partial messages are on. */
export function isPartial(message: object): boolean {
  const { type, subtype, status } = message as WireObject;
  return type === 'stream_event' || (type === 'system' && subtype === 'status' && status === 'requesting');
}

function parentOf(message: WireObject): string | undefined {
  const parent = message['parent_tool_use_id'];
  return typeof parent === 'string' ? parent : undefined;
}
