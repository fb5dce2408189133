// Summarizes a conversation of a journal, as the fleet shows sessions.
import type { ConversationRecord } from '@inboard/cluster/journal/records.js';
import { countOf } from '@inboard/core/util/message-of.js';
import type { SessionActivity, SessionSummary } from '../../model/session-summary.js';

const NO_SHARES = { model: 0, permission: 0, code: 0, cliTools: 0, overhead: 0, idle: 0 };
const NO_TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** The summary of a conversation. It has no tokens and no shares of time, which are known only from the events. */
export function summarizeConversation(
  record: ConversationRecord,
  { isReadOnly }: { isReadOnly: boolean },
): SessionSummary {
  const { key, agent, tenant, lease, queued, state } = record;
  const isOpen = state !== 'closed' && !isReadOnly;
  return {
    id: key,
    kind: 'conversation',
    title: key,
    state: stateOf(record),
    stateText: describeState(record),
    sessionId: record.sessionId,
    model: undefined,
    permissionMode: undefined,
    cwd: undefined,
    claudeCodeVersion: undefined,
    startedAt: new Date(record.createdAt).toISOString(),
    durationMs: Math.max(0, record.updatedAt - record.createdAt),
    current: currentOf(record),
    turns: record.turns,
    tokens: NO_TOKENS,
    costUsd: record.totalCostUsd,
    errors: record.failure ? 1 : 0,
    waiting: record.questions,
    events: record.lastEventId,
    shares: NO_SHARES,
    prompt: '',
    answer: '',
    can: {
      send: isOpen,
      interrupt: isOpen && (state === 'running' || state === 'parked'),
      setModel: false,
      setMode: false,
      rewind: false,
    },
    conversation: { agent, tenant, owner: lease?.owner, queued },
  };
}

function stateOf({ state, questions }: ConversationRecord): SessionActivity {
  if (state === 'closed') return 'ended';
  if (questions > 0 || state === 'parked') return 'waiting';
  if (state === 'running') return 'working';
  return state;
}

/** What the time counts for. A journal does not say it exactly; it only says whether the conversation waits for a person. */
function currentOf({ state, questions }: ConversationRecord): SessionSummary['current'] {
  if (questions > 0 || state === 'parked') return 'permission';
  return state === 'running' ? 'model' : 'idle';
}

function describeState({ state, lease, queued, questions, failure }: ConversationRecord): string {
  const behind = queued > 0 ? `, ${countOf(queued, 'message')} behind it` : '';
  const asked = questions > 0 ? `, ${countOf(questions, 'question')} to answer` : '';
  switch (state) {
    case 'closed':
      return 'closed';
    case 'queued':
      return lease ? `${lease.owner} begins` : `${countOf(queued, 'message')} waiting for a worker`;
    case 'parked':
      return `parked: ${countOf(questions, 'question')} to answer${behind}`;
    case 'running':
      // The turn was cut off, handed over, or parked and answered. The journal does not say which.
      if (!lease) return `without a worker: the next one will continue it${behind}`;
      return `runs on ${lease.owner}${asked}${behind}`;
    default:
      return [
        ...(failure ? [`the last turn failed (${failure.code ?? failure.kind})`] : []),
        'ready for the next message',
        ...(lease ? [`kept warm by ${lease.owner}`] : []),
      ].join(', ');
  }
}
