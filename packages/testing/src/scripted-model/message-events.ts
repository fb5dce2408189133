// Encodes a scripted message in the API's two forms: one JSON object, or the events of a stream. `send-reply` decides when
// and how much is sent.
import type { MessageReply, ReplyBlock, StreamPoint, ToolUseBlock } from '../script/reply.js';

/** One server-sent event. `block` is the index of the content block that the event belongs to. */
export interface MessageEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly block?: number;
  readonly isDelta?: boolean;
}

/** The parts of a message that are not in the reply: the ids of the message and of tool calls, and the model of the request. */
export interface MessageIdentity {
  readonly id: string;
  readonly model: string;
  readonly createToolUseId: () => string;
}

type ApiBlock = Readonly<Record<string, unknown>>;
type Delta = Readonly<Record<string, unknown>>;

interface EncodedBlock {
  readonly whole: ApiBlock;
  readonly start: ApiBlock;
  readonly deltas: readonly Delta[];
}

/** Builds both forms of a message, so that they cannot differ. */
export function encodeModelMessage(
  reply: MessageReply,
  identity: MessageIdentity,
): { message: Readonly<Record<string, unknown>>; events: readonly MessageEvent[] } {
  const blocks = reply.blocks.map((block) => encodeBlock(block, identity.createToolUseId));
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 5,
    service_tier: 'standard',
    ...reply.usage,
  };
  const ending = {
    stop_reason:
      reply.stopReason ??
      (blocks.some(({ whole }) => whole['type'] === 'tool_use') ? 'tool_use' : 'end_turn'),
    stop_sequence: reply.stopSequence ?? null,
  };
  const message = {
    id: identity.id,
    type: 'message',
    role: 'assistant',
    model: reply.model ?? identity.model,
    content: blocks.map(({ whole }) => whole),
    ...ending,
    usage,
  };
  const opening = {
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: Math.min(1, usage.output_tokens) },
  };
  return {
    message,
    events: [
      createEvent('message_start', { message: opening }),
      ...blocks.flatMap(encodeBlockEvents),
      createEvent('message_delta', { delta: ending, usage }),
      createEvent('message_stop', {}),
    ],
  };
}

/** How many events come before a point. Undefined if the stream has no such point. */
export function locatePoint(events: readonly MessageEvent[], point: StreamPoint): number | undefined {
  if ('afterEvents' in point) {
    const count = point.afterEvents;
    return Number.isInteger(count) && count >= 0 && count < events.length ? count : undefined;
  }
  const ofBlock = (event: MessageEvent): boolean => event.block === point.insideBlock;
  const first = events.findIndex((event) => ofBlock(event) && event.isDelta === true);
  const found = first === -1 ? events.findIndex(ofBlock) : first;
  return found === -1 ? undefined : found + 1;
}

/** The text of one event on the wire. */
export function formatEvent(name: string, data: Readonly<Record<string, unknown>>): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function createEvent(name: string, data: Readonly<Record<string, unknown>>): MessageEvent {
  return { name, data: { type: name, ...data } };
}

function encodeBlockEvents(encoded: EncodedBlock, index: number): MessageEvent[] {
  return [
    { ...createEvent('content_block_start', { index, content_block: encoded.start }), block: index },
    ...encoded.deltas.map((delta) => ({
      ...createEvent('content_block_delta', { index, delta }),
      block: index,
      isDelta: true,
    })),
    { ...createEvent('content_block_stop', { index }), block: index },
  ];
}

function encodeBlock(block: ReplyBlock, createToolUseId: () => string): EncodedBlock {
  switch (block.type) {
    case 'text':
      return {
        whole: { type: 'text', text: joinPieces(block.text) },
        start: { type: 'text', text: '' },
        deltas: listPieces(block.text).map((text) => ({ type: 'text_delta', text })),
      };
    case 'thinking':
      return {
        whole: { type: 'thinking', thinking: joinPieces(block.thinking), signature: block.signature },
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...listPieces(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'tool_use':
      return encodeCall(
        { type: 'tool_use', id: idOfCall(block, createToolUseId), name: block.name, input: block.input },
        block.inputJson,
      );
    default:
      return 'input' in block.block
        ? encodeCall(block.block)
        : { whole: block.block, start: block.block, deltas: [] };
  }
}

// The id of a call. If the call is the structured output, the id has a mark, so that a request that follows the output
// is recognised.
function idOfCall({ id, isOutput }: ToolUseBlock, createToolUseId: () => string): string {
  return id ?? `${createToolUseId()}${isOutput === true ? OUTPUT_MARK : ''}`;
}

/** The end of the id of a call that was the answer of its turn. */
export const OUTPUT_MARK = '_output';

function encodeCall(whole: ApiBlock, inputJson?: string | readonly string[]): EncodedBlock {
  return {
    whole,
    start: { ...whole, input: {} },
    deltas: listPieces(inputJson ?? JSON.stringify(whole['input'])).map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    })),
  };
}

function listPieces(text: string | readonly string[]): readonly string[] {
  return typeof text === 'string' ? [text] : text;
}

function joinPieces(text: string | readonly string[]): string {
  return listPieces(text).join('');
}
