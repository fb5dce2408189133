// Counts the tokens and the cost of a session. The lines of a message repeat its usage, so each message is counted only once.
// The open turn is counted by its messages, and an ended turn by its result.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import { TurnMeter, type TurnSpending } from '@inboard/core/record/usage/turn-meter.js';
import { readApiUsage, type UsageCount } from '@inboard/core/record/usage/usage-count.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { TokenCount } from '../session-summary.js';
import { addTokens, noTokens, toTokens } from '../cost/cost-types.js';

const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** What a turn used. */
export interface MeteredTurn {
  tokens: TokenCount;
  /** In US dollars; undefined if its result reports no cost, or if it has no result. */
  costUsd: number | undefined;
  byModel: TurnSpending['byModel'];
}

/** The meter of one session. */
export class TokenMeter {
  /** In US dollars; undefined until a result reports it. */
  costUsd: number | undefined;
  /** What the turn used that ended last. */
  last: MeteredTurn = { tokens: noTokens(), costUsd: undefined, byModel: {} };
  readonly #meter = new TurnMeter();
  #ended = noTokens();
  /** The part of the open turn that earlier CLIs counted. */
  #carried = noTokens();
  #open = noTokens();
  /** The counts of the open turn, by the ids of messages. */
  #messages = new Map<string, TokenCount>();
  /** The counts of the turn before. A subagent's message with lines before and after a result must be counted only once. */
  #earlier = new Map<string, TokenCount>();
  /** The ids of streamed messages, by the call of the subagent that writes them. */
  readonly #streaming = new Map<string, string>();

  /** All tokens, including those of the open turn. */
  read(): TokenCount {
    return addTokens(this.#ended, this.openTurn);
  }

  /** The tokens since the last turn ended. */
  get openTurn(): TokenCount {
    return addTokens(this.#carried, this.#open);
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
    this.#carried = this.openTurn;
    this.#forgetMessages();
  }

  /** Is called when a turn ends without a result, because the next one begins. Its messages are all that is known of it. */
  giveUpTurn(): void {
    this.#keep({ tokens: this.openTurn, costUsd: undefined, byModel: {} });
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
    const seen = toTokens(usage);
    const known = this.#messages.get(id) ?? noTokens();
    this.#messages.set(id, known);
    for (const kind of KINDS) {
      const more = Math.max(0, seen[kind] - known[kind]);
      known[kind] += more;
      this.#open[kind] += more;
    }
  }

  #endTurn(frame: WireObject): void {
    const { costUsd, usage, byModel } = this.#meter.measure(frame);
    const isTold = typeof frame['total_cost_usd'] === 'number';
    if (isTold) this.costUsd = (this.costUsd ?? 0) + costUsd;
    const reported = toTokens(usage);
    // Older CLIs do not report tokens by model. Then only those of the messages are known.
    if (KINDS.some((kind) => reported[kind] > 0)) this.#open = reported;
    this.#keep({ tokens: this.openTurn, costUsd: isTold ? costUsd : undefined, byModel });
  }

  #keep(turn: MeteredTurn): void {
    this.last = turn;
    this.#ended = addTokens(this.#ended, turn.tokens);
    this.#carried = noTokens();
    this.#forgetMessages();
  }

  #forgetMessages(): void {
    this.#open = noTokens();
    this.#earlier = this.#messages;
    this.#messages = new Map();
  }
}
