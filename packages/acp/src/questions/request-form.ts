// Asks the person the questions of MCP servers (elicitations), with a form or a page in the editor. If the editor cannot show
// the one that the server wants, the question is declined, and the person is told.
import type { CreateElicitationRequest, ElicitationSchema } from '@agentclientprotocol/sdk';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { ElicitationResult, OnElicitation } from '@inboard/core/wire/protocol/config/user-questions.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { EditorLink } from './editor-link.js';
import { tellPerson } from './tell-person.js';

/** The callback for questions of MCP servers. */
export function createElicitor(link: EditorLink): OnElicitation {
  return async (request, { signal }) => {
    const { serverName, message, mode = 'form', url, elicitationId, requestedSchema } = request;
    const text = `${serverName}: ${message}`;
    if (!link.capabilities.elicitation?.[mode]) {
      await tellPerson(link, DECLINED, text);
      return { action: 'decline' };
    }
    if (mode === 'url') {
      const page = { mode: 'url' as const, url: url ?? '', elicitationId: elicitationId ?? text };
      return (await send(link, { ...page, message: text, sessionId: link.sessionId }, signal)) ?? CANCELLED;
    }
    // Both protocols use the same schemas.
    const schema = (requestedSchema ?? { type: 'object', properties: {} }) as ElicitationSchema;
    return (await requestForm(link, { message: text, requestedSchema: schema, signal })) ?? CANCELLED;
  };
}

const CANCELLED: ElicitationResult = { action: 'cancel' };
const DECLINED = 'A tool asked something that this editor cannot show; it was declined';

/** Shows a form and returns the answer. Undefined if the question was withdrawn. */
export async function requestForm(
  link: EditorLink,
  {
    message,
    requestedSchema,
    toolCallId,
    signal,
  }: { message: string; requestedSchema: ElicitationSchema; toolCallId?: string; signal: AbortSignal },
): Promise<ElicitationResult | undefined> {
  const scope = { sessionId: link.sessionId, ...(toolCallId === undefined ? {} : { toolCallId }) };
  return send(link, { mode: 'form', message, requestedSchema, ...scope }, signal);
}

async function send(
  link: EditorLink,
  request: CreateElicitationRequest,
  signal: AbortSignal,
): Promise<ElicitationResult | undefined> {
  const { library, client } = link;
  try {
    const response = await client.request(library.methods.client.elicitation.create, request, {
      cancellationSignal: signal,
      stopWaitingOnCancel: true,
    });
    const { action, content } = response as Record<string, unknown>;
    if (asString(action) !== 'accept') return { action: action === 'decline' ? 'decline' : 'cancel' };
    return { action: 'accept', content: (isRecord(content) ? content : {}) as ElicitationResult['content'] };
  } catch (error) {
    if (signal.aborted) return undefined;
    link.note(`The editor could not show a form: ${messageOf(error)}`);
    return { action: 'cancel' };
  }
}
