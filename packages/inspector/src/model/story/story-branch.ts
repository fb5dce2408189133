// The main conversation, or that of one subagent: texts, thoughts and calls as they stream. When a whole message comes, it
// replaces its streamed parts.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { blocksOf, bodyOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { JoinedPieces } from '../../stream/inspector-event.js';
import { readOutput } from './read-output.js';
import type { StoryCalls } from './story-calls.js';
import type { CallItem, StoryItem, TextItem } from './story-item.js';
import type { EventPlace } from './story-list.js';

type Streamed = TextItem | CallItem;

/** A message of the model, as far as it has come. */
interface OpenMessage {
  id: string;
  /** The blocks that stream, by their index in the message. A block is removed when its complete form has come. */
  streaming: Map<number, Streamed>;
  /** The complete blocks, in order. */
  whole: Streamed[];
  lastUuid: string | undefined;
}

/** The messages of the model in one conversation. */
export class StoryBranch {
  readonly depth: number;
  readonly #calls: StoryCalls;
  readonly #add: (item: StoryItem) => void;
  #message: OpenMessage | undefined;
  /** The last text of the model. */
  lastText: TextItem | undefined;

  constructor(depth: number, calls: StoryCalls, add: (item: StoryItem) => void) {
    this.depth = depth;
    this.#calls = calls;
    this.#add = add;
  }

  /** Takes a raw stream event of the API. */
  stream(event: WireObject, place: EventPlace): void {
    const index = typeof event['index'] === 'number' ? event['index'] : 0;
    switch (event['type']) {
      case 'message_start':
        this.#begin(asString(isRecord(event['message']) ? event['message']['id'] : undefined) ?? '', place.t);
        break;
      case 'content_block_start':
        if (isRecord(event['content_block'])) this.#startBlock(index, event['content_block'], place);
        break;
      case 'content_block_delta': {
        const delta = isRecord(event['delta']) ? event['delta'] : {};
        const { text, thinking, partial_json: json } = delta;
        if (typeof text === 'string') this.addPiece({ index, kind: 'text', text }, place);
        else if (typeof thinking === 'string')
          this.addPiece({ index, kind: 'thinking', text: thinking }, place);
        else if (typeof json === 'string') this.addPiece({ index, kind: 'input', text: json }, place);
        break;
      }
      case 'content_block_stop':
        this.#stopBlock(index, place.t);
        break;
      default:
    }
  }

