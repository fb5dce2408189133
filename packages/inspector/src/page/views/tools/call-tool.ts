// Calls a tool as it is now, outside the conversation, and reads the input and result of recorded calls.
import { isRecord } from '@inboard/core/util/guards.js';
import { HIDDEN } from '@inboard/core/record/trace/trace-event.js';
import {
  readWireAnswer,
  readMcpAnswer,
  readWireQuestion,
} from '@inboard/core/record/trace/timeline/wire-question.js';
import type { ActionError } from '../../../model/page-contract.js';
import type { ObservedCall, ToolEntry } from '../../../model/tools/tool-entry.js';
import { decodeNumbered } from '../../../stream/event-codec.js';
import { act } from '../../cards/answer-card.js';
import type { Store } from '../../store/store.js';

/** The outcome of a call. */
export interface CallOutcome {
  result: unknown;
  durationMs: number | undefined;
  error: ActionError | undefined;
}

/** Why a tool cannot be called from this page; undefined if it can. */
export function noCallBecause(store: Store, tool: ToolEntry): string | undefined {
  const state = store.state.value;
  if (store.source.kind === 'embedded') return 'This page is a file: no tool is behind it.';
  if (state?.isReadOnly) return 'This page is read-only.';
  if (store.end.value) return 'The program is gone: no tool is behind this page any more.';
  if (!tool.runsHere || tool.server === undefined)
    return 'Only tools of this process can be called by hand: this one runs in the CLI or in a server of its own.';
  return state?.noToolsBecause;
}

/** Calls a tool; never rejects. */
export async function callToolFromPage(
  store: Store,
  session: string,
  tool: ToolEntry,
  input: Record<string, unknown>,
): Promise<CallOutcome> {
  const server = tool.server ?? '';
  const done = await act(() =>
    store.source.act({ action: 'call-tool', session, server, tool: tool.name, input }),
  );
  if (!done.ok) return { result: undefined, durationMs: undefined, error: done.error };
  const { durationMs, ...result } = isRecord(done.result) ? done.result : { content: done.result };
  return { result, durationMs: typeof durationMs === 'number' ? durationMs : undefined, error: undefined };
}

/** A recorded call, read from its events. */
export interface CallContents {
  input: Record<string, unknown>;
  /** The MCP result, or the error in its place. */
  result: unknown;
  /** Whether a part of the input was hidden. */
  hasHidden: boolean;
}

/** Reads a recorded call; undefined if its events are no longer available. */
export async function readRecordedCall(
  store: Store,
  session: string,
  call: ObservedCall,
): Promise<CallContents | undefined> {
  const [request, answer] = await Promise.all([
    readFrame(store, session, call.requestN),
    readFrame(store, session, call.answerN),
  ]);
  const question = request && readWireQuestion(request);
  const params =
    question?.mcp && isRecord(question.mcp.message['params']) ? question.mcp.message['params'] : undefined;
  if (!params) return undefined;
  const input = isRecord(params['arguments']) ? params['arguments'] : {};
  const reply = answer && readMcpAnswer(readWireAnswer(answer)?.value);
  return {
    input,
    result: isRecord(reply) ? (reply['result'] ?? { error: reply['error'] }) : undefined,
    hasHidden: HIDDEN.test(JSON.stringify(input)),
  };
}

async function readFrame(
  store: Store,
  session: string,
  n: number | undefined,
): Promise<Record<string, unknown> | undefined> {
  if (n === undefined) return undefined;
  const line = await store.source.readWhole(session, n);
  const event = line === undefined ? undefined : decodeNumbered(line)?.event;
  return event?.type === 'frame' ? event.frame : undefined;
}
