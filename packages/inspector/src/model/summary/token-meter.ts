// Counts the tokens and the cost of a session. The lines of a message repeat its usage, so each message is counted only once.
// The open turn is counted by its messages, and an ended turn by its result.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import { TurnMeter } from '@inboard/core/record/usage/turn-meter.js';
import { readApiUsage, type UsageCount } from '@inboard/core/record/usage/usage-count.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { TokenCount } from '../session-summary.js';
import { toTokenCount } from '../story/read-answer.js';

const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** The meter of one session. */
export class TokenMeter {
  /** In US dollars; undefined until a result reports it. */
  costUsd: number | undefined;
  readonly #meter = new TurnMeter();
  readonly #ended = noTokens();
  #open = noTokens();
  /** The counts of the open turn, by the ids of messages. */
  #messages = new Map<string, TokenCount>();
  /** The counts of the turn before. A subagent's message with lines before and after a result must be counted only once. */
  #earlier = new Map<string, TokenCount>();
  /** The ids of streamed messages, by the call of the subagent that writes them. */
  readonly #streaming = new Map<string, string>();

  read(): TokenCount {
    const sum = { ...this.#ended };
    add(sum, this.#open);
    return sum;
  }

  /** Takes any message of the CLI. */
  take(frame: WireObject): void {
    switch (frame['type']) {
      case 'assistant': {
        const body = isRecord(frame['message']) ? frame['message'] : {};
        // Messages that the CLI writes in place of the model cost nothing.
        if (body['model'] !== '<synthetic>') this.#count(asString(body['id']), readApiUsage(body['usage']));
        break;
      }
      case 'stream_event':
        if (isRecord(frame['event']))
          this.#stream(frame['event'], asString(frame['parent_tool_use_id']) ?? '');
        break;
      case 'result':
        this.#endTurn(frame);
        break;
      default:
    }
  }

  /** Is called when another CLI begins, whose totals start at zero. */
  startOver(): void {
    this.#meter.startOver();
    this.#keepOpen();
  }

  #stream(event: WireObject, parent: string): void {
    if (event['type'] === 'message_start' && isRecord(event['message'])) {
      const id = asString(event['message']['id']);
      if (id === undefined) return;
      this.#streaming.set(parent, id);
      this.#count(id, readApiUsage(event['message']['usage']));
    } else if (event['type'] === 'message_delta')
      this.#count(this.#streaming.get(parent), readApiUsage(event['usage']));
  }

  #count(id: string | undefined, usage: UsageCount): void {
    if (id === undefined || this.#earlier.has(id)) return;
    const seen = toTokenCount(usage);
    const known = this.#messages.get(id) ?? noTokens();
    this.#messages.set(id, known);
    for (const kind of KINDS) {
      const more = Math.max(0, seen[kind] - known[kind]);
      known[kind] += more;
      this.#open[kind] += more;
    }
  }

  #endTurn(frame: WireObject): void {
    const { costUsd, usage } = this.#meter.measure(frame);
    if (typeof frame['total_cost_usd'] === 'number') this.costUsd = (this.costUsd ?? 0) + costUsd;
    const reported = toTokenCount(usage);
    if (KINDS.some((kind) => reported[kind] > 0)) this.#open = reported;
    this.#keepOpen();
  }

  #keepOpen(): void {
    add(this.#ended, this.#open);
    this.#open = noTokens();
    this.#earlier = this.#messages;
    this.#messages = new Map();
  }
}

function noTokens(): TokenCount {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
}

function add(sum: TokenCount, more: TokenCount): void {
  for (const kind of KINDS) sum[kind] += more[kind];
}
