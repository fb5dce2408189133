// Counts what a session used, in total, by turn, by model, and by subagent. Each API message is counted once, although
// it comes in several lines. These lines have the output count from the start of the message. So the output of a turn is
// exact only when its result has come, or when partial messages are on.
import { callListener, warnOfCallback } from '../../util/call-listener.js';
import { isRecord } from '../../util/guards.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { compareCosts, type UsageDisagreement } from './usage-check.js';
import { TurnMeter } from './turn-meter.js';
import { addUsage, maxUsage, noUsage, priceOf, readApiUsage, subtractUsage } from './usage-count.js';
import type { PriceTable, UsageCount } from './usage-count.js';
import { addModels, sumUsage, type ModelShare, type ReportedTotals } from './usage-totals.js';

/** A turn that has ended, as its result reports it. */
export interface TurnUsage {
  /** The number of the turn, from 1. */
  turn: number;
  /** How many API messages were seen on the stream, including those of subagents. */
  messages: number;
  /** The cost of this turn alone, in US dollars. */
  turnCostUsd: number;
  /** The usage of the main loop. */
  main: UsageCount;
  /** All other usage: subagents, and requests that the CLI makes for itself. */
  others: UsageCount;
  byModel: Record<string, ModelShare>;
}

/** The usage of the current turn, counted from the stream. Output counts are too low until its result comes. */
export interface OpenTurnUsage {
  messages: number;
  /** What these messages cost in US dollars, computed from the price table. 0 without one. */
  turnCostUsd: number;
  main: UsageCount;
  /** The usage of each subagent, by the tool call that started it. Only messages on the stream are counted. */
  subagents: Record<string, UsageCount>;
}

/** Tokens and cost of a session so far: in total, by turn and by model. */
export interface UsageReport {
  /**
   * The totals since the session began, from the last result. In a resumed session, CLI 2.1.325 continues to count, and
   * 2.1.33 starts from zero.
   */
  total: { totalCostUsd: number; usage: UsageCount; byModel: Record<string, ModelShare> };
  turns: TurnUsage[];
  openTurn: OpenTurnUsage;
  /** The reported numbers that contradict each other, the stream, or the price table. */
  disagreements: UsageDisagreement[];
  /** Models that the price table does not have. */
  unpricedModels: string[];
}

/** A cost threshold that was reached. */
export interface ThresholdNotice {
  thresholdUsd: number;
  /** The cost of the session so far, in US dollars. */
  totalCostUsd: number;
  /** Whether the cost was computed from the price table during a turn. The CLI reports a cost only at the end of a turn. */
  isEstimate: boolean;
}

/** Prices and cost thresholds, and the callbacks for disagreements and reached thresholds. */
export interface UsageLedgerOptions {
  /** The prices with which to check the reported cost, and to notice thresholds before the turn ends. */
  prices?: PriceTable | undefined;
  /** Thresholds in US dollars for the total cost. */
  thresholdsUsd?: readonly number[] | undefined;
  /** Called once for each threshold, lowest first. */
  onThreshold?: ((notice: ThresholdNotice) => void) | undefined;
  /** Called once for each disagreement. It is not called again when later results repeat it. */
  onDisagreement?: ((disagreement: UsageDisagreement) => void) | undefined;
  /**
   * Receives an error that a callback threw or rejected with. By default such an error is ignored, because counting must
   * not disturb the session.
   */
  onFault?: ((error: unknown, callback: 'onThreshold' | 'onDisagreement') => void) | undefined;
}

interface CountedMessage {
  model: string;
  parent: string | undefined;
  usage: UsageCount;
}

/** Counts what a session uses, given all its messages in order. */
export class UsageLedger {
  readonly #options: UsageLedgerOptions;
  readonly #thresholds: number[];
  /** The messages of the open turn, by API message id. */
  #messages = new Map<string, CountedMessage>();
  /** The message ids of the previous turn. Some lines of a subagent's message may come only after the result. */
  #earlier: ReadonlySet<string> = new Set();
  /** The id of the message that is being streamed, by the tool call of its subagent. */
  readonly #streaming = new Map<string | undefined, string>();
  readonly #turns: TurnUsage[] = [];
  /** The disagreements by subject, because the totals of every later result repeat a wrong price. */
  readonly #disagreements = new Map<string, UsageDisagreement>();
  readonly #unpriced = new Set<string>();
  readonly #meter = new TurnMeter();
  #wasReset = false;
  /** The usage of the main loop of the open turn on CLIs that were let go. */
  #mainLetGo = noUsage();
  /** The messages of the open turn that came from CLIs that were let go. */
  #letGo: ReadonlySet<string> = new Set();

