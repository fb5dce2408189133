// Collects the requests to models from the messages of a session, each once. A message comes in several events, and its
// counts grow from one event to the next.
import { readApiUsage } from '@inboard/core/record/usage/usage-count.js';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { bodyOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { TokenCount } from '../session-summary.js';
import { toTokens, type CountedRequest } from './cost-types.js';

/** All requests, in the order in which they first appeared. */
export class RequestLedger {
  readonly #requests: CountedRequest[] = [];
  readonly #byId = new Map<string, CountedRequest>();
  /** The requests whose answers are being streamed, by the call of their subagent; null for the main conversation. */
  readonly #streaming = new Map<string | null, CountedRequest>();

  get all(): readonly CountedRequest[] {
    return this.#requests;
  }

  observe(frame: WireObject, at: { n: number; t: number; turn: number }): void {
    const parent = asString(frame['parent_tool_use_id']) ?? null;
    if (frame['type'] === 'assistant') this.#count(bodyOf(frame), parent, at);
    if (frame['type'] !== 'stream_event' || !isRecord(frame['event'])) return;
    const { type, message, usage } = frame['event'];
    if (type === 'message_start' && isRecord(message)) {
      const request = this.#count(message, parent, at);
      if (request) this.#streaming.set(parent, request);
    } else if (type === 'message_delta') {
      const request = this.#streaming.get(parent);
      if (request) raise(request.tokens, toTokens(readApiUsage(usage)));
    } else if (type === 'message_stop') this.#streaming.delete(parent);
  }

  #count(
    message: WireObject,
    parent: string | null,
    at: { n: number; t: number; turn: number },
  ): CountedRequest | undefined {
    const { id, model, usage } = message;
    // Messages that the CLI writes itself in place of the model were not requests.
    if (typeof id !== 'string' || model === '<synthetic>') return undefined;
    const tokens = toTokens(readApiUsage(usage));
    const known = this.#byId.get(id);
    if (known) {
      raise(known.tokens, tokens);
      return known;
    }
    const request = { ...at, model: asString(model) ?? '', parent, tokens };
    this.#byId.set(id, request);
    this.#requests.push(request);
    return request;
  }
}

/** Raises each field of a growing count to the larger of the two readings. */
function raise(tokens: TokenCount, seen: TokenCount): void {
  tokens.input = Math.max(tokens.input, seen.input);
  tokens.output = Math.max(tokens.output, seen.output);
  tokens.cacheRead = Math.max(tokens.cacheRead, seen.cacheRead);
  tokens.cacheWrite = Math.max(tokens.cacheWrite, seen.cacheWrite);
}
