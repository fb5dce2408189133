// Collects what a session cost: tokens, cache and money, by turn, model and subagent, and how full the context window was.
// Turns, tokens and money are those of the facts that all views share.
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { InspectorEvent, NumberedEvent } from '../../stream/inspector-event.js';
import { useFacts, type KnownFacts } from '../facts/known-facts.js';
import type { TokenCount } from '../session-summary.js';
import { AgentNames } from './agent-names.js';
import type { sumAgents } from './agent-costs.js';
import { RequestLedger } from './request-ledger.js';
import { addTokens, toTokens } from './cost-types.js';
import type { AgentCost, CompactionMark, ModelCost, CountedRequest, TurnCost } from './cost-types.js';

/** The cost of one session. */
export class CostLedger {
  readonly #requests = new RequestLedger();
  readonly #turns: TurnCost[] = [];
  readonly #models = new Map<string, ModelCost>();
  readonly #windows = new Map<string, number>();
  readonly #compactions: CompactionMark[] = [];
  readonly #names = new AgentNames();
  readonly #facts: KnownFacts;
  readonly #pushFacts: (event: InspectorEvent) => void;
  /** How many of the requests belong to turns that are over. */
  #told = 0;
  /** Where the open turn began; undefined if none is open. */
  #open: { n: number; t: number } | undefined;

  /** With `facts`, the caller gives each event to them first. */
  constructor(given?: KnownFacts) {
    const { facts, push } = useFacts(given);
    this.#facts = facts;
    this.#pushFacts = push;
  }

  push({ n, event }: NumberedEvent): void {
    this.#pushFacts(event);
    const at = { n, t: this.#facts.t };
    if (this.#facts.turns.hasBegun) this.#beginTurn(at);
    if (event.type !== 'frame' || event.dir !== 'in' || !isRecord(event.frame)) return;
    const { frame } = event;
    this.#requests.observe(frame, { ...at, turn: this.#turns.length });
    this.#names.observe(frame);
    if (frame['type'] === 'result') this.#endTurn(frame, at);
    if (frame['subtype'] === 'compact_boundary') this.#markCompaction(frame, at);
  }

  /** All turns that have begun. */
  get turns(): readonly TurnCost[] {
    if (!this.#open) return this.#turns;
    const requests = this.#requests.all.slice(this.#told);
    const { n, t } = requests[0] ?? this.#open;
    const tokens = this.#facts.tokens.openTurn;
    return [
      ...this.#turns,
      this.#describeTurn({ n, t }, { tokens, costUsd: undefined, models: [], isOver: false }),
    ];
  }

  /** The cost that results have reported, in US dollars; undefined until one does. */
  get totalUsd(): number | undefined {
    return this.#facts.tokens.costUsd;
  }

  /** All tokens, including those of the open turn. */
  get tokens(): TokenCount {
    return this.#facts.tokens.read();
  }

  /** What each model used in the turns that are over, the dearest first. */
  get models(): ModelCost[] {
    return [...this.#models.values()].sort((one, other) => other.costUsd - one.costUsd);
  }

  /**
   * Each subagent that asked a model, in the order in which they began, as `sum` finds them. The function is given, so that a
   * page loads it only with the view that needs it.
   */
  agents(sum: typeof sumAgents): AgentCost[] {
    return sum(this.#requests.all, this.#turns, (key) => this.#names.nameOf(key));
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

  #beginTurn(at: { n: number; t: number }): void {
    // The turn before had no result, as after a crash.
    if (this.#open) this.#closeTurn(this.#open, []);
    this.#open = at;
  }

  #endTurn(result: WireObject, at: { n: number; t: number }): void {
    this.#readWindows(result['modelUsage']);
    const models = Object.entries(this.#facts.tokens.last.byModel).map(([model, share]): ModelCost => ({
      model,
      tokens: toTokens(share),
      costUsd: share.costUsd,
      contextWindow: this.windowOf(model),
    }));
    for (const share of models) this.#addModel(share);
    this.#closeTurn(at, models);
  }

  #closeTurn(at: { n: number; t: number }, models: ModelCost[]): void {
    const { tokens, costUsd } = this.#facts.tokens.last;
    this.#turns.push(this.#describeTurn(at, { tokens, costUsd, models, isOver: true }));
    this.#told = this.#requests.all.length;
    this.#open = undefined;
  }

  #describeTurn(
    { n, t }: { n: number; t: number },
    used: Pick<TurnCost, 'tokens' | 'costUsd' | 'models' | 'isOver'>,
  ): TurnCost {
    const requests = this.#requests.all.length - this.#told;
    return { number: this.#turns.length + 1, n, t, requests, totalUsd: this.totalUsd, ...used };
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

  #markCompaction(frame: WireObject, { n, t }: { n: number; t: number }): void {
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
