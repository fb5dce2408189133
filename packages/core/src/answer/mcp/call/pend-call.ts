// Leaves a call open whose handler returned `pending()`, where the session or the program behind `aroundTool` can wait for the result.
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import { warnOnce } from '../../../util/warn-once.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import type { CliLink } from '../binding/cli-link.js';
import { errorResult } from '../result/content-helpers.js';
import { describePendingRefusal, NO_CONVERSATION, noteOf, type PendingResult } from '../result/pending.js';
import type { CallToolResult } from '../result/tool-content.js';
import type { CompiledTool } from '../tool/compiled-tool.js';
import type { AroundToolCall } from '../tool/tool-events.js';
import { lendPlace } from './lend-place.js';
import { findPendingTaker } from './pending-takers.js';

/** A call that is to be left open. */
export interface PendableCall {
  readonly link: CliLink;
  readonly carrier: AnswerContext | undefined;
  readonly tool: CompiledTool;
  readonly callKey: string;
  readonly around: AroundToolCall | undefined;
  /** Called once the call can be completed, with its key and what its handler said about it. */
  readonly onPending: (callKey: string, note: string | undefined) => void;
}

/** Resolves with the result of the call, or with an error that says why its result cannot come later. */
export async function pendCall(call: PendableCall, value: PendingResult): Promise<CallToolResult> {
  const { link, carrier, tool, callKey, around, onPending } = call;
  const { port } = link;
  const { name } = tool;
  const note = noteOf(value);
  const schema = tool.output && tool.list().outputSchema;
  const output = withoutUndefined({ server: link.name, tool: name, schema });
  const pended = { callKey, note, output, onPending: (key: string) => onPending(key, note) };
  const take = findPendingTaker(around);
  const answer = take
    ? await take(pended)
    : port.pend && carrier
      ? await lendPlace(link, carrier, port.pend(carrier.requestId, pended))
      : { refused: NO_CONVERSATION };
  if (!('refused' in answer)) return answer;
  const message = describePendingRefusal(name, answer.refused as string);
  if (port.onWarning) link.warn({ code: 'PENDING_REFUSED', message, tool: name });
  // A server that is connected to a transport by itself has no listener for warnings.
  else warnOnce(message, 'PENDING_REFUSED');
  return errorResult(message);
}
