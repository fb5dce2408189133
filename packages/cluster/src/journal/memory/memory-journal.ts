// The journal in memory, for one process. It is the default of a cluster, and the reference for every other journal. Each
// method runs without waiting, so that it is one transaction. Arguments and results are copied.
import { ClusterError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { SessionStore } from '@inboard/core/wire/protocol/config/session-store.js';
import { withCheckedFilters } from '../check-filters.js';
import { checkAfter, checkBy, checkJson, checkKey, checkLimit, checkMs, checkName } from '../check-names.js';
import { checkPolicy } from '../check-policy.js';
import { checkAmount, checkReservation } from '../check-reservation.js';
import type { Journal, JournalChange, NewTurn } from '../journal.js';
import { readAudit } from './audit.js';
import { beginCall, endCall } from './calls.js';
import { Changes } from './changes.js';
import { copyJson } from './copy-json.js';
import { prune, publish, readEvents, readWhole } from './events.js';
import { cancel, closeConversation, enqueue, interrupt, remove } from './inbox.js';
import { lease, listDue, release, renew } from './leases.js';
import { forgetTenant, listPauses, pause, sumSpending } from './limits.js';
import { createMemoryState, type MemoryState } from './memory-state.js';
import {
  countAll,
  listConversations,
  listWorkers,
  readHistory,
  removeWorker,
  reportWorker,
  recordForReaders,
} from './overview.js';
import { claimRetention, retain } from './retention.js';
import { answer, askPerson, listQuestions, withdraw } from './questions.js';
import { reserve } from './reservations.js';
import { createTranscriptStore } from './transcripts.js';
import { finish, finishAndNext, next, park } from './turns.js';

/** The options of `memoryJournal()`. Tests give a clock of their own, so that they need not wait. */
export interface MemoryJournalOptions {
  /** The journal's clock, in milliseconds since 1970. Default `Date.now`. */
  now?: (() => number) | undefined;
}

const memoryJournals = new WeakSet<object>();
const readClock = (): number => clock.Date.now();

/** Whether a journal is in memory, so that no other process can see it. */
export function isMemoryJournal(journal: object): boolean {
  return memoryJournals.has(journal);
}

/** Creates a journal in the memory of this process. Everything in it is lost when the process ends. */
export function memoryJournal({ now = readClock }: MemoryJournalOptions = {}): Journal {
  const changes = new Changes();
  const state = createMemoryState(now, changes);
  let isClosed = false;
  const begin = (): void => {
    if (isClosed) throw new ClusterError('CLUSTER_CLOSED', 'The journal is closed.');
  };

  /**
   * Makes a method of the journal from a function that keeps none of its arguments. The method returns a copy, and rejects
   * instead of throwing.
   */
  const read =
    <Given extends readonly unknown[], Result>(run: (state: MemoryState, ...given: Given) => Result) =>
    async (...given: Given): Promise<Result> => {
      begin();
      return copyJson(run(state, ...given));
    };
  /** Makes a method from a function that may keep its arguments. The function gets copies of them. */
  const method =
    <Given extends readonly unknown[], Result>(run: (state: MemoryState, ...given: Given) => Result) =>
    async (...given: Given): Promise<Result> =>
      await read(run)(...(given.map((each) => copyJson(each)) as unknown as Given));
  /** Makes a method whose last argument may name who calls it. */
  const named =
    <Given extends readonly unknown[], Result>(run: (state: MemoryState, ...given: Given) => Result) =>
    async (...given: Given): Promise<Result> => {
      for (const each of given) if (isRecord(each)) checkBy(each['by']);
      return await method(run)(...given);
    };
  const limited =
    <Given extends readonly unknown[], Result>(run: (state: MemoryState, ...given: Given) => Result) =>
    async (...given: Given): Promise<Result> => {
      for (const each of given) if (isRecord(each)) checkLimit(each['limit']);
      return await read(run)(...given);
    };

  const journal: Journal = withCheckedFilters({
    tellsEnded: true,
    open: read(() => undefined),
    enqueue: async (turn, scope) => {
      checkTurn(turn);
      checkBy(scope?.by);
      return await method(enqueue)(turn, scope);
    },
    conversation: read(({ conversations }, key: string) => {
      const found = conversations.get(key);
      return found && recordForReaders(state, found);
    }),
    conversations: limited(listConversations),
    turn: read(({ conversations }, key: string, id: string) => conversations.get(key)?.turnsById.get(id)),
    turns: read(({ conversations }, key: string) => conversations.get(key)?.turns ?? []),
    cancel: named(cancel),
    interrupt: named(interrupt),
    closeConversation: named(closeConversation),
    answer: async (id, given, scope) => {
      checkBy(given.by);
      return await method(answer)(id, given, scope);
    },
    questions: async (filter = {}) => {
      checkAfter(filter.after);
      return await limited(listQuestions)(filter);
    },
    events: limited(readEvents),
    readWhole: read(readWhole),
    listen: async (onChange: (change: JournalChange) => void) => {
      begin();
      return changes.listen(onChange);
    },
    due: async (limit, options) => {
      checkLimit(limit);
      checkMs('withinMs', options?.withinMs ?? 0);
      return await read(listDue)(limit, options);
    },
    pause: async (given) => {
      checkMs('ms', given.ms);
      await method(pause)(given);
    },
    pauses: read(listPauses),
    spent: read(sumSpending),
    reportWorker: method(reportWorker),
    removeWorker: method(removeWorker),
    workers: read(listWorkers),
    stats: read(countAll),
    history: read(readHistory),
    audit: limited(readAudit),
    remove: named(remove),
    forgetTenant: async (tenant, caller) => {
      checkName('tenant', tenant);
      await named(forgetTenant)(tenant, caller);
    },
    prune: async (olderThanMs) => {
      checkMs('olderThanMs', olderThanMs);
      return await method(prune)(olderThanMs);
    },
    retain: async (policy, { apply, by } = {}) => {
      checkPolicy(policy);
      checkBy(by);
      return await method(retain)(policy, { apply, by });
    },
    claimRetention: method(claimRetention),
    lease: async (key, given) => {
      checkName('owner', given.owner);
      checkMs('ms', given.ms);
      return await method(lease)(key, given);
    },
    renew: async (fences, ms) => {
      checkMs('ms', ms);
      return await method(renew)(fences, ms);
    },
    release: async (fence, left) => {
      checkAmount('turnCostUsd', left?.turnCostUsd);
      return await method(release)(fence, left);
    },
    next: method(next),
    finish: async (fence, turn, end) => {
      checkAmount('outcome.turnCostUsd', end.outcome.turnCostUsd);
      return await method(finish)(fence, turn, end);
    },
    finishAndNext: async (fence, turn, end) => {
      checkAmount('outcome.turnCostUsd', end.outcome.turnCostUsd);
      return await method(finishAndNext)(fence, turn, end);
    },
    reserve: async (fence, turn, request) => {
      checkReservation(request);
      return await method(reserve)(fence, turn, request);
    },
    park: async (fence, turn, parked) => {
      checkAmount('turnCostUsd', parked.turnCostUsd);
      return await method(park)(fence, turn, parked);
    },
    ask: async (fence, turn, question) => {
      checkName('id', question.id);
      return await method(askPerson)(fence, turn, question);
    },
    withdraw: method(withdraw),
    beginCall: async (fence, call) => {
      checkName('callKey', call.callKey);
      return await method(beginCall)(fence, call);
    },
    endCall: async (fence, callKey, result) => {
      checkJson('result', result);
      await method(endCall)(fence, callKey, result);
    },
    publish: method(publish),
    store: (fence): SessionStore => createTranscriptStore(state, copyJson(fence), begin),
    close: async () => {
      isClosed = true;
      changes.close();
    },
  });
  memoryJournals.add(journal);
  return journal;
}

function checkTurn({ key, id, content, start, afterMs }: NewTurn): void {
  checkKey(key);
  checkName('id', id);
  checkJson('content', content);
  if (afterMs !== undefined) checkMs('afterMs', afterMs);
  if (!start) return;
  checkName('agent', start.agent);
  checkJson('data', start.data);
  if (start.tenant !== undefined) checkName('tenant', start.tenant);
}
