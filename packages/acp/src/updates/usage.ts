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
  #used = 0;
  #model = '';
  /** The cost of the session's earlier CLIs. Each CLI counts from 0. */
  #earlierCost = 0;
  #cost = 0;

  /** Notes an answer of the main loop. Its token counts cover the whole context, so the last answer counts. */
  take({ usage, model }: WireObject): void {
    // A message that the CLI wrote itself takes no room in the context window.
    if (!isRecord(usage) || model === '<synthetic>') return;
    this.#used = COUNTS.reduce((sum, field) => sum + countOf(usage[field]), 0);
    this.#model = String(model);
  }

  /** The update for a `result`. None if the CLI does not say how large the context window is. */
  report({ modelUsage, total_cost_usd: cost }: WireObject): SessionUpdate[] {
    if (typeof cost === 'number') {
      if (cost < this.#cost) this.#earlierCost += this.#cost;
      this.#cost = cost;
    }
    const models = isRecord(modelUsage) ? modelUsage : {};
    const own = models[this.#model];
    const size = isRecord(own) ? countOf(own['contextWindow']) : 0;
    if (size === 0) return [];
    return [
      {
        sessionUpdate: 'usage_update',
        used: this.#used,
        size,
        cost: { amount: this.#earlierCost + this.#cost, currency: 'USD' },
      },
    ];
  }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
