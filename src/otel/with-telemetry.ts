// Puts the spans of OpenTelemetry around a session, by options alone: it listens to the wire, runs handlers inside
// the spans of their calls, and passes the trace on to the CLI.
import { context, propagation, trace, type Tracer } from '@opentelemetry/api';
import type { QueryOptions } from '../live/tooling/name-tools.js';
import { query, type OutputOf, type Query, type QueryInput } from '../verbs/query/query.js';
import type { AnySchema } from '../answer/schema/infer.js';
import { SpanRecorder } from './span-recorder.js';

/** Which tracer is used, and what its spans may hold. */
export interface TelemetryOptions {
  /** Default: the global one's, named `inboard`. */
  tracer?: Tracer;
  /** Whether prompts, answers, and arguments and results of tools are written into spans. Default false. */
  captureContent?: boolean;
  /** The name of the agent in the query's span. Default: the option `agent`, or `claude`. */
  agentName?: string;
}

/** `query()` with spans: its own, one for each turn, answer of the model, tool call and permission wait. The parent is the span active now. */
export function tracedQuery<const Schema extends AnySchema = undefined>(
  { prompt, options = {} }: QueryInput<Schema>,
  telemetry?: TelemetryOptions,
): Query<OutputOf<Schema>> {
  const { recorder, watched } = instrument(options, telemetry);
  try {
    return query<Schema>({ prompt, options: watched });
  } catch (error) {
    recorder.end(error);
    throw error;
  }
}

/** The same options with spans, for one session: for `run()` or `startup()`. The span of the query begins here, and ends with the session. */
export function withTelemetry<Given extends QueryOptions>(
  options: Given,
  telemetry?: TelemetryOptions,
): Given {
  return instrument(options, telemetry).watched;
}

function instrument<Given extends QueryOptions>(
  options: Given,
  telemetry: TelemetryOptions = {},
): { recorder: SpanRecorder; watched: Given } {
  const recorder = new SpanRecorder({
    tracer: telemetry.tracer ?? trace.getTracer('inboard'),
    parent: context.active(),
    captureContent: telemetry.captureContent ?? false,
    agentName: telemetry.agentName ?? options.agent ?? 'claude',
  });
  const { onWireLine, aroundTool, canUseTool, onEnd } = options;
  const watched: Given = {
    ...options,
    ...passTrace(options, recorder),
    onWireLine: (direction, line) => {
      recorder.hear(direction, line);
      onWireLine?.(direction, line);
    },
    aroundTool: (call, run) =>
      recorder.inToolCall(call.toolUseId, call.toolName, () => (aroundTool ? aroundTool(call, run) : run())),
    ...(canUseTool && {
      canUseTool: (name, input, facts) =>
        recorder.inToolCall(facts.toolUseID, name, () => canUseTool(name, input, facts)),
    }),
    onEnd: (error) => {
      recorder.end(error);
      onEnd?.(error);
    },
  };
  return { recorder, watched };
}

/** The CLI gets the query's span as its parent, in the variables that programs look into. */
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
