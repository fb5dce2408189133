// Sends the editor the protocol's permission request, with options to choose from. The question ends when it is withdrawn.
import type { PermissionOption, RequestPermissionResponse, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { EditorLink } from './editor-link.js';

/** Asks the editor. Undefined if the question was withdrawn. Rejects if the editor fails, and the call is then denied. */
export async function requestPermission(
  { library, client, sessionId }: EditorLink,
  { call, options, signal }: { call: ToolCallUpdate; options: PermissionOption[]; signal: AbortSignal },
): Promise<RequestPermissionResponse | undefined> {
  try {
    return await client.request(
      library.methods.client.session.requestPermission,
      { sessionId, toolCall: call, options },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
