// One message of the model. With partial messages, each block comes twice: first in pieces, then whole. Without them, each
// block comes only whole. Either way, each block is sent once.
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { Sources } from './sources.js';
import type { TextPart, TextParts } from './text-parts.js';
import type { CallFacts, ToolCalls } from './tool-calls.js';

/** The collectors that the messages of an answer write to. */
export interface AnswerParts {
  texts: TextParts;
  calls: ToolCalls;
  sources: Sources;
  /** Whether reasoning is sent. */
  sendsReasoning: boolean;
}

/** A block that was streamed. `isTaken` is set when it has also come whole. */
type StreamedBlock = { type: string; isTaken: boolean } & (
  | { kind: 'text'; part: TextPart }
  | { kind: 'call'; id: string; name: string; isProviderExecuted: boolean }
  | { kind: 'other' }
);

/** Calls of tools that the API runs itself. */
const PROVIDER_CALLS: ReadonlySet<unknown> = new Set(['server_tool_use', 'mcp_tool_use']);

/** A message of the model, in the main conversation. */
export class ModelMessage {
  readonly id: unknown;
  readonly #parts: AnswerParts;
  readonly #blocks = new Map<unknown, StreamedBlock>();
  /** Whether the message was streamed to its end, or came whole. */
  isWhole: boolean;
  stopReason: unknown;

  constructor(id: unknown, parts: AnswerParts, isWhole: boolean) {
    this.id = id;
    this.#parts = parts;
    this.isWhole = isWhole;
  }

  /** Whether a block of the message has begun to stream, so that a part of it may have been sent. */
  get isVisible(): boolean {
    return this.#blocks.size > 0;
  }

  /** Takes an event of the message's stream. */
  stream(event: WireObject): void {
    const { type, index, content_block: block, delta } = event;
    if (type === 'content_block_start' && isRecord(block)) this.#start(index, block);
    else if (type === 'content_block_delta' && isRecord(delta)) this.#add(this.#blocks.get(index), delta);
    else if (type === 'content_block_stop') this.#stop(this.#blocks.get(index));
    else if (type === 'message_delta' && isRecord(delta)) this.stopReason = delta['stop_reason'];
    else if (type === 'message_stop') this.isWhole = true;
  }

  /** Takes a block that is whole. */
  take(block: WireObject): void {
    const streamed = this.#takeStreamed(block);
    const { texts, calls, sources, sendsReasoning } = this.#parts;
    if (streamed?.kind === 'text') {
      // A block without pieces comes only whole.
      if (streamed.part.state === 'new') texts.add(streamed.part, textOf(block));
      texts.end(streamed.part);
    } else if (block['type'] === 'text') texts.whole('text', textOf(block));
    else if (block['type'] === 'thinking' && sendsReasoning) texts.whole('reasoning', textOf(block));
    if (block['type'] === 'text') sources.take(block['citations']);
    if (isCall(block)) calls.ready(this.#callOf(block), block['input']);
    if (typeof block['tool_use_id'] === 'string' && String(block['type']).endsWith('_tool_result')) {
      calls.output(block['tool_use_id'], block['content']);
      sources.take(block['content']);
    }
  }

  /** Closes the open parts of the message, because its stream broke off. */
  close(): void {
    for (const block of this.#blocks.values()) this.#stop(block);
  }

  #start(index: unknown, block: WireObject): void {
    const type = String(block['type']);
    const { texts, calls, sendsReasoning } = this.#parts;
    if (isCall(block)) {
      const call = this.#callOf(block);
      this.#blocks.set(index, { type, isTaken: false, kind: 'call', ...call });
      calls.start(call);
    } else if (type === 'text' || (type === 'thinking' && sendsReasoning)) {
      const part = texts.create(type === 'text' ? 'text' : 'reasoning');
      this.#blocks.set(index, { type, isTaken: false, kind: 'text', part });
      texts.add(part, textOf(block));
    } else this.#blocks.set(index, { type, isTaken: false, kind: 'other' });
  }

  #add(block: StreamedBlock | undefined, delta: WireObject): void {
    const { texts, calls } = this.#parts;
    if (block?.kind === 'text') texts.add(block.part, textOf(delta));
    else if (block?.kind === 'call' && typeof delta['partial_json'] === 'string')
      calls.addInput(block.id, delta['partial_json']);
  }

  #stop(block: StreamedBlock | undefined): void {
    if (block?.kind === 'text') this.#parts.texts.end(block.part);
  }

  /** Finds the streamed block for a whole one. Blocks come whole in the order in which they were streamed. */
  #takeStreamed(block: WireObject): StreamedBlock | undefined {
    const found = [...this.#blocks.values()].find(({ type, isTaken }) => !isTaken && type === block['type']);
    if (found) found.isTaken = true;
    return found;
  }

  #callOf(block: WireObject): CallFacts & { isProviderExecuted: boolean } {
    return {
      id: String(block['id']),
      name: String(block['name']),
      message: this,
      isProviderExecuted: PROVIDER_CALLS.has(block['type']),
    };
  }
}

/** Whether a block is a call, of a tool of the CLI or of a tool that the API runs. */
export function isCall(block: WireObject): boolean {
  return block['type'] === 'tool_use' || PROVIDER_CALLS.has(block['type']);
}

/** The text or the reasoning of a block or of a piece. Empty if it has none. */
function textOf({ text, thinking }: WireObject): string {
  const found = text ?? thinking;
  return typeof found === 'string' ? found : '';
}
