// Keeps the spans of a session's turns, one after another. Each lasts from the prompt to the result.
import { trace, type Attributes, type Context, type Link, type Span } from '@opentelemetry/api';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { ATTRIBUTE, readUsage } from './attributes.js';
import { failWith, type Failure } from './end-span.js';
import type { Measurements } from './measurements.js';

interface OpenTurn {
  span: Span;
  startedAt: number;
  context: Context;
}

export interface TurnSpansOptions {
  measurements: Measurements;
  agentName: string;
  /** Returns the context of the turn that begins now. Set only if the turns of one session may come from several traces. */
  parent: (() => Context | undefined) | undefined;
  start: (attributes: Attributes, within: Context, links: Link[]) => Span;
}

/** The session that a turn is part of. */
export interface TurnSession {
  span: Span | undefined;
  context: Context;
}

/** The turns of one session. At most one is open. */
export class TurnSpans {
  /** The session's model, as soon as the CLI has named it. */
  model: string | undefined;
  readonly #given: TurnSpansOptions;
  /** The context of the turn for which the session was started. */
  readonly #firstParent: Context | undefined;
  #open: OpenTurn | undefined;
  #count = 0;

  constructor(given: TurnSpansOptions) {
    this.#given = given;
    this.#firstParent = given.parent?.();
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The context for work within the open turn. */
  get context(): Context | undefined {
    return this.#open?.context;
  }

  /** Begins the span of a turn. `prompt` is the text of the prompt, if content is captured. */
  begin(prompt: string | undefined, session: TurnSession): void {
    this.#count += 1;
    const { within, links } = this.#place(session);
    const attributes = { [ATTRIBUTE.turn]: this.#count, [ATTRIBUTE.prompt]: prompt };
    const span = this.#given.start(attributes, within, links);
    this.#open = { span, startedAt: performance.now(), context: trace.setSpan(within, span) };
  }

  /** Ends the span of the open turn. */
  end(facts: Attributes, failure: Failure | undefined): void {
    const turn = this.#open;
    if (!turn) return;
    this.#open = undefined;
    turn.span.setAttributes(withoutUndefined(facts));
    if (failure) failWith(turn.span, failure);
    this.#given.measurements.turn(
      turn.startedAt,
      withoutUndefined({
        [ATTRIBUTE.agentName]: this.#given.agentName,
        [ATTRIBUTE.requestModel]: this.model,
        [ATTRIBUTE.errorType]: failure?.type,
      }),
    );
    turn.span.end();
  }

  /**
   * Finds the parent of a turn's span. A later turn may belong to another trace. Its span goes there, with a link to the
   * session.
   */
  #place({ span, context }: TurnSession): { within: Context; links: Link[] } {
    const own = this.#given.parent?.();
    if (own === undefined || own === this.#firstParent || !span) return { within: context, links: [] };
    return { within: own, links: [{ context: span.spanContext() }] };
  }
}

/**
 * The attributes that come from the result of a turn, without its text. `costUsd` is the cost of this turn, and is used only if
 * the result names a total.
 */
export function readResult(frame: WireObject, costUsd: number): Attributes {
  return {
    ...readUsage(frame['usage']),
    [ATTRIBUTE.turnCostUsd]: typeof frame['total_cost_usd'] === 'number' ? costUsd : undefined,
    [ATTRIBUTE.apiRequests]: typeof frame['num_turns'] === 'number' ? frame['num_turns'] : undefined,
  };
}
