// What the actors of a run do: workers as the real one does it, less the CLI; clients that send, stop and remove; people
// who answer.
import { LeaseLostError } from '@inboard/core/errors.js';
import type { Fence, TurnRecord } from '../../src/journal/records.js';
import type { Chance } from '../../../../test/official/chance.js';
import { ComparedJournal, type Books } from './compared-journal.js';
import type { Play } from './scheduler.js';

export const LEASE_MS = 3000;
export const KEYS = ['a', 'b', 'c'] as const;
/** The tools of a turn, by what a repeated call of them does. */
export const REPEATABLE = 'look';
const TOOLS = ['pay', REPEATABLE, 'mail'] as const;
const PROJECT = 'model';

/** What the plays are given. */
export interface Stage {
  readonly books: Books;
  readonly chance: Chance;
  /** Set when nothing bad happens any more. */
  isCalm: boolean;
  isOver: boolean;
}

/** Looks for conversations and works on them, until the run is over. */
export const work =
  (stage: Stage): Play =>
  async (actor) => {
    const { chance, books } = stage;
    const journal = new ComparedJournal(books, actor);
    while (!stage.isOver) {
      const due = await journal.due();
      // A wake may be wrong, or come twice.
      const key = due.length > 0 && chance.next() < 0.9 ? chance.pick(due) : chance.pick(KEYS);
      const fence = await journal.lease(key, LEASE_MS);
      // Nothing to do: it sleeps, so that others do something.
      if (!fence) actor.asleepUntil = books.model.now + chance.below(400);
      if (!fence) continue;
      try {
        await workOn(stage, journal, fence);
      } catch (error) {
        if (!(error instanceof LeaseLostError)) throw error;
      }
    }
  };

async function workOn(stage: Stage, journal: ComparedJournal, fence: Fence): Promise<void> {
  const { chance } = stage;
  for (let turn = await journal.next(fence); turn; turn = await journal.next(fence)) {
    if (chance.next() < 0.3) await journal.renew(fence, LEASE_MS);
    if (!(await runTurn(stage, journal, fence, turn))) return;
  }
  await journal.release(fence);
}

/** Works on a turn; false when the lease is given back. */
async function runTurn(
  stage: Stage,
  journal: ComparedJournal,
  fence: Fence,
  turn: TurnRecord,
): Promise<boolean> {
  const { chance } = stage;
  const finish = async (kind: string, more: object = {}): Promise<true> => {
    const outcome = { ok: kind === 'success', kind, text: '', turnCostUsd: 1, ...more };
    const both = chance.next() < 0.5;
    const end = async (): Promise<unknown> =>
      both
        ? await journal.finishAndNext(fence, turn.id, outcome)
        : await journal.finish(fence, turn.id, outcome);
    await end();
    // The answer was lost: the same again.
    if (chance.next() < 0.15) await end();
    return true;
  };
  if (turn.stop) return await finish('interrupted');
  const sessionId = await journal.sessionOf(fence.key);
  // Removed meanwhile: the next call under the fence says so.
  const at = { projectKey: PROJECT, sessionId: sessionId ?? 'none' };
  const entries = await journal.load(at);
  if (entries.some(({ uuid }) => uuid === answerOf(turn)))
    return await finish('success', { recovered: true });
  if (!entries.some(({ uuid }) => uuid === turn.uuid)) {
    await journal.append(fence, at, { type: 'user', uuid: turn.uuid, message: { content: turn.content } });
  }
  for (const toolName of TOOLS.slice(0, turn.id.length % (TOOLS.length + 1))) {
    await callTool(stage, journal, fence, turn, toolName);
    if (!stage.isCalm && chance.next() < 0.08) {
      const left = {
        turn: turn.id,
        turnCostUsd: 0.1,
        ...(chance.next() < 0.5 && { failed: true, afterMs: 700 }),
      };
      await journal.release(fence, left);
      return false;
    }
  }
  if (turn.id.endsWith('?') && !(await askPeople(journal, fence, turn))) return false;
  const batch = `batch-${fence.epoch}-${turn.id}`;
  await journal.publish(fence, turn.id, batch);
  // The answer was lost: the same again.
  if (chance.next() < 0.2) await journal.publish(fence, turn.id, batch);
  const { held, stop } = await journal.renew(fence, LEASE_MS);
  if (held && stop === turn.id) return await finish('interrupted');
  await journal.append(fence, at, { type: 'assistant', uuid: answerOf(turn) });
  return await finish('success');
}

