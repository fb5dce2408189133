// The journal in memory and the one in PostgreSQL say the same in the same random histories: so what simulated worlds show on the one
// holds for the other.
import { beforeAll, expect, it } from 'vitest';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import { memoryJournal } from '../../../packages/cluster/src/journal/memory/memory-journal.js';
import type { Fence } from '../../../packages/cluster/src/journal/records.js';
import { createChance, type Chance } from '../../official/chance.js';
import { propertyOptions } from '../../support/seed.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const HISTORIES = 8;
const STEPS = 120;
const LEASE_MS = 600_000;
const OUTCOME = { ok: true, kind: 'success', text: 'done', turnCostUsd: 0.25 };
const ENTRY = { type: 'user', message: { role: 'user', content: 'x' } };

const schema = nameSchema('same');
const postgres = openJournal({ schema });
let passedMs = 0;
const memory = memoryJournal({ now: () => Date.now() + passedMs });
const { seed } = propertyOptions(1);

beforeAll(() => postgres.open());

/** The leases that were granted, the newest last: each as the two journals have it. */
type Pair = readonly [memory: Fence, postgres: Fence];

/** Asks both the same, and demands the same answer of both; gives it. */
async function askBoth<Answer>(
  log: string[],
  what: string,
  ask: (journal: Journal, which: 0 | 1) => Promise<Answer>,
  show: (answer: Answer) => unknown,
): Promise<[Answer | undefined, Answer | undefined]> {
  const answers: (Answer | undefined)[] = [];
  const shown: string[] = [];
  for (const [which, journal] of [memory, postgres].entries()) {
    try {
      const answer = await ask(journal, which as 0 | 1);
      answers.push(answer);
      shown.push(JSON.stringify(show(answer)) ?? 'nothing');
    } catch (error) {
      answers.push(undefined);
      const { code, reason } = error as { code?: string; reason?: string };
      shown.push(`${code ?? String(error)} ${reason ?? ''}`);
    }
  }
  log.push(`${what} -> ${shown[0]}`);
  expect(shown[1], log.slice(-25).join('\n')).toBe(shown[0]);
  return [answers[0], answers[1]];
}

/** Every lease there is runs out. */
async function passTime(): Promise<void> {
  passedMs += LEASE_MS + 1;
  await runSql(`update "${schema}".conversations
    set lease_until = clock_timestamp() - interval '1 ms' where lease_until > clock_timestamp()`);
}

