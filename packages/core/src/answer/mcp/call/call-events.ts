// What is told of a call: how far its handler has got, how the call ended, and what its handler may no longer do.
import { SessionClosedError } from '../../../errors.js';
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import type { JSONRPCId } from '../../../wire/protocol/json-rpc.js';
import type { CliLink } from '../binding/cli-link.js';
import { asError } from '../result/describe-failure.js';
import type { CallToolResult } from '../result/tool-content.js';
import type { CompiledTool } from '../tool/compiled-tool.js';
import { readResultError, type ToolEventBody, type ToolProgress } from '../tool/tool-events.js';

/** How a call ended. */
export type CallEnd = 'end' | 'error' | 'cancelled';

/** Progress as a handler reports it. A text is the next step, without a number of its own. */
export function completeProgress(update: number | string | ToolProgress, steps: number): ToolProgress {
  if (typeof update === 'object') return update;
  return typeof update === 'number' ? { progress: update } : { progress: steps, message: update };
}

interface ProgressPassedOn {
  readonly link: CliLink;
  readonly carrier: AnswerContext | undefined;
  readonly progress: ToolProgress;
}

/** Tells the CLI how far a call has got, and the records if the CLI may be gone. */
export function passOnProgress(
  { id, tool, meta }: { id: JSONRPCId; tool: CompiledTool; meta: Record<string, unknown> | undefined },
  { link, carrier, progress }: ProgressPassedOn,
): void {
  // The CLI may be gone by now, so that only the records tell other processes how far the call has got.
  if (tool.detached && carrier) link.port.recordProgress?.(carrier.requestId, progress);
  const progressToken = meta?.['progressToken'];
  if (progressToken === undefined) return;
  const params = { progressToken, ...progress };
  // Nobody waits for progress to be sent, and a closed link needs none.
  link.notify({ method: 'notifications/progress', params }, id).catch(() => {});
}

/** The error for a request that a handler makes after its call. */
export function requestTooLate(toolName: string): SessionClosedError {
  return new SessionClosedError(
    `The call to "${toolName}" is over; it can no longer send requests to the CLI`,
  );
}

/** The last event of a call. */
export function describeCallEnd(
  type: CallEnd,
  { durationMs, result, why }: { durationMs: number; result: CallToolResult; why: unknown },
): ToolEventBody {
  if (type === 'end') return { type, durationMs, result };
  if (type === 'cancelled') return { type, durationMs, reason: asError(why) };
  return { type, durationMs, error: why === undefined ? readResultError(result) : asError(why) };
}
