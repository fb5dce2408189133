// Collects what a session cost: tokens, cache and money, by turn, model and subagent, and how full the context window was.
// A result contains totals since the CLI was started, so the cost of a turn is the difference of two results. A new CLI
// starts at zero again.
import { TurnMeter } from '@inboard/core/record/usage/turn-meter.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { NumberedEvent } from '../../stream/inspector-event.js';
import type { TokenCount } from '../session-summary.js';
import { AgentNames } from './agent-names.js';
import { sumAgents } from './agent-costs.js';
import { RequestLedger } from './request-ledger.js';
import { addTokens, noTokens, toTokens } from './cost-types.js';
import type { AgentCost, CompactionMark, ModelCost, CountedRequest, TurnCost } from './cost-types.js';

/** The cost of one session. */
export class CostLedger {
  readonly #requests = new RequestLedger();
  readonly #turns: TurnCost[] = [];
  readonly #models = new Map<string, ModelCost>();
  readonly #windows = new Map<string, number>();
  readonly #compactions: CompactionMark[] = [];
  readonly #names = new AgentNames();
  readonly #meter = new TurnMeter();
  #tokens = noTokens();
  /** How many of the requests belong to turns that are over. */
  #told = 0;
  #hasCli = false;

  push({ n, event }: NumberedEvent): void {
    if (event.type === 'header') {
      if (this.#hasCli) this.#meter.startOver();
      this.#hasCli = true;
      return;
    }
    if (event.type !== 'frame' || event.dir !== 'in' || !isRecord(event.frame)) return;
    const { frame, t } = event;
    this.#requests.observe(frame, { n, t, turn: this.#turns.length });
    this.#names.observe(frame);
    if (frame['type'] === 'result') this.#endTurn(frame, n, t);
    if (frame['subtype'] === 'compact_boundary') this.#markCompaction(frame, n, t);
  }

  /** The turns with a result, and the open turn if it has made a request. */
  get turns(): readonly TurnCost[] {
    const open = this.#requests.all.slice(this.#told);
    const [first] = open;
    if (!first) return this.#turns;
    const tokens = open.reduce((sum, request) => addTokens(sum, request.tokens), noTokens());
    const { n, t } = first;
    const number = this.#turns.length + 1;
    const under = {
      number,
      n,
      t,
      requests: open.length,
      tokens,
      costUsd: undefined,
      totalUsd: this.totalUsd ?? 0,
      models: [],
    };
    return [...this.#turns, under];
  }

  /** The cost of all turns that are over, in US dollars; undefined while none is. */
  get totalUsd(): number | undefined {
    return this.#turns.at(-1)?.totalUsd;
  }

  /** All tokens, including those of the open turn. */
  get tokens(): TokenCount {
    return this.turns
      .slice(this.#turns.length)
      .reduce((sum, turn) => addTokens(sum, turn.tokens), this.#tokens);
  }

  /** What each model used in the turns that are over, the dearest first. */
  get models(): ModelCost[] {
    return [...this.#models.values()].sort((one, other) => other.costUsd - one.costUsd);
  }

  /** Each subagent that asked a model, in the order in which they began. */
  get agents(): AgentCost[] {
    return sumAgents(this.#requests.all, this.#turns, (key) => this.#names.nameOf(key));
  }

  /** The requests of the main conversation, which show how full its context window was. */
  get mainRequests(): CountedRequest[] {
    return this.#requests.all.filter(({ parent }) => parent === null);
  }

  get compactions(): readonly CompactionMark[] {
    return this.#compactions;
  }

  /** The size of a model's context window, in tokens; undefined until a result reports it. */
  windowOf(model: string): number | undefined {
    return this.#windows.get(model) ?? this.#windows.get(plainName(model));
  }

  #endTurn(result: WireObject, n: number, t: number): void {
    this.#readWindows(result['modelUsage']);
    const { costUsd, usage, byModel } = this.#meter.measure(result);
    const requests = this.#requests.all.slice(this.#told);
    this.#told = this.#requests.all.length;
    const models = Object.entries(byModel).map(([model, share]): ModelCost => ({
      model,
      tokens: toTokens(share),
      costUsd: share.costUsd,
      contextWindow: this.windowOf(model),
    }));
    // Older CLIs do not report tokens by model. Then only those of the messages are known.
    const counted = requests.reduce((sum, request) => addTokens(sum, request.tokens), noTokens());
    const tokens = models.length > 0 ? toTokens(usage) : counted;
    this.#tokens = addTokens(this.#tokens, tokens);
    for (const share of models) this.#addModel(share);
    const isTold = typeof result['total_cost_usd'] === 'number';
    const totalUsd = (this.totalUsd ?? 0) + costUsd;
    const number = this.#turns.length + 1;
    this.#turns.push({
      number,
      n,
      t,
      requests: requests.length,
      tokens,
      costUsd: isTold ? costUsd : undefined,
      totalUsd,
      models,
    });
  }

  #addModel({ model, tokens, costUsd, contextWindow }: ModelCost): void {
    const known = this.#models.get(model);
    this.#models.set(model, {
      model,
      tokens: known ? addTokens(known.tokens, tokens) : tokens,
      costUsd: (known?.costUsd ?? 0) + costUsd,
      contextWindow,
    });
  }

  #readWindows(modelUsage: unknown): void {
    if (!isRecord(modelUsage)) return;
    for (const [model, usage] of Object.entries(modelUsage)) {
      const size = isRecord(usage) ? usage['contextWindow'] : undefined;
      if (typeof size !== 'number' || !(size > 0)) continue;
      this.#windows.set(model, size);
      this.#windows.set(plainName(model), size);
    }
  }

  #markCompaction(frame: WireObject, n: number, t: number): void {
    const metadata = isRecord(frame['compact_metadata']) ? frame['compact_metadata'] : {};
    const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
    this.#compactions.push({
      n,
      t,
      request: this.mainRequests.length,
      before: number(metadata['pre_tokens']),
      after: number(metadata['post_tokens']),
    });
  }
}

/** A model's name without the mark of a longer window: the answers of `claude-x[1m]` name `claude-x`. */
function plainName(model: string): string {
  return model.endsWith(']') ? model.slice(0, Math.max(0, model.lastIndexOf('['))) : model;
}
