// The spans of a session's turns, one after another, each from its prompt to its result.
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
  /** The context a turn belongs to that begins now, where turns of one session come from several traces. */
  parent: (() => Context | undefined) | undefined;
  start: (attributes: Attributes, within: Context, links: Link[]) => Span;
}

/** The session that a turn is part of. */
export interface TurnSession {
  span: Span | undefined;
  context: Context;
}

/** The turns of one session; at most one is open. */
export class TurnSpans {
  /** The session's model, as soon as the CLI has named it. */
  model: string | undefined;
  readonly #given: TurnSpansOptions;
  /** Of the turn for which the session was started. */
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

  /** For what is done within the open turn. */
  get context(): Context | undefined {
    return this.#open?.context;
  }

  /** A turn begins; `prompt` is its text where it may be written down. */
  begin(prompt: string | undefined, session: TurnSession): void {
    this.#count += 1;
    const { within, links } = this.#place(session);
    const attributes = { [ATTRIBUTE.turn]: this.#count, [ATTRIBUTE.prompt]: prompt };
    const span = this.#given.start(attributes, within, links);
    this.#open = { span, startedAt: performance.now(), context: trace.setSpan(within, span) };
  }

  /** The open turn is over. */
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

  /** A later turn may belong to another trace. It is put there, with a link to the session it ran in. */
  #place({ span, context }: TurnSession): { within: Context; links: Link[] } {
    const own = this.#given.parent?.();
    if (own === undefined || own === this.#firstParent || !span) return { within: context, links: [] };
    return { within: own, links: [{ context: span.spanContext() }] };
  }
}

/** What the result of a turn tells besides its text; `costUsd` is what the turn cost, where the result names a total. */
export function readResult(frame: WireObject, costUsd: number): Attributes {
  return {
    ...readUsage(frame['usage']),
    [ATTRIBUTE.turnCostUsd]: typeof frame['total_cost_usd'] === 'number' ? costUsd : undefined,
    [ATTRIBUTE.apiRequests]: typeof frame['num_turns'] === 'number' ? frame['num_turns'] : undefined,
  };
}
