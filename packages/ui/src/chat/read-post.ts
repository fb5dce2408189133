// Reads the posts of the transport of `useChat`: the id of a chat, its messages, and a trigger. Only the last message counts,
// because the CLI has the others.
import { isRecord } from '@inboard/core/util/guards.js';
import type { UserContent } from '@inboard/core/live/input/user-message.js';
import { badRequest, ChatRefusal } from './chat-refusal.js';
import { readUserContent } from './user-content.js';

/** A decision of a person. */
export interface ApprovalDecision {
  approvalId: string;
  approved: boolean;
  reason?: string | undefined;
  /** Replaces the input that the question was about. */
  input?: Record<string, unknown> | undefined;
  from?: DecisionSource | undefined;
}

/** Where a decision comes from. */
export interface DecisionSource {
  chatId: string;
  request: Request;
  /** Who decided, if the program says it. */
  by: string | undefined;
}

/** A new message of the visitor. */
export interface UserPost {
  kind: 'message';
  chatId: string;
  messageId: string;
  content: UserContent;
}

/** A request of the page for the rest of an answer. It has the answer as the page knows it, with decisions. */
export interface ContinuePost {
  kind: 'continue';
  chatId: string;
  messageId: string;
  decisions: ApprovalDecision[];
  /** The questions that the page knows. */
  approvalIds: string[];
  /** The calls that the page shows without a result. */
  openCallIds: string[];
}

/** One post of the page. */
export type ChatPost = UserPost | ContinuePost;

const MOST_ID_CHARACTERS = 200;
const MOST_REASON_CHARACTERS = 10_000;
const UNANSWERED: ReadonlySet<unknown> = new Set([
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
]);

/** Reads the id of a chat. An id must also be valid in a path. */
export function readChatId(id: unknown, field: string): string {
  // Programs name files after chats, so these two names are refused.
  const isFolder = id === '.' || id === '..';
  if (typeof id === 'string' && !isFolder && id.length <= MOST_ID_CHARACTERS && /^[\w.~:@+=-]+$/.test(id))
    return id;
  throw badRequest(
    field,
    `must be an id of 1 to ${MOST_ID_CHARACTERS} letters, digits, or characters of "._~:@+=-"`,
  );
}

/** Reads a post. Refuses a post that asks for something the chat cannot do. */
export function readPost(body: Record<string, unknown>): ChatPost {
  const chatId = readChatId(body['id'], 'id');
  const { trigger = 'submit-message', messages } = body;
  if (trigger === 'regenerate-message') throw cannotUnsay('An answer cannot be generated again');
  if (trigger !== 'submit-message')
    throw badRequest('trigger', 'must be "submit-message"; streams are resumed with GET');
  if (!Array.isArray(messages) || messages.length === 0)
    throw badRequest('messages', 'must be a list that ends with the new message');
  const field = `messages[${messages.length - 1}]`;
  const last: unknown = messages.at(-1);
  if (!isRecord(last)) throw badRequest(field, 'must be a message');
  const messageId = readId(last['id'], `${field}.id`);
  if (last['role'] === 'user') {
    // The page sends this id only if it replaces a message.
    if (isNamed(body['messageId'])) throw cannotUnsay('A message that was sent cannot be changed');
    return { kind: 'message', chatId, messageId, content: readUserContent(last['parts'], `${field}.parts`) };
  }
  if (last['role'] !== 'assistant') throw badRequest(`${field}.role`, 'must be "user" or "assistant"');
  return { kind: 'continue', chatId, messageId, ...readParts(last['parts'], body, `${field}.parts`) };
}

/** Reads the body of the approvals route, which is one decision. */
export function readDecision(body: Record<string, unknown>): ApprovalDecision {
  return readAnswer(body['approvalId'], body, body['input'], '');
}

function readParts(
  parts: unknown,
  { approvalInputs = {} }: Record<string, unknown>,
  field: string,
): Pick<ContinuePost, 'decisions' | 'approvalIds' | 'openCallIds'> {
  if (!Array.isArray(parts)) throw badRequest(field, 'must be a list of parts');
  if (!isRecord(approvalInputs)) throw badRequest('approvalInputs', 'must be an object, by approval id');
  const read: Pick<ContinuePost, 'decisions' | 'approvalIds' | 'openCallIds'> = {
    decisions: [],
    approvalIds: [],
    openCallIds: [],
  };
  for (const [index, part] of parts.entries() as IterableIterator<[number, unknown]>) {
    if (!isRecord(part)) continue;
    const { approval, state, toolCallId } = part;
    if (UNANSWERED.has(state) && typeof toolCallId === 'string') read.openCallIds.push(toolCallId);
    if (!isRecord(approval)) continue;
    const place = `${field}[${index}].approval`;
    const id = readId(approval['id'], `${place}.id`);
    read.approvalIds.push(id);
    if (state !== 'approval-responded') continue;
    const input = Object.hasOwn(approvalInputs, id) ? approvalInputs[id] : undefined;
    read.decisions.push(readAnswer(id, approval, input, `${place}.`));
  }
  return read;
}

function readAnswer(
  id: unknown,
  { approved, reason }: Record<string, unknown>,
  input: unknown,
  place: string,
): ApprovalDecision {
  const approvalId = readId(id, `${place}approvalId`);
  if (typeof approved !== 'boolean') throw badRequest(`${place}approved`, 'must be true or false');
  if (reason !== undefined && (typeof reason !== 'string' || reason.length > MOST_REASON_CHARACTERS))
    throw badRequest(`${place}reason`, `must be a string of at most ${MOST_REASON_CHARACTERS} characters`);
  if (input !== undefined && !isRecord(input))
    throw badRequest(place === '' ? 'input' : `approvalInputs.${approvalId}`, 'must be an object');
  return { approvalId, approved, reason, input };
}

function readId(id: unknown, field: string): string {
  if (typeof id === 'string' && id !== '' && id.length <= MOST_ID_CHARACTERS) return id;
  throw badRequest(field, `must be a string of 1 to ${MOST_ID_CHARACTERS} characters`);
}

function isNamed(messageId: unknown): boolean {
  return messageId !== undefined && messageId !== null;
}

function cannotUnsay(what: string): ChatRefusal {
  return new ChatRefusal(
    400,
    'CANNOT_UNSAY',
    `${what}: the model remembers it. Send a new message instead, or fork the conversation and open a new chat.`,
  );
}
