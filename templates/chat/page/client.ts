// What the page sends and keeps: the chat of the AI SDK, decisions of a person, and a stop. No React in here, so that the tests
// use it, too.
import { Chat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type ChatInit,
  type UIMessage,
} from 'ai';

/** `api` is the address of the chat's server; the rest is what `useChat` takes. */
export function openChat({ api, id, onError, ...more }: { api: string; id: string } & ChatInit<UIMessage>) {
  // What a person changed before they agreed, by approval. All of it travels with the answers, because several approvals are
  // sent at once, after the last of them.
  const edits = new Map<string, unknown>();
  /** The page before the last decision. */
  let undecided: UIMessage[] | undefined;
  const chat = new Chat<UIMessage>({
    id,
    transport: new DefaultChatTransport({
      api,
      body: () => ({ approvalInputs: Object.fromEntries(edits) }),
    }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onError: (error) => {
      // A changed input was not accepted, so the question is still open.
      if (undecided && readRefusal(error).code === 'BAD_REQUEST') chat.messages = undecided;
      onError?.(error);
    },
    ...more,
  });
  /** Shows what the server has: what was said, and the answer that is running or goes on after a restart. */
  const follow = async (): Promise<void> => {
    chat.messages = await readPast(api, id);
    await chat.resumeStream();
  };
  return {
    chat,
    /** Gives undefined for a message that was sent. Otherwise it gives the reason, and the message is not on the page any more. */
    send: async (text: string): Promise<string | undefined> => {
      const before = chat.messages;
      await chat.sendMessage({ text });
      const { error } = chat;
      // With the answer, the server has taken the message.
      if (!error || chat.lastMessage?.role !== 'user') return undefined;
      chat.messages = before;
      chat.clearError();
      const { code, message } = readRefusal(error);
      // The agent does something that this page may not show: another tab sent a message, or the server was started again.
      if (code === 'TURN_RUNNING' || code === 'APPROVAL_WAITS') void follow();
      return message;
    },
    /** `input` replaces what the model wrote. The model reads the `reason` of a no. */
    decide: async (
      approvalId: string,
      approved: boolean,
      { input, reason: given }: { input?: unknown; reason?: string } = {},
    ): Promise<void> => {
      if (input !== undefined) edits.set(approvalId, input);
      undecided = chat.messages;
      const reason = approved ? undefined : given || 'Not now.';
      await chat.addToolApprovalResponse({ id: approvalId, approved, ...(reason && { reason }) });
    },
    /** Closing the connection stops nothing, so that a reload is harmless; this does. */
    stop: async (): Promise<void> => {
      const isAnswering = chat.status === 'submitted' || chat.status === 'streaming';
      await fetch(`${api}/${id}/stop`, { method: 'POST' });
      // An answer that waits for a person has no connection on which it could tell how it ended.
      if (!isAnswering)
        chat.messages = [...chat.messages.slice(0, -1), ...(await readPast(api, id)).slice(-1)];
    },
  };
}

export type OpenChat = ReturnType<typeof openChat>;

/** What was said before the page was loaded. */
export async function readPast(api: string, id: string): Promise<UIMessage[]> {
  const response = await fetch(`${api}/${id}/messages`);
  if (!response.ok) throw new Error(`The chat was answered with ${response.status}.`);
  return ((await response.json()) as { messages: UIMessage[] }).messages;
}

/** A refused request has a JSON object, with a code for programs and a sentence for the page. */
export function readRefusal({ message }: Error): { code?: string; message: string } {
  const refusal = parseJson(message) as { code: string; message: string } | undefined;
  return refusal ?? { message: `The server cannot be reached (${message}). Load the page again.` };
}

/** Undefined if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
