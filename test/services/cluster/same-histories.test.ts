// The journal in memory and the one in PostgreSQL say the same in the same random histories: so what simulated worlds show on the one
// holds for the other.
import { beforeAll, expect, it } from 'vitest';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import { memoryJournal } from '../../../packages/cluster/src/journal/memory/memory-journal.js';
import type {
  ConversationHistory,
  ConversationRecord,
  Fence,
} from '../../../packages/cluster/src/journal/records.js';
import { createChance, type Chance } from '../../official/chance.js';
import { propertyOptions } from '../../support/seed.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const HISTORIES = 12;
const STEPS = 150;
/** How often a step is one that the conversation is ready for; the others are such as come late, twice or out of turn. */
const FITTING = 0.8;
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

/** What a history knows of one conversation, so that most steps are such as it is ready for. */
class Known {
  readonly key: string;
  /** The leases that were granted, the newest last. */
  readonly fences: Pair[] = [];
  /** Whether the newest lease is still held. */
  isHeld = false;
  /** The turn that the newest lease works on. */
  running: string | undefined;
  /** Questions of the running turn that are open. */
  open: string[] = [];
  /** Questions of a parked turn that are open. */
  parked: string[] = [];
  /** Calls that have begun and not ended. */
  calls: string[] = [];
  #count = 0;

  constructor(key: string) {
    this.key = key;
  }

  /** A name that was not used yet. */
  fresh(what: string): string {
    this.#count += 1;
    return `${what} ${this.key} ${this.#count}`;
  }

  leave(): void {
    this.isHeld = false;
    this.running = undefined;
    this.open = [];
    this.calls = [];
  }
}

type Step =
  | 'enqueue'
  | 'lease'
  | 'next'
  | 'finish'
  | 'finishAndNext'
  | 'ask'
  | 'park'
  | 'answer'
  | 'withdraw'
  | 'beginCall'
  | 'endCall'
  | 'publish'
  | 'release'
  | 'renew'
  | 'cancel'
  | 'interrupt'
  | 'append'
  | 'remove'
  | 'time';

const ALWAYS: readonly Step[] = ['enqueue', 'enqueue', 'cancel', 'interrupt', 'answer', 'time'];
const ALL: readonly Step[] = [
  ...ALWAYS,
  ...([
    'lease',
    'next',
    'finish',
    'finishAndNext',
    'ask',
    'park',
    'withdraw',
    'beginCall',
    'endCall',
  ] as const),
  ...(['publish', 'release', 'renew', 'append', 'remove'] as const),
];

/** What a conversation is ready for. */
function listFitting({ isHeld, running, open, parked, calls }: Known): readonly Step[] {
  if (!isHeld)
    return [...(parked.length > 0 ? (['answer', 'answer'] as const) : []), 'enqueue', 'lease', 'lease'];
  if (running === undefined) return ['next', 'next', 'next', 'release', 'enqueue', 'renew'];
  return [
    ...(['ask', 'beginCall', 'publish', 'append', 'renew', 'finish', 'finishAndNext', 'release'] as const),
    ...(open.length > 0 ? (['park', 'park', 'park', 'answer', 'withdraw', 'ask'] as const) : []),
    ...(calls.length > 0 ? (['endCall', 'endCall'] as const) : []),
  ];
}