  constructor(options: UsageLedgerOptions = {}) {
    this.#options = options;
    this.#thresholds = [...(options.thresholdsUsd ?? [])].toSorted((one, other) => one - other);
  }

  observe(message: object): void {
    if (!isRecord(message)) return;
    switch (message['type']) {
      case 'assistant':
        this.#observeAssistant(message);
        break;
      case 'stream_event':
        this.#observeStream(message);
        break;
      case 'result':
        this.#observeResult(message);
        break;
      case 'conversation_reset':
        this.#wasReset = true;
        return;
      default:
        return;
    }
    this.#checkThresholds();
  }

  /** Notes that the next messages are from another CLI of the same session. */
  startOver(): void {
    this.#meter.startOver();
    this.#wasReset = true;
  }

  /**
   * Notes that the CLI is let go in the middle of its turn. `totals` are those that the CLI reported for this. Without them,
   * its usage is counted from the stream, and its cost from the price table. Returns what the turn used on this CLI.
   */
  letGo(totals: ReportedTotals | undefined): Record<string, ModelShare> {
    const isNew = ([id]: [string, CountedMessage]): boolean => !this.#letGo.has(id);
    const messages = [...this.#messages].filter(isNew).map(([, message]) => message);
    const seen = messages.reduce((sum, { usage }) => addUsage(sum, usage), noUsage());
    const byModel = totals ? this.#meter.measureOpen(totals, seen) : this.#countModels(messages);
    const ofSubagents = messages
      .filter(({ parent }) => parent !== undefined)
      .reduce((sum, { usage }) => addUsage(sum, usage), noUsage());
    this.#mainLetGo = addUsage(this.#mainLetGo, subtractUsage(sumUsage(byModel), ofSubagents));
    this.#letGo = new Set(this.#messages.keys());
    this.#meter.carry(byModel);
    return byModel;
  }

  /** Whether a turn is open that used something on CLIs that were let go. */
  get isLetGo(): boolean {
    return this.#letGo.size > 0;
  }

  #countModels(messages: readonly CountedMessage[]): Record<string, ModelShare> {
    const { prices } = this.#options;
    const shares = messages.map(({ model, usage }) => {
      const costUsd = (prices && priceOf(model, usage, prices)) ?? 0;
      return { [model]: { ...usage, costUsd } };
    });
    return shares.reduce(addModels, {});
  }

  report(): UsageReport {
    const { costUsd, byModel } = this.#meter.totals;
    return {
      total: { totalCostUsd: costUsd, usage: sumUsage(byModel), byModel: structuredClone(byModel) },
      turns: structuredClone(this.#turns),
      openTurn: this.#reportOpenTurn(),
      disagreements: [...this.#disagreements.values()],
      unpricedModels: [...this.#unpriced],
    };
  }

  #observeAssistant(message: WireObject): void {
    const body = message['message'];
    if (!isRecord(body) || typeof body['id'] !== 'string') return;
    // A message that the CLI itself writes in place of the model has needed no API call.
    if (body['model'] === '<synthetic>') return;
    this.#count(body['id'], {
      model: typeof body['model'] === 'string' ? body['model'] : '',
      parent: readParent(message),
      usage: readApiUsage(body['usage']),
    });
  }