async function play(chance: Chance, prefix: string): Promise<void> {
  const log: string[] = [];
  const keys = [`${prefix} a`, `${prefix} b`];
  const fences = new Map<string, Pair[]>();
  const start = { agent: 'a', data: null };
  const turnOf = (): string => `t${chance.below(5)}`;
  for (let step = 0; step < STEPS; step += 1) {
    const key = chance.pick(keys);
    const turn = turnOf();
    const callKey = `call ${key} ${chance.below(3)}`;
    const question = `question ${key} ${chance.below(3)}`;
    const known = fences.get(key) ?? [];
    // Now and then one that is lost.
    const pair = chance.next() < 0.85 ? known.at(-1) : known[chance.below(Math.max(1, known.length))];
    const under = (
      run: (journal: Journal, fence: Fence) => Promise<unknown>,
      what: string,
      show: (answer: never) => unknown = (answer) => answer,
    ) =>
      pair &&
      askBoth(
        log,
        `${what} ${key}`,
        (journal, which) => run(journal, pair[which]),
        show as (answer: unknown) => unknown,
      );
    switch (chance.below(19)) {
      case 0:
      case 1:
        await askBoth(
          log,
          `enqueue ${key} ${turn}`,
          (journal) => journal.enqueue({ key, id: turn, content: turn, start }),
          ({ isNew, turn: { place, state } }) => [isNew, place, state],
        );
        break;
      case 2:
      case 3: {
        const [one, other] = await askBoth(
          log,
          `lease ${key}`,
          (journal) => journal.lease(key, { owner: 'w', ms: LEASE_MS }),
          ({ state }) => state,
        );
        if (one?.state === 'granted' && other?.state === 'granted')
          fences.set(key, [...known, [one.fence, other.fence]]);
        break;
      }
      case 4:
      case 5:
        await under(
          (journal, fence) => journal.next(fence),
          'next',
          (answer: { id: string; attempt: number; tries: number; stop?: string } | undefined) =>
            answer && [answer.id, answer.attempt, answer.tries, answer.stop],
        );
        break;
      case 6:
        await under((journal, fence) => journal.finish(fence, turn, { outcome: OUTCOME }), `finish ${turn}`);
        break;
      case 7:
        await under(
          async (journal, fence) => await journal.finishAndNext?.(fence, turn, { outcome: OUTCOME }),
          `finishAndNext ${turn}`,
          (answer: { ended: boolean; next?: { id: string } }) => [answer.ended, answer.next?.id],
        );
        break;
      case 8:
        await under(
          (journal, fence) =>
            journal.ask(fence, turn, { id: question, kind: 'permission', attempt: 1, askedAt: 0, input: {} }),
          `ask ${turn} ${question}`,
          (answer: object | undefined) => answer !== undefined,
        );
        break;
      case 9:
        await under(
          (journal, fence) => journal.park(fence, turn, { questions: [question], turnCostUsd: 0.125 }),
          `park ${turn} ${question}`,
        );
        break;
      case 10:
        await askBoth(
          log,
          `answer ${question}`,
          (journal) =>
            journal.answer(question, { result: { behavior: 'allow', updatedInput: {} }, answeredAt: 0 }),
          ({ taken, key: of }) => [taken, of],
        );
        break;
      case 11:
        await under(
          (journal, fence) => journal.beginCall(fence, { callKey, turn, toolName: 'x', input: {} }),
          `beginCall ${turn} ${callKey}`,
        );
        break;
      case 12:
        await under((journal, fence) => journal.endCall(fence, callKey, { ok: step }), `endCall ${callKey}`);
        break;
      case 13:
        await under(
          (journal, fence) =>
            journal.publish(fence, [{ turn, type: 'text', text: 'x' }], `batch ${step % 3}`),
          `publish ${turn}`,
        );
        break;
      case 14:
        await under(
          (journal, fence) => journal.release(fence, { turn, turnCostUsd: 0, failed: step % 2 === 0 }),
          `release ${turn}`,
        );
        break;
      case 15:
        await under(
          (journal, fence) => journal.renew([fence], LEASE_MS),
          'renew',
          ([first]: { held: boolean; why?: string; hasWork: boolean; stop?: string }[]) => [
            first?.held,
            first?.why,
            first?.hasWork,
            first?.stop,
          ],
        );
        break;
      case 16:
        await askBoth(
          log,
          `cancel ${key} ${turn}`,
          (journal) => journal.cancel(key, turn),
          (answer) => answer,
        );
        break;
      case 17:
        await askBoth(
          log,
          `interrupt ${key}`,
          (journal) => journal.interrupt(key),
          (answer) => answer,
        );
        break;
      default:
        await passTime();
        log.push('time passes');
        await askBoth(
          log,
          'due',
          (journal) => journal.due(1000),
          (due) =>
            due
              .filter(({ key: of }) => keys.includes(of))
              .map(({ key: of, recovered }) => `${of} ${recovered}`)
              .toSorted(),
        );
    }
    if (pair && step % 10 === 0) {
      await under(
        (journal, fence) =>
          journal
            .store(fence)
            .append({ projectKey: 'p', sessionId: `${key} session` }, [
              { ...ENTRY, uuid: `${step}` },
            ] as never),
        'append',
        () => 'done',
      );
    }
  }
  for (const key of keys) {
    await askBoth(
      log,
      `history of ${key}`,
      (journal) => journal.history(key),
      (history) =>
        history && {
          state: [
            history.conversation.state,
            history.conversation.turns,
            history.conversation.queued,
            history.conversation.questions,
            history.conversation.totalCostUsd,
          ],
          turns: history.turns.map(({ id, place, state, attempt, tries, outcome, turnCostUsd, stop }) => [
            id,
            place,
            state,
            attempt,
            tries,
            outcome?.kind,
            turnCostUsd,
            stop,
          ]),
          events: history.events.map((event) => [
            event.id,
            event.type,
            event.turn,
            event.type === 'turn' ? [event.state, event.attempt] : '',
          ]),
          leases: history.leases.map(({ released }) => released),
          calls: history.calls
            .map(({ callKey, begun, ended, result }) => JSON.stringify([callKey, begun, ended, result]))
            .toSorted(),
          questions: history.questions.map(({ id, answer }) => `${id} ${answer !== undefined}`).toSorted(),
        },
    );
  }
}

it.each(Array.from({ length: HISTORIES }, (_, at) => seed + at))(
  'say the same in the history of seed %i',
  async (own) => {
    await play(createChance(own), `history ${own}`);
  },
);
