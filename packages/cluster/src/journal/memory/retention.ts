// Retention of the journal in memory: removes, or counts, what is older than a policy says.
import { measureJson } from '@inboard/core/util/measure-json.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { Journal } from '../journal.js';
import { ageOf, RETENTION_KINDS, type RetentionKind, type RetentionPolicy } from '../retention.js';
import type { RetentionReport, RetentionRun } from '../retention.js';
import { noteDeed, stripDeeds } from './audit.js';
import { removeConversation } from './inbox.js';
import {
  findHeadTurn,
  findValidLease,
  openQuestions,
  type MemoryState,
  type StoredConversation,
} from './memory-state.js';

/** `Journal.retain`. */
export function retain(
  state: MemoryState,
  policy: RetentionPolicy,
  { apply = false, by }: Pick<RetentionRun, 'apply' | 'by'>,
): RetentionReport {
  const report: RetentionReport = { applied: apply, isWhole: true, kinds: {} };
  for (const kind of RETENTION_KINDS) {
    const age = ageOf(policy, kind);
    if (age === undefined) continue;
    const old = findOld(state, kind, state.now() - age);
    report.kinds[kind] = {
      rows: old.length,
      bytes: old.reduce((sum, { value }) => sum + measureJson(value, Infinity), 0),
    };
    if (apply) for (const { remove } of old) remove();
  }
  if (apply && Object.values(report.kinds).some(({ rows }) => rows > 0)) {
    const pruned = { policy: withoutUndefined({ ...policy }), removed: report.kinds };
    noteDeed(state, { what: 'pruned', by, pruned });
  }
  return report;
}

interface Old {
  value: unknown;
  remove: () => void;
}

function findOld(state: MemoryState, kind: RetentionKind, before: number): Old[] {
  if (kind === 'audit') return findOldDeeds(state, before);
  return [...state.conversations.values()]
    .filter((each) => isSettled(state, each))
    .flatMap((conversation): Old[] => {
      const isOver = (id: string): boolean => {
        const endedAt = conversation.turnsById.get(id)?.endedAt;
        return endedAt !== undefined && endedAt <= before;
      };
      const { key, events, wholeEvents, calls, questions, turns, updatedAt, closedAt } = conversation;
      switch (kind) {
        case 'events':
          conversation.leases = conversation.leases.filter(
            ({ until, owner }, at, all) =>
              until > before || all.findLastIndex((lease) => lease.owner === owner) === at,
          );
          return events
            .filter(({ turn }) => isOver(turn) && isPast(conversation, turn))
            .map((event) => ({
              value: event,
              remove: () => {
                conversation.events = conversation.events.filter((each) => each !== event);
                wholeEvents.delete(event.id);
              },
            }));
        case 'calls':
          return [...calls.values()]
            .filter(({ turn }) => isOver(turn))
            .map((call) => ({
              value: call,
              remove: () => {
                calls.delete(call.callKey);
                for (const { id, turn } of questions.values())
                  if (isOver(turn)) {
                    questions.delete(id);
                    state.questions.delete(id);
                  }
              },
            }));
        case 'transcripts':
          return closedAt === undefined || updatedAt > before ? [] : findTranscripts(state, key);
        default:
          if (updatedAt > before) return [];
          return [
            {
              value: [turns, events, [...calls.values()]],
              remove: () => {
                removeConversation(state, conversation);
                stripDeeds(state, conversation.number);
              },
            },
          ];
      }
    });
}

/** Whether the events of a turn may go. Those of the last that has run tell the next turn how it ended, unless none can follow. */
function isPast({ closedAt, turns }: StoredConversation, id: string): boolean {
  const last = turns.findLastIndex(({ attempt }) => attempt > 0);
  return closedAt !== undefined || last === -1 || turns.findIndex((turn) => turn.id === id) < last;
}

function findTranscripts(state: MemoryState, key: string): Old[] {
  return [...state.sessions]
    .filter(([, session]) => session.conversation === key)
    .flatMap(([name, session]) =>
      [...session.transcripts.values()].flatMap(({ entries }) =>
        entries.map(({ entry }) => ({ value: entry, remove: () => void state.sessions.delete(name) })),
      ),
    );
}

function findOldDeeds(state: MemoryState, before: number): Old[] {
  const isOpen = (key: string | undefined): boolean => {
    const conversation = key === undefined ? undefined : state.conversations.get(key);
    return conversation !== undefined && !isSettled(state, conversation);
  };
  return state.audit
    .filter(({ at, conversation }) => at <= before && !isOpen(conversation))
    .map((entry) => ({
      value: entry,
      remove: () => {
        state.audit = state.audit.filter((each) => each !== entry);
      },
    }));
}

/** Whether nothing of a conversation is under way or awaited. */
function isSettled(state: MemoryState, conversation: StoredConversation): boolean {
  const turn = findHeadTurn(conversation);
  return (
    (!turn || turn.state === 'ended') &&
    openQuestions(conversation).length === 0 &&
    !findValidLease(state, conversation)
  );
}

/** `Journal.claimRetention`. */
export function claimRetention(
  state: MemoryState,
  { owner, ms, everyMs, done = false }: Parameters<NonNullable<Journal['claimRetention']>>[0],
): boolean {
  const now = state.now();
  const { owner: holder, until, doneAt } = state.retention;
  const isHeld = until > now;
  if (done) {
    if (isHeld && holder === owner) state.retention = { until: -Infinity, doneAt: now };
    return false;
  }
  if (isHeld ? holder !== owner : doneAt > now - everyMs) return false;
  state.retention = { owner, until: now + ms, doneAt };
  return true;
}
