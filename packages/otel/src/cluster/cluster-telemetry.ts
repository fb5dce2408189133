// Records spans and metrics of a cluster. The journal keeps the trace context as a text beside each message. So one trace leads
// from the message that is sent to the tool that runs for it in another process.
import {
  context,
  createContextKey,
  metrics,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';
import type { ConversationRecord, TurnRecord } from '@inboard/cluster/journal/records.js';
import {
  CLUSTER_ATTRIBUTE as ATTRIBUTE,
  DESTINATION,
  MESSAGING,
} from '@inboard/cluster/numbers/cluster-attributes.js';
import {
  measureEvent,
  measureProcess,
  measureSend,
  messagingFacts,
  type ClusterNumbers,
} from '@inboard/cluster/numbers/measure.js';
import type { ClusterTelemetry } from '@inboard/cluster/work/host/host-parts.js';
import type { WorkerEvent } from '@inboard/cluster/work/host/worker-event.js';
import type { HealthReport } from '@inboard/core/health/health-report.js';
import type { RecordMetric } from '@inboard/core/health/metric.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { createRedactor, type Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { listSecretValues } from '@inboard/core/record/trace/recorder/secret-variables.js';
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { checkRedact } from '@inboard/core/util/redact-problem.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { failSpan, failureOf, failWith } from '../end-span.js';
import { instrumentSessions, type TelemetryOptions } from '../with-telemetry.js';
import { createNumbers, observeNumbers } from './cluster-numbers.js';
import { formatTraceParent, parseTraceParent } from './trace-parent.js';

/** Which tracer and meter are used, and where the numbers of the whole cluster come from. */
export interface ClusterTelemetryOptions extends TelemetryOptions {
  /**
   * Returns the numbers of the whole cluster: `() => cluster.stats()`, or `() => journal.stats()` without those of workers,
   * pauses and the oldest question. It is called when metrics are collected, once at a time, and not within five seconds after it
   * returned. It is enough to set this in one process of the cluster. Default: only the work of this process is measured.
   */
  stats?: (() => Promise<ClusterNumbers>) | undefined;
  /**
   * Returns the health of this process: `() => cluster.health()`. It is called whenever metrics are collected. Set it in every
   * process. Default: health is not measured.
   */
  health?: (() => Promise<HealthReport>) | undefined;
}

/** The telemetry of a cluster. Close it when you are done. */
export interface OpenClusterTelemetry extends ClusterTelemetry, Disposable {
  /** Stops reading the numbers of the cluster. */
  close(): void;
}

/** A turn that this process is working on. */
interface OpenTurn {
  span: Span;
  context: Context;
}

/** The key of the conversation in the context of its turn. */
const CONVERSATION = createContextKey('inboard.conversation');

/**
 * Creates the telemetry for `createCluster({ telemetry })`. It records a span for sending a message and one for working on its
 * turn, with the session's own spans below that, and metrics.
 *
 * @experimental Names of spans, attributes and metrics follow OpenTelemetry's conventions, which are still changing.
 */
export function clusterTelemetry(options: ClusterTelemetryOptions = {}): OpenClusterTelemetry {
  return new ClusterSpans(options);
}

class ClusterSpans implements OpenClusterTelemetry {
  readonly #options: ClusterTelemetryOptions;
  readonly #redactor: Redactor;
  readonly #record: RecordMetric;
  readonly #stopStats: () => void;
  /** The open turns by conversation. A conversation has one turn at a time. */
  readonly #open = new Map<string, OpenTurn & { turn: string }>();

  constructor(options: ClusterTelemetryOptions) {
    this.#options = options;
    const { redact = {}, stats, health } = options;
    checkRedact(redact, 'clusterTelemetry()');
    this.#redactor = createRedactor(
      redact && { ...redact, values: [...listSecretValues(process.env), ...(redact.values ?? [])] },
    );
    const meter = options.meter ?? metrics.getMeter('inboard');
    this.#record = createNumbers(meter);
    this.#stopStats = stats || health ? observeNumbers(meter, { stats, health }, warn) : () => {};
  }

  async send<T>(
    turn: { key: string; id: string },
    run: (trace: string | undefined) => Promise<T>,
  ): Promise<T> {
    const span = this.#start('send', SpanKind.PRODUCER, context.active(), {
      [MESSAGING.messageId]: turn.id,
      [MESSAGING.conversation]: turn.key,
    });
    const within = span ? trace.setSpan(context.active(), span) : context.active();
    const text = span && formatTraceParent(span.spanContext());
    return await this.#around(span, () => context.with(within, () => run(text)), {
      done: (seconds, failed) => measureSend(this.#record, seconds, failed),
    });
  }

  async turn<T>(turn: TurnRecord, conversation: ConversationRecord, run: () => Promise<T>): Promise<T> {
    const { key } = conversation;
    const sender = parseTraceParent(turn.trace);
    const parent = sender ? trace.setSpanContext(ROOT_CONTEXT, sender) : ROOT_CONTEXT;
    const span = this.#start('process', SpanKind.CONSUMER, parent, {
      [MESSAGING.messageId]: turn.id,
      [MESSAGING.conversation]: key,
      [ATTRIBUTE.session]: conversation.sessionId,
      [ATTRIBUTE.agent]: conversation.agent,
      [ATTRIBUTE.tenant]: conversation.tenant,
      [ATTRIBUTE.attempt]: turn.attempt,
      [ATTRIBUTE.place]: turn.place,
      [ATTRIBUTE.epoch]: turn.epoch,
    });
    const within = (span ? trace.setSpan(parent, span) : parent).setValue(CONVERSATION, key);
    const open = span && { span, context: within, turn: turn.id };
    if (open) this.#open.set(key, open);
    return await this.#around(span, () => context.with(within, run), {
      done: (seconds, failed) => {
        if (this.#open.get(key) === open) this.#open.delete(key);
        measureProcess(this.#record, seconds, failed);
      },
    });
  }

  options(options: QueryOptions): QueryOptions {
    const key = context.active().getValue(CONVERSATION);
    // A CLI may serve turns whose messages belong to different traces. The spans of each turn go to the trace of its message.
    const turnParent = typeof key === 'string' ? () => this.#open.get(key)?.context : undefined;
    return instrumentSessions(options, this.#options, turnParent);
  }

  event(event: WorkerEvent): void {
    observe(() => measureEvent(this.#record, event));
    observe(() => this.#note(event));
  }

  close(): void {
    observe(this.#stopStats);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Adds a worker's event about a turn to the span of that turn, while the span is open. */
  #note(event: WorkerEvent): void {
    if (!('key' in event) || event.key === undefined) return;
    const open = this.#open.get(event.key);
    if (!open || ('turn' in event && event.turn !== open.turn)) return;
    const { span } = open;
    switch (event.type) {
      case 'turn-started':
        span.setAttributes({
          [ATTRIBUTE.how]: event.how,
          [ATTRIBUTE.queueMs]: event.queuedMs,
          [ATTRIBUTE.worker]: event.worker,
        });
        break;
      case 'turn-ended': {
        const { kind, turnCostUsd, ok, text, error } = event.outcome;
        span.setAttributes({ [ATTRIBUTE.kind]: kind, [ATTRIBUTE.costUsd]: turnCostUsd });
        const message = this.#redactor.redactText(error?.message ?? text);
        if (!ok) failWith(span, { type: error?.code ?? kind, message });
        break;
      }
      case 'turn-parked':
        span.setAttribute(ATTRIBUTE.left, 'parked');
        break;
      case 'turn-handed-over':
        span.setAttribute(ATTRIBUTE.left, 'handed-over');
        break;
      case 'turn-waiting':
        span.setAttribute(ATTRIBUTE.left, 'waiting');
        break;
      case 'lost':
        span.setAttribute(ATTRIBUTE.left, 'lost');
        span.addEvent('inboard.lease.lost', { [ATTRIBUTE.why]: event.why });
        break;
      case 'call-repeated':
        span.addEvent('inboard.call.repeated', {
          [ATTRIBUTE.toolName]: event.toolName,
          [ATTRIBUTE.answer]: event.answer,
        });
        break;
      case 'call-completed':
        span.addEvent('inboard.call.completed', {
          [ATTRIBUTE.toolName]: event.toolName,
          [ATTRIBUTE.answer]: event.how,
        });
        break;
      default:
    }
  }

  /** Starts a span. A tracer that fails must not keep a message from being sent. */
  #start(name: 'send' | 'process', kind: SpanKind, within: Context, facts: object): Span | undefined {
    try {
      const tracer = this.#options.tracer ?? trace.getTracer('inboard');
      const attributes = withoutUndefined({ ...messagingFacts(name), ...facts });
      return tracer.startSpan(`${name} ${DESTINATION}`, { kind, attributes }, within);
    } catch (cause) {
      warn(cause);
      return undefined;
    }
  }

  async #around<T>(
    span: Span | undefined,
    run: () => Promise<T>,
    { done }: { done: (seconds: number, errorType: string | undefined) => void },
  ): Promise<T> {
    const begun = performance.now();
    const end = (failed?: string): void => {
      observe(() => done((performance.now() - begun) / 1000, failed));
      observe(() => span?.end());
    };
    try {
      const result = await run();
      end();
      return result;
    } catch (error) {
      observe(() => span && failSpan(span, error, this.#redactor));
      end(failureOf(error, this.#redactor).type);
      throw error;
    }
  }
}

/**
 * Calls a tracer or a meter. They and their exporters belong to the caller, and must not disturb the cluster if they fail.
 */
function observe(record: () => unknown): void {
  callListener(record, warn);
}

function warn(cause: unknown): void {
  warnOfCallback('clusterTelemetry', cause);
}
