// Records the metrics beside the spans. Their names follow the GenAI conventions.
import type { Attributes, Histogram, Meter } from '@opentelemetry/api';
import { ATTRIBUTE, METRIC, OPERATION, PROVIDER } from './attributes.js';

const SECONDS = {
  unit: 's',
  advice: {
    explicitBucketBoundaries: [
      0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
    ],
  },
};
const TOKENS = {
  unit: '{token}',
  advice: { explicitBucketBoundaries: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576] },
};

/** The instruments of one meter. */
export class Measurements {
  readonly #chat: Histogram;
  readonly #tokens: Histogram;
  readonly #tool: Histogram;
  readonly #turn: Histogram;

  constructor(meter: Meter) {
    this.#chat = meter.createHistogram(METRIC.chatDuration, {
      description: 'Duration of model answers',
      ...SECONDS,
    });
    this.#tokens = meter.createHistogram(METRIC.tokens, {
      description: 'Tokens per model answer',
      ...TOKENS,
    });
    this.#tool = meter.createHistogram(METRIC.toolDuration, {
      description: 'Duration of tool calls',
      ...SECONDS,
    });
    this.#turn = meter.createHistogram(METRIC.turnDuration, {
      description: 'Duration of agent turns',
      ...SECONDS,
    });
  }

  /** Measures an answer of the model. `usage` has only the token counts that are certain. */
  chat(startedAt: number, facts: Attributes, usage: Attributes): void {
    const attributes = { ...facts, [ATTRIBUTE.operation]: OPERATION.chat, [ATTRIBUTE.provider]: PROVIDER };
    this.#chat.record(secondsSince(startedAt), attributes);
    for (const [type, name] of [
      ['input', ATTRIBUTE.inputTokens],
      ['output', ATTRIBUTE.outputTokens],
    ] as const) {
      const count = usage[name];
      if (typeof count === 'number')
        this.#tokens.record(count, { ...attributes, [ATTRIBUTE.tokenType]: type });
    }
  }

  tool(startedAt: number, facts: Attributes): void {
    this.#tool.record(secondsSince(startedAt), { ...facts, [ATTRIBUTE.operation]: OPERATION.tool });
  }

  turn(startedAt: number, facts: Attributes): void {
    const attributes = { ...facts, [ATTRIBUTE.operation]: OPERATION.agent, [ATTRIBUTE.provider]: PROVIDER };
    this.#turn.record(secondsSince(startedAt), attributes);
  }
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
