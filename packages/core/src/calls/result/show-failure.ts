// Failures and denials as the CLI shows them to the model.
import { findRules, type CliRules } from './cli-rules.js';
import { takeEnd, takeStart } from './cut-text.js';
import type { ShownResult } from './shown-result.js';

const KEPT_CHARS = 5000;

/** A failure with this text, such as that of a result with `isError`, or of a call that could not be made. */
export function showFailure(message: string, cliVersion: string | undefined): ShownResult {
  const rules = findRules(cliVersion);
  const content = cutMiddle(message.trim() || 'Command failed with no output', rules);
  return { content, is_error: true, toolUseResult: `Error: ${content}`, files: [] };
}

/** A JSON-RPC error of a server. Its data is never shown. */
export function showRpcError(
  error: { code: number; message: string },
  cliVersion: string | undefined,
): ShownResult {
  const { isNew } = findRules(cliVersion);
  return showFailure(isNew ? error.message : `MCP error ${error.code}: ${error.message}`, cliVersion);
}

/** What the permission callback answered when it denied a call. */
export interface Denial {
  message: string;
  /** Whether the denial also ends the turn. The newer CLI then does not pass the message on to the model. */
  interrupt?: boolean | undefined;
}

/** A denial by the permission callback. Its message is neither trimmed nor cut. */
export function showDenial({ message, interrupt }: Denial, cliVersion: string | undefined): ShownResult {
  const { isNew } = findRules(cliVersion);
  if (!isNew) return { content: message, is_error: true, toolUseResult: `Error: ${message}`, files: [] };
  if (interrupt) {
    return {
      content: REJECTED,
      is_error: true,
      toolUseResult: 'User rejected tool use',
      entryFields: { toolDenialKind: 'user-rejected' },
      files: [],
    };
  }
  return {
    content: message,
    is_error: true,
    toolUseResult: `Error: ${message}`,
    entryFields: {
      toolDenialKind: 'permission-rule',
      ...(message === '' ? {} : { holdsPersonsWords: true }),
      permissionDecision: { decision: 'reject', source: 'user_reject', reasonCode: 'unknown' },
    },
    files: [],
  };
}

/** The text of the user message that CLIs add when a turn is stopped while no tool runs. */
export const STOPPED_NOTE = '[Request interrupted by user]';

/** The text of the user message that both CLIs add after a denial with `interrupt`. */
export const INTERRUPTED_NOTE = '[Request interrupted by user for tool use]';

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the " +
  'new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.';

function cutMiddle(text: string, rules: CliRules): string {
  if (text.length <= rules.errorChars) return text;
  const start = takeStart(text, KEPT_CHARS, rules);
  const end = takeEnd(text, KEPT_CHARS, rules);
  const left = text.length - start.length - end.length;
  return `${start}\n\n... [${left} characters truncated] ...\n\n${end}`;
}
