// One turn of a fake CLI. It writes the model's messages block by block, streamed if the host asked for that, and
// collects what the result reports. Blocks without a tool result between them form one message of the model.
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { MessageWriter } from '../host/message-writer.js';
import type { ResultFacts } from '../host/result-message.js';
import type { TurnEnd } from '../script/fake-step.js';

/** Creates the id of a tool call, if the script gives none. */
export function createToolUseId(): string {
  return `toolu_fake_${randomUUID().slice(0, 8)}`;
}

export class FakeTurn implements ResultFacts {
  readonly uuids: string[] = [];
  readonly origin: WireObject | undefined;
  readonly denials: WireObject[] = [];
  userLines = 0;
  apiMessages = 0;
  lastText = '';
  stopReason: string | null = null;
  /** The structured output for the result, once the model has given it. */
  outputEnd: TurnEnd = {};
  readonly #writer: MessageWriter;
  #message: { id: string; blocks: number; hasCalls: boolean } | undefined;

  constructor(writer: MessageWriter, origin?: WireObject) {
    this.#writer = writer;
    this.origin = origin;
  }

  say(text: string | readonly string[]): void {
    const pieces = typeof text === 'string' ? [text] : text;
    this.lastText = pieces.join('');
    this.#addBlock(
      { type: 'text', text: this.lastText },
      { type: 'text', text: '' },
      pieces.map((piece) => ({ type: 'text_delta', text: piece })),
    );
  }

  think(text: string): void {
    const estimate = Math.ceil(text.length / 4);
    const tokens = { estimated_tokens: estimate, estimated_tokens_delta: estimate };
    this.#writer.newerSystem('thinking_tokens', tokens);
    this.#addBlock(
      { type: 'thinking', thinking: text, signature: 'ZmFrZQ==' },
      { type: 'thinking', thinking: '', signature: '' },
      [
        { type: 'thinking_delta', thinking: text },
        { type: 'signature_delta', signature: 'ZmFrZQ==' },
      ],
    );
  }

  useTool(id: string, name: string, input: WireObject): void {
    this.#addBlock({ type: 'tool_use', id, name, input }, { type: 'tool_use', id, name, input: {} }, [
      { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    ]);
    if (this.#message) this.#message.hasCalls = true;
  }

  /** Writes a user line of the CLI's own: a tool result or a note. */
  addUserLine(content: string | readonly WireObject[], fields: WireObject = {}): void {
    this.closeMessage();
    this.userLines += 1;
    this.#writer.user(content, fields);
  }

  /** Completes the model's message. */
  closeMessage(): void {
    const message = this.#message;
    if (!message) return;
    this.#message = undefined;
    this.stopReason = message.hasCalls ? 'tool_use' : 'end_turn';
    const delta = { stop_reason: this.stopReason, stop_sequence: null };
    this.#stream({ type: 'message_delta', delta, usage: { output_tokens: 5 } }, message.id);
    this.#stream({ type: 'message_stop' }, message.id);
  }

  /** Leaves a message incomplete. */
  dropMessage(): void {
    this.#message = undefined;
  }

  #addBlock(block: WireObject, opening: WireObject, deltas: readonly WireObject[]): void {
    const message = (this.#message ??= this.#openMessage());
    const index = message.blocks;
    message.blocks += 1;
    this.#stream({ type: 'content_block_start', index, content_block: opening }, message.id);
    for (const delta of deltas) {
      this.#stream({ type: 'content_block_delta', index, delta }, message.id);
    }
    // The whole block comes before the event that closes it.
    this.#writer.assistant(message.id, block, this.uuids);
    this.#stream({ type: 'content_block_stop', index }, message.id);
  }

  #openMessage(): { id: string; blocks: number; hasCalls: boolean } {
    const id = `msg_fake_${randomUUID().slice(0, 8)}`;
    this.apiMessages += 1;
    if (this.#writer.wantsPartial) this.#writer.newerSystem('status', { status: 'requesting' });
    const message = { id, type: 'message', role: 'assistant', model: this.#writer.model, content: [] };
    this.#stream(
      { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
      id,
    );
    return { id, blocks: 0, hasCalls: false };
  }

  #stream(event: WireObject, messageId: string): void {
    if (this.#writer.wantsPartial) this.#writer.streamEvent(event, messageId);
  }
}