async function play(chance: Chance, prefix: string): Promise<number> {
  const log: string[] = [];
  const all = [`${prefix} a`, `${prefix} b`].map((key) => new Known(key));
  const start = { agent: 'a', data: null };
  let fitted = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const known = chance.pick(all);
    const { key, fences } = known;
    const fits = chance.next() < FITTING;
    const what = chance.pick(fits ? listFitting(known) : ALL);
    const oneOf = (names: readonly string[], other: string): string =>
      names.length > 0 && (fits || chance.next() < 0.5) ? chance.pick(names) : other;
    const turn = oneOf(known.running === undefined ? [] : [known.running], `t${chance.below(4)} ${key}`);
    const callKey = oneOf(known.calls, `call ${key} ${chance.below(3)}`);
    const question = oneOf([...known.open, ...known.parked], `question ${key} ${chance.below(3)}`);
    // Now and then one that is lost.
    const pair = fits ? fences.at(-1) : fences[chance.below(Math.max(1, fences.length))];
    const isNewest = pair !== undefined && pair === fences.at(-1) && known.isHeld;
    const under = async <Answer>(
      run: (journal: Journal, fence: Fence) => Promise<Answer>,
      told: string,
      show: (answer: Answer) => unknown = (answer) => answer,
    ): Promise<Answer | undefined> => {
      if (!pair) return undefined;
      const ask = (journal: Journal, which: 0 | 1) => run(journal, pair[which]);
      const [answer] = await askBoth(log, `${told} ${key}`, ask, show);
      if (answer !== undefined && fits) fitted += 1;
      return answer;
    };
    switch (what) {
      case 'enqueue': {
        const id = chance.next() < 0.7 ? known.fresh('turn') : turn;
        await askBoth(
          log,
          `enqueue ${id}`,
          (journal) => journal.enqueue({ key, id, content: id, start }),
          ({ isNew, turn: { place, state } }) => [isNew, place, state],
        );
        break;
      }
      case 'lease': {
        const [one, other] = await askBoth(
          log,
          `lease ${key}`,
          (journal) => journal.lease(key, { owner: 'w', ms: LEASE_MS }),
          ({ state }) => state,
        );
        if (one?.state !== 'granted' || other?.state !== 'granted') break;
        known.leave();
        known.isHeld = true;
        fences.push([one.fence, other.fence]);
        break;
      }
      case 'next': {
        const found = await under(
          (journal, fence) => journal.next(fence),
          'next',
          (answer) =>
            answer && [
              answer.id,
              answer.attempt,
              answer.tries,
              answer.stop,
              answer.turnCostUsd,
              answer.state,
            ],
        );
        if (!isNewest || !found) break;
        if (known.running !== found.id) known.open = [];
        known.running = found.id;
        known.parked = [];
        break;
      }
      case 'finish':
        if (
          (await under(
            (journal, fence) => journal.finish(fence, turn, { outcome: OUTCOME }),
            `finish ${turn}`,
          )) &&
          isNewest
        ) {
          known.running = undefined;
          known.open = [];
        }
        break;
      case 'finishAndNext': {
        const end = await under(
          async (journal, fence) => await journal.finishAndNext?.(fence, turn, { outcome: OUTCOME }),
          `finishAndNext ${turn}`,
          (answer) => answer && [answer.ended, answer.next?.id],
        );
        if (!isNewest || !end?.ended) break;
        known.running = end.next?.id;
        known.open = [];
        break;
      }
      case 'ask': {
        const id = chance.next() < 0.7 ? known.fresh('question') : question;
        await under(
          (journal, fence) =>
            journal.ask(fence, turn, { id, kind: 'permission', attempt: 1, askedAt: 0, input: {} }),
          `ask ${turn} ${id}`,
          (answer) => answer !== undefined,
        );
        if (isNewest && turn === known.running) known.open.push(id);
        break;
      }
      case 'park': {
        const questions = fits && known.open.length > 0 ? known.open : [question];
        const parked = await under(
          (journal, fence) => journal.park(fence, turn, { questions, turnCostUsd: 0.125 }),
          `park ${turn} ${questions.join()}`,
        );
        if (!isNewest || parked !== true) break;
        known.parked = questions;
        known.running = undefined;
        known.open = [];
        break;
      }
      case 'answer':
        await askBoth(
          log,
          `answer ${question}`,
          (journal) =>
            journal.answer(question, { result: { behavior: 'allow', updatedInput: {} }, answeredAt: 0 }),
          ({ taken, key: of }) => [taken, of],
        );
        if (chance.next() < 0.9) known.open = known.open.filter((id) => id !== question);
        known.parked = known.parked.filter((id) => id !== question);
        break;
      case 'withdraw':
        await under(
          (journal, fence) => journal.withdraw(fence, question),
          `withdraw ${question}`,
          () => 'done',
        );
        if (chance.next() < 0.9) known.open = known.open.filter((id) => id !== question);
        break;
      case 'beginCall': {
        const id = chance.next() < 0.6 ? known.fresh('call') : callKey;
        await under(
          (journal, fence) => journal.beginCall(fence, { callKey: id, turn, toolName: 'x', input: {} }),
          `beginCall ${turn} ${id}`,
        );
        if (isNewest) known.calls.push(id);
        break;
      }
      case 'endCall':
        await under((journal, fence) => journal.endCall(fence, callKey, { ok: step }), `endCall ${callKey}`);
        known.calls = known.calls.filter((id) => id !== callKey);
        break;
      case 'publish':
        await under(
          (journal, fence) =>
            journal.publish(fence, [{ turn, type: 'text', text: 'x' }], `batch ${step % 3}`),
          `publish ${turn}`,
        );
        break;
      case 'release': {
        const left = chance.next() < 0.5 ? undefined : { turn, turnCostUsd: 0.5, failed: step % 2 === 0 };
        const isGone = await under(
          (journal, fence) => journal.release(fence, left),
          `release ${left ? turn : ''}`,
        );
        if (isNewest && isGone === true) known.leave();
        break;
      }
      case 'renew':
        await under(
          (journal, fence) => journal.renew([fence], LEASE_MS),
          'renew',
          ([first]) => [first?.held, first?.why, first?.hasWork, first?.stop],
        );
        break;
      case 'append':
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
        break;
      case 'cancel':
        await askBoth(log, `cancel ${turn}`, (journal) => journal.cancel(key, turn), identity);
        break;
      case 'interrupt':
        await askBoth(log, `interrupt ${key}`, (journal) => journal.interrupt(key), identity);
        break;
      case 'remove':
        // Seldom: what is removed has no history to compare.
        if (chance.next() < 0.2)
          await askBoth(log, `remove ${key}`, (journal) => journal.remove(key), identity);
        break;
      case 'time':
        // Seldom: it takes every lease there is.
        if (chance.next() < 0.6) break;
        await passTime();
        log.push('time passes');
        for (const each of all) each.leave();
        await askBoth(
          log,
          'due',
          (journal) => journal.due(1000),
          (due) =>
            due
              .filter(({ key: of }) => all.some((each) => each.key === of))
              .map(({ key: of, recovered }) => `${of} ${recovered}`)
              .toSorted(),
        );
    }
    await askBoth(log, `state of ${key}`, (journal) => journal.conversation(key), showConversation);
  }
  for (const { key } of all) {
    await askBoth(log, `history of ${key}`, (journal) => journal.history(key), showHistory);
    await askBoth(
      log,
      `transcript of ${key}`,
      (journal) => journal.store().load({ projectKey: 'p', sessionId: `${key} session` }),
      (entries) => entries?.map(({ uuid }) => uuid),
    );
    await askBoth(
      log,
      `open questions of ${key}`,
      (journal) => journal.questions({ key }),
      (questions) => questions.map(({ id }) => id).toSorted(),
    );
  }
  await askBoth(log, 'spent', (journal) => journal.spent(), identity);
  return fitted;
}

function identity<Value>(value: Value): Value {
  return value;
}

function showConversation(found: ConversationRecord | undefined): unknown {
  return found && [found.state, found.turns, found.queued, found.questions, found.totalCostUsd];
}

function showHistory(history: ConversationHistory | undefined): unknown {
  return (
    history && {
      state: showConversation(history.conversation),
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
    }
  );
}

it.each(Array.from({ length: HISTORIES }, (_, at) => seed + at))(
  'say the same in the history of seed %i',
  async (own) => {
    // Most steps do something.
    expect(await play(createChance(own), `history ${own}`)).toBeGreaterThan(STEPS / 6);
  },
);