  #observeStream(message: WireObject): void {
    const event = message['event'];
    if (!isRecord(event)) return;
    const parent = readParent(message);
    if (event['type'] === 'message_start' && isRecord(event['message'])) {
      const { id, model, usage } = event['message'];
      if (typeof id !== 'string') return;
      this.#streaming.set(parent, id);
      this.#count(id, { model: typeof model === 'string' ? model : '', parent, usage: readApiUsage(usage) });
    } else if (event['type'] === 'message_delta') {
      const id = this.#streaming.get(parent);
      const known = id === undefined ? undefined : this.#messages.get(id);
      if (known) known.usage = maxUsage(known.usage, readApiUsage(event['usage']));
    }
  }

  #count(id: string, seen: CountedMessage): void {
    if (this.#earlier.has(id)) return;
    const known = this.#messages.get(id);
    if (known) known.usage = maxUsage(known.usage, seen.usage);
    else this.#messages.set(id, seen);
  }

  #observeResult(result: WireObject): void {
    const before = this.#meter.totals;
    const { costUsd, usage, byModel } = this.#meter.measure(result);
    const main = addUsage(readApiUsage(result['usage']), this.#mainLetGo);
    const turn: TurnUsage = {
      turn: this.#turns.length + 1,
      messages: this.#messages.size,
      turnCostUsd: costUsd,
      main,
      others: subtractUsage(usage, main),
      byModel,
    };
    this.#turns.push(turn);
    this.#check(turn, before);
    this.#wasReset = false;
    this.#earlier = new Set(this.#messages.keys());
    this.#messages = new Map();
    this.#mainLetGo = noUsage();
    this.#letGo = new Set();
    this.#streaming.clear();
  }

  #check({ turn, main }: TurnUsage, last: ReportedTotals): void {
    const { prices, onDisagreement } = this.#options;
    const counted = this.#sumMessages((message) => message.parent === undefined);
    const { totals } = this.#meter;
    const before = this.#wasReset ? undefined : last;
    for (const found of compareCosts({ turn, totals, before, prices, counted, main })) {
      const isOfTurn = found.kind === 'cost-decreased' || found.kind === 'tokens-differ';
      const subject = `${found.kind} ${isOfTurn ? turn : found.model}`;
      const isKnown = this.#disagreements.has(subject);
      this.#disagreements.set(subject, found);
      if (!isKnown) this.#notify('onDisagreement', () => onDisagreement?.(found));
    }
    for (const model of prices ? Object.keys(totals.byModel) : []) {
      if (prices && priceOf(model, noUsage(), prices) === undefined) this.#unpriced.add(model);
    }
  }

  #sumMessages(fits: (message: CountedMessage) => boolean): UsageCount {
    let sum = noUsage();
    for (const message of this.#messages.values()) if (fits(message)) sum = addUsage(sum, message.usage);
    return sum;
  }

  #reportOpenTurn(): OpenTurnUsage {
    const subagents: Record<string, UsageCount> = {};
    for (const { parent, usage } of this.#messages.values()) {
      if (parent !== undefined) subagents[parent] = addUsage(subagents[parent] ?? noUsage(), usage);
    }
    return {
      messages: this.#messages.size,
      turnCostUsd: this.#estimateOpenTurn(),
      main: this.#sumMessages((message) => message.parent === undefined),
      subagents,
    };
  }

  #checkThresholds(): void {
    if (this.#thresholds.length === 0) return;
    const reported = this.#meter.totals.costUsd;
    const totalCostUsd = reported + this.#estimateOpenTurn();
    while ((this.#thresholds[0] ?? Infinity) <= totalCostUsd) {
      const thresholdUsd = this.#thresholds.shift() as number;
      const isEstimate = thresholdUsd > reported;
      this.#notify('onThreshold', () =>
        this.#options.onThreshold?.({ thresholdUsd, totalCostUsd, isEstimate }),
      );
    }
  }

  #estimateOpenTurn(): number {
    const { prices } = this.#options;
    if (!prices) return 0;
    let cost = 0;
    for (const { model, usage } of this.#messages.values()) cost += priceOf(model, usage, prices) ?? 0;
    return cost;
  }

  #notify(callback: 'onThreshold' | 'onDisagreement', listen: () => unknown): void {
    callListener(listen, (cause) =>
      callListener(
        () => this.#options.onFault?.(cause, callback),
        (error) => warnOfCallback('usage.onFault', error),
      ),
    );
  }
}

function readParent(message: WireObject): string | undefined {
  const parent = message['parent_tool_use_id'];
  return typeof parent === 'string' ? parent : undefined;
}
