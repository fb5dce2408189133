// Runs a call inside `aroundTool`. If the handler throws, the model reads the error as the tool's answer. If the
// callback itself throws, only the program gets the error.
import { LeaseLostError, ToolResultError } from '../../../errors.js';
import { isThenable } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import type { CallToolResult } from '../result/tool-content.js';
import type { AroundTool, AroundToolCall } from '../tool/tool-events.js';
import { runDirectly, runTool, type RunningCall } from './run-tool.js';

type Outcome = CallToolResult | Promise<CallToolResult>;

/** The part of a call that `aroundTool` needs. */
interface SurroundedCall {
  readonly toolName: string;
  readonly around: AroundToolCall;
  warn(message: string): void;
}

/** Runs the tool, inside `aroundTool` if it is set. Undefined if the result is given to the call itself later. */
export function runCall(
  call: SurroundedCall & RunningCall,
  args: unknown,
  aroundTool: AroundTool | undefined,
): Outcome | undefined {
  if (aroundTool) return runAround(call, aroundTool, () => runTool(call, args));
  return call.tool.isPlain ? runDirectly(call, args) : runTool(call, args);
}

/**
 * Runs a call through the callback. An error of the handler is thrown unchanged. For an error of the callback, another
 * error is thrown that reveals nothing about it.
 */
function runAround(call: SurroundedCall, aroundTool: AroundTool, run: () => Outcome): Outcome {
  const thrown = new Set<unknown>();
  const keep = (error: unknown): never => {
    thrown.add(error);
    throw error;
  };
  const runKept = (): Outcome => {
    try {
      const outcome = run();
      return isThenable(outcome) ? outcome.then(undefined, keep) : outcome;
    } catch (error) {
      return keep(error);
    }
  };
  const hide = (cause: unknown): never => {
    if (thrown.has(cause)) throw cause;
    // No fault of the callback. Whoever held the lease tells of its end, and the reply reaches no CLI that goes on.
    if (cause instanceof LeaseLostError)
      throw new ToolResultError(
        `The call of the tool "${call.toolName}" has ended: another process may have the conversation`,
      );
    call.warn(`The callback "aroundTool" failed around the tool "${call.toolName}": ${messageOf(cause)}`);
    throw new ToolResultError(
      `The tool "${call.toolName}" could not be called: a callback in the host failed`,
    );
  };
  try {
    const outcome = aroundTool(call.around, runKept);
    if (isThenable(outcome)) return Promise.resolve(outcome).then(checkOutcome).catch(hide);
    return checkOutcome(outcome);
  } catch (error) {
    return hide(error);
  }
}

function checkOutcome(outcome: unknown): CallToolResult {
  if (typeof outcome === 'object' && outcome !== null) return outcome as CallToolResult;
  throw new TypeError('it must return what "run" returns');
}
