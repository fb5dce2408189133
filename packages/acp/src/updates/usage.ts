// Reports after each turn how full the context window is, and how much the session has cost.
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';

const COUNTS = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
] as const;

/** The tokens and the cost of one session. */
export class EditorUsage {
  /** Returns the cost of each turn that has ended since the session was opened. */
  readonly #listCosts: () => readonly number[];
  #used = 0;
  #model = '';
  /** What the session had cost before it was opened, as far as its CLI counts that. Undefined before the first result. */
  #before: number | undefined;

  constructor(listCosts: () => readonly number[]) {
    this.#listCosts = listCosts;
  }

  /** Notes an answer of the main loop. Its token counts cover the whole context, so the last answer counts. */
  take({ usage, model }: WireObject): void {
    // A message that the CLI wrote itself takes no room in the context window.
    if (!isRecord(usage) || model === '<synthetic>') return;
    this.#used = COUNTS.reduce((sum, field) => sum + countOf(usage[field]), 0);
    this.#model = String(model);
  }

  /** The update for a `result`. None if the CLI does not say how large the context window is. */
  report({ modelUsage, total_cost_usd: cost }: WireObject): SessionUpdate[] {
    const models = isRecord(modelUsage) ? modelUsage : {};
    const own = models[this.#model];
    const size = isRecord(own) ? countOf(own['contextWindow']) : 0;
    if (size === 0) return [];
    // The totals of two CLIs cannot be compared: a newer CLI goes on with the total of its session, an older one counts from 0.
    const spent = this.#listCosts().reduce((sum, each) => sum + each, 0);
    this.#before ??= Math.max(0, countOf(cost) - spent);
    return [
      {
        sessionUpdate: 'usage_update',
        used: this.#used,
        size,
        cost: { amount: this.#before + spent, currency: 'USD' },
      },
    ];
  }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
