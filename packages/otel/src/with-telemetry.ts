// Adds OpenTelemetry spans to a session through its options alone. Listens to the wire, runs handlers inside the spans of their
// calls, and passes the trace on to the CLI. `span-recorder` makes the spans.
import {
  context,
  metrics,
  propagation,
  trace,
  type Context,
  type Meter,
  type Tracer,
} from '@opentelemetry/api';
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { checkRedact } from '@inboard/core/util/redact-problem.js';
import { withObserver } from '@inboard/core/live/session-observer.js';
import type { McpServers, WithContext } from '@inboard/core/live/tooling/context-option.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { OutputOf } from '@inboard/core/live/output/structured-output.js';
import { query, type Query, type QueryInput } from '@inboard/core/verbs/query/query.js';
import type { AnySchema } from '@inboard/core/answer/schema/infer.js';
import {
  createRedactor,
  type RedactOptions,
  type Redactor,
} from '@inboard/core/record/trace/recorder/redact.js';
import { listSecretValues } from '@inboard/core/record/trace/recorder/secret-variables.js';
import { SpanRecorder } from './span-recorder.js';

/** Which tracer and meter are used, and what the spans may contain. */
export interface TelemetryOptions {
  /** Default: the tracer `inboard` of the global provider. */
  tracer?: Tracer | undefined;
  /** Default: the meter `inboard` of the global provider. */
  meter?: Meter | undefined;
  /** Whether prompts, answers, and arguments and results of tools are written into spans. Default false. */
  captureContent?: boolean | undefined;
  /**
   * What to hide in the texts of spans, in addition to what is hidden by default. Works as in the option `trace`. `false` hides
   * nothing at all.
   */
  redact?: RedactOptions | false | undefined;
  /** The name of the agent in the query's span. Default: the option `agent`, or `claude`. */
  agentName?: string | undefined;
}

/**
 * Works like `query()` and records spans: one for the query, and one for each start of a CLI, turn, model answer, tool call
 * and permission question. The parent is the currently active span.
 *
 * @experimental Names of spans, attributes and metrics follow OpenTelemetry's conventions, which are still changing.
 */
export function tracedQuery<
  const Schema extends AnySchema = undefined,
  Servers extends McpServers = McpServers,
>(input: QueryInput<Schema> & WithContext<Servers>, telemetry?: TelemetryOptions): Query<OutputOf<Schema>> {
  const { prompt, options = {} }: QueryInput<Schema> = input;
  return query<Schema>({ prompt, options: withTelemetry(options, telemetry) });
}

/**
 * Returns the options with telemetry added, for any number of sessions. Each session has its own span. The parent is the span
 * that is active where the session is started, or where a CLI that already runs gets its prompt.
 *
 * @experimental Names of spans, attributes and metrics follow OpenTelemetry's conventions, which are still changing.
 */
export function withTelemetry<Given extends QueryOptions>(
  options: Given,
  telemetry: TelemetryOptions = {},
): Given {
  checkRedact(telemetry.redact, 'withTelemetry()');
  return instrumentSessions(options, telemetry);
}

/**
 * Does the same as `withTelemetry()`. `turnParent` returns the context of a turn that begins, if it differs from the context
 * of the session.
 */
export function instrumentSessions<Given extends QueryOptions>(
  options: Given,
  telemetry: TelemetryOptions,
  turnParent?: () => Context | undefined,
): Given {
  // Only the streamed events of an answer have its final token counts.
  return withObserver({ ...options, streamText: true }, (each, isWarm) => {
    try {
      const recorder = new SpanRecorder({
        tracer: telemetry.tracer ?? trace.getTracer('inboard'),
        meter: telemetry.meter ?? metrics.getMeter('inboard'),
        parent: context.active(),
        isWarm,
        captureContent: telemetry.captureContent ?? false,
        redactor: createSpanRedactor(telemetry.redact, each),
        agentName: telemetry.agentName ?? each.agent ?? 'claude',
        turnParent,
      });
      return {
        options: instrument(each, recorder),
        onCliEnd: (error) => observe(() => recorder.endCli(error)),
        onCallsCompleted: (messages) => observe(() => recorder.complete(messages)),
        onRefused: (error) => observe(() => recorder.end(error)),
      };
    } catch (cause) {
      // If the recorder cannot be made, the session runs without spans.
      warnOfCallback('withTelemetry', cause);
      return { options: each, onCliEnd: () => {}, onCallsCompleted: () => {}, onRefused: () => {} };
    }
  });
}

/**
 * Calls a tracer or a meter. They and their exporters belong to the caller, and must not disturb the session if they fail.
 */
function observe(record: () => void): void {
  callListener(record, (cause) => warnOfCallback('withTelemetry', cause));
}

/** Creates a redactor that hides what a trace of the session would hide. */
function createSpanRedactor(redact: RedactOptions | false = {}, { env, extendEnv }: QueryOptions): Redactor {
  if (redact === false) return createRedactor(false);
  const values = [process.env, env ?? {}, extendEnv ?? {}].flatMap((each) => listSecretValues(each));
  return createRedactor({ ...redact, values: [...values, ...(redact.values ?? [])] });
}

function instrument<Given extends QueryOptions>(options: Given, recorder: SpanRecorder): Given {
  const { onWireLine, aroundTool, canUseTool, onEnd } = options;
  return {
    ...options,
    ...passTrace(options, recorder),
    onWireLine: (direction, line) => {
      observe(() => recorder.hear(direction, line));
      return onWireLine?.(direction, line);
    },
    aroundTool: (call, run) =>
      recorder.inToolCall(call.toolUseId, call.toolName, () => (aroundTool ? aroundTool(call, run) : run())),
    ...(canUseTool && {
      canUseTool: (name, input, facts) =>
        recorder.inToolCall(facts.toolUseID, name, () => canUseTool(name, input, facts)),
    }),
    onEnd: (error) => {
      observe(() => recorder.end(error));
      // The result is returned, so that the caller of `onEnd` can handle a promise.
      return onEnd?.(error);
    },
  };
}

/**
 * Passes the trace to the CLI in the usual environment variables. The parent is the span of the query, or of the start of a
 * warm CLI.
 */
function passTrace(options: QueryOptions, recorder: SpanRecorder): Pick<QueryOptions, 'env' | 'extendEnv'> {
  const carrier: Record<string, string> = {};
  propagation.inject(recorder.context, carrier);
  const variables = Object.fromEntries(
    ['traceparent', 'tracestate'].flatMap((name) => {
      const value = carrier[name];
      return value === undefined ? [] : [[name.toUpperCase(), value]];
    }),
  );
  if (options.env) return { env: { ...options.env, ...variables } };
  return { extendEnv: { ...options.extendEnv, ...variables } };
}