  /**
   * Adds a piece to a streamed block. If the beginning of the block was not seen, the piece begins it. Only a piece of an
   * input is dropped then, because its call is not known.
   */
  addPiece(piece: Pick<JoinedPieces, 'index' | 'kind' | 'text' | 'isLoose'>, place: EventPlace): void {
    const { index, kind, text } = piece;
    if (piece.isLoose && this.#message?.id !== '') this.#begin('', place.t);
    const message = (this.#message ??= openMessage(''));
    let item = message.streaming.get(index);
    if (!item && kind !== 'input') item = this.#startText(index, kind, place);
    if (item?.kind === 'call') item.inputText += text;
    else if (item) item.text += text;
  }

  /** Takes a whole message, or one block of it, as the CLI sends it. */
  takeWhole(frame: WireObject, place: EventPlace): void {
    const body = bodyOf(frame);
    const id = asString(body['id']) ?? '';
    const uuid = asString(frame['uuid']);
    // A streamed message without an id is the beginning of this one.
    if (this.#message?.id === '' && this.#message.whole.length === 0) this.#message.id = id;
    else if (this.#message?.id !== id || id === '') this.#begin(id, place.t);
    const message = this.#message as OpenMessage;
    if (uuid !== undefined && message.lastUuid === uuid) return;
    message.lastUuid = uuid;
    const blocks = blocksOf(frame);
    const { content } = body;
    if (typeof content === 'string') blocks.push({ type: 'text', text: content });
    const isError = body['model'] === '<synthetic>' && typeof frame['error'] === 'string';
    for (const [at, block] of blocks.entries()) {
      // A message with several blocks may repeat blocks that came one by one before.
      const known = blocks.length > 1 ? message.whole[at] : undefined;
      if (!known || !isSame(known, block)) this.#takeBlock(message, block, place, isError);
    }
  }

  /** Ends streaming. A text that is not complete counts as broken off. */
  settle(t: number): void {
    const message = this.#message;
    this.#message = undefined;
    if (!message) return;
    for (const item of message.streaming.values()) {
      if (item.kind === 'call') continue;
      item.isStreaming = false;
      item.isBrokenOff = item.endT === undefined;
      item.endT ??= t;
    }
  }

  #begin(id: string, t: number): void {
    this.settle(t);
    this.#message = openMessage(id);
  }

  #startBlock(index: number, block: WireObject, place: EventPlace): void {
    const message = (this.#message ??= openMessage(''));
    if (message.streaming.has(index)) return;
    const { type, id, name } = block;
    if ((type === 'tool_use' || type === 'server_tool_use') && typeof id === 'string') {
      const call = this.#calls.find(id) ?? this.#beginCall(id, asString(name) ?? '', place);
      message.streaming.set(index, call);
    } else if (type === 'text' || type === 'thinking') {
      this.#startText(index, type, place).text += asString(block[type]) ?? '';
    }
  }

  #startText(index: number, kind: 'text' | 'thinking', place: EventPlace): TextItem {
    const item = this.#addText(kind, place);
    this.#message?.streaming.set(index, item);
    return item;
  }

  #stopBlock(index: number, t: number): void {
    const item = this.#message?.streaming.get(index);
    if (!item || item.kind === 'call') return;
    item.isStreaming = false;
    item.endT ??= t;
  }

  #takeBlock(message: OpenMessage, block: WireObject, place: EventPlace, isError: boolean): void {
    const { type } = block;
    if (type === 'text' || type === 'thinking') {
      const text = asString(block[type]) ?? '';
      const streamed = takeStreamed(message, (item) => item.kind === type);
      if (!streamed && text.trim() === '') return;
      const item = (streamed as TextItem | undefined) ?? this.#addText(type, place);
      // If the CLI does not send the thought again, the streamed text is all there is.
      if (text !== '') item.text = text;
      item.isStreaming = false;
      item.isError = isError;
      item.endT ??= place.t;
      if (place.isCut) item.isCut = true;
      item.n = place.n;
      message.whole.push(item);
      if (type === 'text') this.lastText = item;
    } else if ((type === 'tool_use' || type === 'server_tool_use') && typeof block['id'] === 'string') {
      const id = block['id'];
      takeStreamed(message, (item) => item.kind === 'call' && item.toolUseId === id);
      const call = this.#calls.find(id) ?? this.#beginCall(id, asString(block['name']) ?? '', place);
      call.madeT ??= place.t;
      this.#calls.setInput(call, block['input']);
      if (place.isCut) call.isCut = true;
      call.n = place.n;
      message.whole.push(call);
    } else if (typeof block['tool_use_id'] === 'string') {
      // The result of a tool that the API runs itself is in the same message.
      const call = this.#calls.find(block['tool_use_id']);
      if (!call) return;
      call.output = readOutput(block['content']);
      call.resultN = place.n;
    }
  }

  #beginCall(id: string, name: string, { n, t }: EventPlace): CallItem {
    const call = this.#calls.begin(id, name, { n, t, depth: this.depth });
    this.#add(call);
    return call;
  }

  #addText(kind: 'text' | 'thinking', { n, t }: EventPlace): TextItem {
    const item: TextItem = {
      kind,
      key: `${kind} ${n} ${this.#message?.whole.length ?? 0}`,
      n,
      t,
      depth: this.depth,
      text: '',
      isStreaming: true,
      isBrokenOff: false,
      isError: false,
      endT: undefined,
    };
    this.#add(item);
    return item;
  }
}

function openMessage(id: string): OpenMessage {
  return { id, streaming: new Map(), whole: [], lastUuid: undefined };
}

/** Removes and returns the first streamed block that fits. */
function takeStreamed(message: OpenMessage, fits: (item: Streamed) => boolean): Streamed | undefined {
  for (const [index, item] of message.streaming)
    if (fits(item)) {
      message.streaming.delete(index);
      return item;
    }
  return undefined;
}

function isSame(item: Streamed, block: WireObject): boolean {
  if (item.kind === 'call') return item.toolUseId === block['id'];
  return block['type'] === item.kind && block[item.kind] === item.text;
}