async function callTool(
  stage: Stage,
  journal: ComparedJournal,
  fence: Fence,
  turn: TurnRecord,
  toolName: string,
): Promise<void> {
  const callKey = `${turn.uuid}-${toolName}`;
  let known = await journal.beginCall(fence, turn.id, { callKey, toolName });
  if (stage.chance.next() < 0.1) known = await journal.beginCall(fence, turn.id, { callKey, toolName });
  const runs =
    known.state === 'new' || (known.state === 'begun' && toolName === 'pay') || toolName === REPEATABLE;
  if (!runs) return;
  stage.books.runs.push({ key: fence.key, callKey, epoch: fence.epoch });
  await journal.endCall(fence, callKey);
}

/** Waits for an answer, and parks when none comes; false when it is parked. */
async function askPeople(journal: ComparedJournal, fence: Fence, turn: TurnRecord): Promise<boolean> {
  const id = `question-${turn.uuid}`;
  for (let looks = 0; !(await journal.ask(fence, turn.id, id)); looks += 1) {
    const { held, stop } = await journal.renew(fence, LEASE_MS);
    // Its owner ends it; the caller of this looks at `stop` itself.
    if (!held || stop === turn.id) return held;
    if (looks < 2 || !(await journal.park(fence, turn.id, id))) continue;
    await journal.release(fence);
    return false;
  }
  return true;
}

const answerOf = ({ uuid }: TurnRecord): string => `answer-${uuid}`;

/** Sends messages, some of them twice. */
export const send =
  (stage: Stage, messages: number): Play =>
  async (actor) => {
    const { chance, books } = stage;
    const journal = new ComparedJournal(books, actor);
    for (let number = 1; number <= messages; number += 1) {
      const key = chance.pick(KEYS);
      const id = `${actor.name}-${'x'.repeat(chance.below(4))}${number}${chance.next() < 0.4 ? '?' : ''}`;
      const afterMs = chance.next() < 0.15 ? 1 + chance.below(2000) : 0;
      for (let times = chance.next() < 0.3 ? 2 : 1; times > 0; times -= 1) {
        await ignoreClosed(() => journal.enqueue(key, id, afterMs));
      }
    }
  };

/** Cancels, interrupts, puts off, closes and removes, until calm. */
export const meddle =
  (stage: Stage): Play =>
  async (actor) => {
    const { chance, books } = stage;
    const journal = new ComparedJournal(books, actor);
    while (!stage.isCalm) {
      const key = chance.pick(KEYS);
      const what = chance.next();
      const { key: of, id } = books.sent.at(-1 - chance.below(3)) ?? { key, id: 'none' };
      if (what < 0.5) await journal.interrupt(key);
      else if (what < 0.8) await journal.cancel(of, id);
      else if (what < 0.88) await journal.pause(1 + chance.below(2000));
      else if (what < 0.96) await journal.remove(key);
      else await ignoreClosed(() => journal.closeConversation(key));
      actor.asleepUntil = books.model.now + chance.below(1500);
    }
  };

async function ignoreClosed(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'CONVERSATION_CLOSED' && code !== 'CONVERSATION_UNKNOWN') throw error;
  }
}

/** Answers questions, some of them twice, until the run is over. */
export const answer =
  (stage: Stage): Play =>
  async (actor) => {
    const { chance, books } = stage;
    const journal = new ComparedJournal(books, actor);
    while (!stage.isOver) {
      actor.asleepUntil = books.model.now + chance.below(stage.isCalm ? 200 : 2000);
      const open = await journal.questions();
      if (open.length === 0) continue;
      const id = chance.pick(open);
      await journal.answer(id);
      if (chance.next() < 0.2) await journal.answer(id);
    }
  };
