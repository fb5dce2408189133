// The text of the model in the messages of the CLI, each piece once. With partial messages on, a text comes twice: in
// pieces, and then whole; without them it comes whole only.
import type { Options } from '../../options/options.js';
import { isRecord } from '../../util/guards.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { blocksOf, bodyOf } from '../../wire/protocol/messages/message-content.js';

/** A piece of text, and whose it is. */
export interface TextPiece {
  text: string;
  /** The tool call that started the subagent; undefined for the main loop. */
  parent: string | undefined;
}

/** An answer that comes in pieces. */
interface StreamedAnswer {
  /** Undefined where its beginning was not seen. */
  id: unknown;
  hasText: boolean;
}

/** Given every message in order; one for each reader or group of readers. */
export class TextPicker {
  /** The answer that is being streamed, by the tool call it belongs to. */
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
    // What the CLI writes in the model's place when the API fails is no answer; the result reports it.
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
