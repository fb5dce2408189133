// A result that comes later: what a handler returns when its call stays open until another part of the program, or another
// process, completes it.
import { InvalidOptionsError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';
import type { CallToolResult } from './tool-content.js';

/** Marks the object, also for another copy of this package in the same process. */
const MARK = Symbol.for('inboard.pending');
/** Marks the object in JSON, for servers that were not made by this library and pass it on as a result. */
const META = 'inboard/pending';

/** What `pending()` returns, for a handler to return in its turn. */
export interface PendingResult extends CallToolResult {
  readonly [MARK]: { readonly note?: string };
}

/** What a pending call says about itself. */
export interface PendingOptions {
  /** A sentence for the people and programs that list open calls, such as what is waited for. The model does not see it. */
  note?: string | undefined;
}

const REFUSAL = 'it returned pending(), and its server cannot wait for a result that comes later';

/**
 * Says that the result of this call comes later: `return pending({ note })`. The call stays open, even if the CLI or this
 * process ends, until `createCalls().complete()` or `fail()` is called with its `callKey`. It works in conversations with
 * records: `openSession`, groups, `inboard/ui` and ACP. Throws an InvalidOptionsError if `note` is not a text.
 */
export function pending(options: PendingOptions = {}): PendingResult {
  const note = isRecord(options) ? options['note'] : null;
  if (note !== undefined && typeof note !== 'string')
    throw new InvalidOptionsError(['note'], 'pending() takes { note }, where note is a text, or nothing');
  const mark = note === undefined ? {} : { note };
  // A server of another library takes the object for a result. It is an error then, and says why.
  return {
    content: [{ type: 'text', text: `The call has no result: ${REFUSAL}.` }],
    isError: true,
    _meta: { [META]: mark },
    [MARK]: mark,
  };
}

/** Whether a handler's value says that the result comes later. */
export function isPendingResult(value: unknown): value is PendingResult {
  return typeof value === 'object' && value !== null && MARK in value;
}

/** The note of a pending result. */
export function noteOf(value: PendingResult): string | undefined {
  return value[MARK].note;
}

/** Whether a result that came from a server of another library is one of `pending()`. */
export function wasPending(result: unknown): boolean {
  const meta = isRecord(result) ? result['_meta'] : undefined;
  return isRecord(meta) && META in meta;
}

/** Why a handler's `pending()` is refused, as a sentence that names the tool. */
export function describePendingRefusal(tool: string, reason: string): string {
  return `The tool "${tool}" returned pending(), but the result cannot come later: ${reason}`;
}

/** The reason where the call does not belong to a conversation. */
export const NO_CONVERSATION =
  'only a conversation can wait for it (openSession(), a session group, inboard/ui, ACP), and this call was made by a query(), ' +
  'a server of its own, or a test without one';

/** The reason where another library made the server. */
export const FOREIGN_SERVER =
  'its server was not made by createSdkMcpServer() of this package. Define the tool there';
