// Answers what an MCP server (elicitation) or the CLI itself (user dialogs) asks of the person at the host.
import { LEFT_OPEN, NOT_OURS, type Answerer } from '../protocol/answer.js';
import type { ElicitationRequest, OnElicitation, OnUserDialog } from '../protocol/mcp-config.js';

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
    return answer === null ? LEFT_OPEN : answer;
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
    return answer === null ? LEFT_OPEN : answer;
  };
}
