// Answers what an MCP server (elicitation) or the CLI itself (user dialogs) asks of the person at the host. An
// answer without a meaning is refused, which the CLI passes on as a cancelled question, never as an accepted one.
import { isRecord } from '../../util/guards.js';
import { LEFT_OPEN, NOT_OURS, type Answerer } from '../../wire/protocol/answer.js';
import type {
  ElicitationRequest,
  OnElicitation,
  OnUserDialog,
} from '../../wire/protocol/config/mcp-config.js';

/** Without a callback an elicitation is declined, so that the server is not left waiting. */
export function createElicitationAnswerer(onElicitation: OnElicitation | undefined): Answerer {
  return async (request, context) => {
    if (!onElicitation) return { action: 'decline' };
    const answer = await onElicitation(
      {
        serverName: request['mcp_server_name'],
        message: request['message'],
        mode: request['mode'],
        url: request['url'],
        elicitationId: request['elicitation_id'],
        requestedSchema: request['requested_schema'],
        title: request['title'],
        displayName: request['display_name'],
        description: request['description'],
        propertyOrder: request['property_order'],
      } as ElicitationRequest,
      { signal: context.signal, requestId: context.requestId },
    );
    return answer === null
      ? LEFT_OPEN
      : checkAnswer(answer, {
          name: 'onElicitation',
          field: 'action',
          words: ['accept', 'decline', 'cancel'],
        });
  };
}

/** Without a callback a dialog is left alone: another client of the session may be the one to show it. */
export function createUserDialogAnswerer(onUserDialog: OnUserDialog | undefined): Answerer {
  return async (request, context) => {
    if (!onUserDialog) return NOT_OURS;
    const answer = await onUserDialog(
      {
        dialogKind: String(request['dialog_kind']),
        payload: request['payload'] as Record<string, unknown>,
        toolUseID: request['tool_use_id'] as string | undefined,
      },
      { signal: context.signal, requestId: context.requestId },
    );
    return answer === null
      ? LEFT_OPEN
      : checkAnswer(answer, { name: 'onUserDialog', field: 'behavior', words: ['completed', 'cancelled'] });
  };
}

function checkAnswer<T>(
  answer: T,
  { name, field, words }: { name: string; field: string; words: readonly string[] },
): T {
  if (isRecord(answer) && words.includes(answer[field] as string)) return answer;
  const choice = words.map((word) => `"${word}"`).join(', ');
  throw new Error(
    `The callback "${name}" must return an object whose "${field}" is one of ${choice}, or null to leave the question open`,
  );
}
