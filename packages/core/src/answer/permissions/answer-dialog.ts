// Answers questions to the user, from an MCP server (elicitation) or from the CLI itself (user dialogs). For an invalid
// answer, the CLI gets an error. It treats that as a cancelled question, never as an accepted one. Only the program learns
// why a callback failed.
import { InboardError } from '../../errors.js';
import { messageOf } from '../../util/message-of.js';
import { isRecord } from '../../util/guards.js';
import { LEFT_OPEN, NOT_OURS, type Answerer } from '../../wire/protocol/answer.js';
import type {
  ElicitationRequest,
  OnElicitation,
  OnUserDialog,
} from '../../wire/protocol/config/user-questions.js';

/** The answerer for `elicitation`. Without a callback it declines, so that the server does not wait. */
export function createElicitationAnswerer(
  onElicitation: OnElicitation | undefined,
  onFailure: OnDialogFailure,
): Answerer {
  return guard('onElicitation', onFailure, async (request, context) => {
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
          allowed: ['accept', 'decline', 'cancel'],
        });
  });
}

/** The answerer for `request_user_dialog`. Without a callback it leaves the dialog to another client of the session. */
export function createUserDialogAnswerer(
  onUserDialog: OnUserDialog | undefined,
  onFailure: OnDialogFailure,
): Answerer {
  return guard('onUserDialog', onFailure, async (request, context) => {
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
      : checkAnswer(answer, { name: 'onUserDialog', field: 'behavior', allowed: ['completed', 'cancelled'] });
  });
}

/** Tells the program why a callback gave no answer. */
type OnDialogFailure = (error: InboardError) => void;

function guard(
  name: string,
  onFailure: OnDialogFailure,
  answer: (...given: Parameters<Answerer>) => Promise<unknown>,
): Answerer {
  return async (request, context) => {
    try {
      return await answer(request, context);
    } catch (cause) {
      const message = `The callback "${name}" failed: ${messageOf(cause)}. The question was cancelled.`;
      onFailure(new InboardError('DIALOG_CALLBACK_FAILED', message, { cause }));
      throw new Error(`The callback "${name}" failed`, { cause });
    }
  };
}

function checkAnswer<T>(
  answer: T,
  { name, field, allowed }: { name: string; field: string; allowed: readonly string[] },
): T {
  if (isRecord(answer) && allowed.includes(answer[field] as string)) return answer;
  const choice = allowed.map((value) => `"${value}"`).join(', ');
  throw new Error(
    `The callback "${name}" must return an object whose "${field}" is one of ${choice}, or null to leave the question open`,
  );
}
