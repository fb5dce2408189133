// Carries out the actions of a page on a session of this process: answer or reveal a question, send a message, interrupt,
// change the model or the mode, rewind files, call a tool.
import { isRecord } from '@inboard/core/util/guards.js';
import type { Action, ActionResult } from '../../model/page-contract.js';
import type { InspectedSession } from '@inboard/core/live/watch/inspected-session.js';
import { answerCard, describeRefusal, ActionRefusal } from './answer-card.js';
import type { LiveSession } from './live-session.js';
import type { Card, CardRegistry } from './card-registry.js';

type SessionAction = Exclude<Action, { action: 'create-link' }>;

/** What actions need. */
export interface ActionScope {
  find(session: string): LiveSession | undefined;
  cards: CardRegistry;
}

/** Carries out what a page asks for; never rejects. */
export async function actOnSession(action: SessionAction, scope: ActionScope): Promise<ActionResult> {
  try {
    const result = await carryOut(action, scope);
    return { ok: true, ...(result !== undefined && { result }) };
  } catch (error) {
    // Error messages of tools, the CLI and schemas may quote their input, so secrets are removed.
    return { ok: false, error: describeRefusal(error, scope.find(action.session)?.redactor) };
  }
}

async function carryOut(action: SessionAction, scope: ActionScope): Promise<unknown> {
  const { cards } = scope;
  const session = scope.find(action.session);
  if (!session) throw new ActionRefusal('NO_SESSION', 'This session is no longer here.');
  if (action.action === 'answer') return await answerCard(findCard(cards, action), action.decision);
  if (action.action === 'reveal') {
    const card = findCard(cards, action);
    card.isRevealed = true;
    return card.facts.input;
  }
  const { inspected } = session;
  if (!inspected || session.isOver) throw new ActionRefusal('SESSION_OVER', 'The session is over.');
  switch (action.action) {
    case 'send':
      await inspected.send(action.text);
      return undefined;
    case 'interrupt':
      await inspected.request({ subtype: 'interrupt' });
      return undefined;
    case 'set-model':
      await inspected.request(asRequest('set_model', { model: action.model }));
      return undefined;
    case 'set-mode':
      await inspected.request(asRequest('set_permission_mode', { mode: action.mode }));
      return undefined;
    case 'rewind': {
      const fields = { user_message_id: action.messageId, dry_run: action.dryRun };
      return session.redactor.redactValue(await inspected.request(asRequest('rewind_files', fields)));
    }
    default:
      return session.redactor.redactValue(await callTool(inspected, action));
  }
}

function asRequest(subtype: string, fields: object): { subtype: string } {
  return { subtype, ...fields };
}

function findCard(cards: CardRegistry, { session, id }: { session: string; id: string }): Card {
  const card = cards.find(session, id);
  if (!card) throw new ActionRefusal('QUESTION_OVER', 'The question was answered or withdrawn already.');
  return card;
}

async function callTool(
  inspected: InspectedSession,
  { server, tool, input }: Extract<SessionAction, { action: 'call-tool' }>,
): Promise<unknown> {
  if (!inspected.serverNames().includes(server))
    throw new ActionRefusal(
      'NO_SERVER',
      `No server "${server}" runs in this process, so its tools cannot be called from here.`,
    );
  const params = { name: tool, arguments: input };
  const startedAt = performance.now();
  const reply = await inspected.askServer(server, {
    jsonrpc: '2.0',
    id: `inspector ${Math.random()}`,
    method: 'tools/call',
    params,
  });
  const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
  const { result, error } = isRecord(reply) ? reply : {};
  if (isRecord(error)) throw new ActionRefusal('TOOL_REFUSED', String(error['message']));
  return { ...(isRecord(result) ? result : {}), durationMs };
}
