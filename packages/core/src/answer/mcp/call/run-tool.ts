// Does the work of one call, from its arguments to its result. It checks the arguments, waits at the tool's gates, runs
// the handler, retries if the tool says so, and converts the return value. With a synchronous handler and input schema,
// nothing is asynchronous, unless the tool has limits or an output schema.
import { isThenable } from '../../../util/guards.js';
import type { ValidationResult } from '../../schema/compile-schema.js';
import { checkArguments, explainArguments } from './check-arguments.js';
import type { CompiledTool } from '../tool/compiled-tool.js';
import { finishValue } from '../result/finish-value.js';
import { isPendingResult, type PendingResult } from '../result/pending.js';
import { followSteps, isStepSource, type StepListener } from './follow-steps.js';
import type { ConcurrencyGate } from '../tool/concurrency-gate.js';
import type { HandlerExtra } from '../tool/handler-extra.js';
import type { CallToolResult } from '../result/tool-content.js';
import { errorResult } from '../result/content-helpers.js';

/** The call on whose behalf a tool runs. */
export interface RunningCall extends StepListener {
  readonly tool: CompiledTool;
  readonly server: string;
  readonly extra: HandlerExtra;
  /** Enters the gate, and leaves it when the call ends. False when the call ended while it waited. */
  enter(gate: ConcurrencyGate): Promise<boolean>;
  /** Makes the call fail when it still runs after `ms`. */
  limitTime(ms: number): void;
  /** Waits for `ms`, or until the call ends. */
  sleep(ms: number): Promise<void>;
  /** Leaves the call open until its result comes. Resolves with that result, or with an error where this is refused. */
  pend(value: PendingResult): Promise<CallToolResult>;
  finish(result: CallToolResult): void;
  fail(thrown: unknown): void;
}

/** Runs a call's tool. If this throws or rejects, the tool has failed. */
export function runTool(call: RunningCall, args: unknown): CallToolResult | Promise<CallToolResult> {
  const checked = checkArguments(call.tool, args);
  if (isThenable(checked)) return checked.then((result) => runChecked(call, result, args));
  return runChecked(call, checked, args);
}

/**
 * Runs a tool without limits, in fewer steps than `runTool`. Returns undefined when the handler returns a promise. The
 * call itself then gets the result as soon as the promise settles.
 */
export function runDirectly(
  call: RunningCall,
  args: unknown,
): CallToolResult | Promise<CallToolResult> | undefined {
  const checked = checkArguments(call.tool, args);
  if (isThenable(checked)) return checked.then((result) => runChecked(call, result, args));
  if (!checked.ok) return runChecked(call, checked, args);
  const returned = callHandler(call, checked.value);
  if (!isThenable(returned)) return finishReturned(call, returned);
  Promise.resolve(returned).then(
    (value) => finishLater(call, value),
    (error: unknown) => call.fail(error),
  );
  return undefined;
}

function finishLater(call: RunningCall, value: unknown): void {
  let result: CallToolResult | Promise<CallToolResult>;
  try {
    result = finishReturned(call, value);
  } catch (error) {
    call.fail(error);
    return;
  }
  if (!isThenable(result)) call.finish(result);
  else
    result.then(
      (settled) => call.finish(settled),
      (error: unknown) => call.fail(error),
    );
}

function runChecked(
  call: RunningCall,
  checked: ValidationResult,
  args: unknown,
): CallToolResult | Promise<CallToolResult> {
  if (!checked.ok) return errorResult(explainArguments(call.tool, checked.issues, args));
  return call.tool.hasLimits ? runWithLimits(call, checked.value) : runOnce(call, checked.value);
}

async function runWithLimits(call: RunningCall, value: unknown): Promise<CallToolResult> {
  const { gates, timeoutMs, retries } = call.tool;
  for (const gate of gates) if (!(await call.enter(gate))) return { content: [] };
  if (timeoutMs !== undefined) call.limitTime(timeoutMs);
  for (let left = retries?.times ?? 0; ; left -= 1) {
    try {
      return await runOnce(call, value);
    } catch (error) {
      const again = left > 0 && !call.settled && (retries?.when?.(error) ?? true);
      if (!again) throw error;
      if (retries?.delayMs) await call.sleep(retries.delayMs);
      if (call.settled) throw error;
    }
  }
}

function runOnce(call: RunningCall, value: unknown): CallToolResult | Promise<CallToolResult> {
  const returned = callHandler(call, value);
  return isThenable(returned)
    ? Promise.resolve(returned).then((settled) => finishReturned(call, settled))
    : finishReturned(call, returned);
}

/** Calls the handler. The context is made only for a handler that can read it. */
function callHandler(call: RunningCall, value: unknown): unknown {
  const { tool } = call;
  if (!tool.readsContext) return tool.handler(value, undefined as never);
  const { extra } = call;
  return tool.handler(tool.takesArguments ? value : extra, extra);
}

function finishReturned(call: RunningCall, value: unknown): CallToolResult | Promise<CallToolResult> {
  if (isPendingResult(value)) return call.pend(value);
  if (isStepSource(value)) return followSteps(value, call).then((last) => finishReturned(call, last));
  const { tool, server } = call;
  return finishValue(value, { server, tool: tool.name, output: tool.output });
}
