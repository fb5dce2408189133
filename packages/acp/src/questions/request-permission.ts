// The protocol's question with options to choose from; it ends when the CLI withdraws what is asked about.
import type { PermissionOption, RequestPermissionResponse, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { EditorLink } from './editor-link.js';

/** Asks the editor; undefined when the question was withdrawn. Rejects when the editor fails, which denies the call. */
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
