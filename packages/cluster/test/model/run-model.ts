// One run of the model: clients, three workers and two people over a journal, with kills, stalls and jumps of the clock that a
// seed decides; then calm, until every turn has ended. What is left is checked.
import { checkHistory } from '../../src/journal/check-history.js';
import type { Journal } from '../../src/journal/journal.js';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';
import type { ConversationHistory } from '../../src/journal/records.js';
import { createChance } from '../../../../test/official/chance.js';
import type { Books } from './compared-journal.js';
import { Model } from './model.js';
import { answer, KEYS, LEASE_MS, meddle, REPEATABLE, send, work, type Stage } from './plays.js';
import { Actor, stepOne, type Play } from './scheduler.js';

const BEGIN = Date.UTC(2026, 0, 5);
const MAX_CALM_STEPS = 20_000;
const WORKERS = ['w1', 'w2', 'w3'] as const;

/** What a run is made of; less of it is easier to read. */
export interface RunSize {
  messages?: number | undefined;
  /** What may go wrong. */
  faults?: readonly Fault[] | undefined;
}

export const FAULTS = ['kill', 'stall', 'jump', 'bold'] as const;
export type Fault = (typeof FAULTS)[number];

/** What was wrong with a run, and how it went. */
export interface RunReport {
  seed: number;
  steps: number;
  faults: string[];
  log: readonly string[];
}

/** Does one run; `createJournal` gives the journal to be tried. */
export async function runModel(
  seed: number,
  { messages = 4, faults = FAULTS }: RunSize = {},
  createJournal: (now: () => number) => Journal = (now) => memoryJournal({ now }),
): Promise<RunReport> {
  const chance = createChance(seed);
  const model = new Model();
  model.now = BEGIN;
  const books: Books = {
    journal: createJournal(() => model.now),
    model,
    log: [],
    sent: [],
    removed: new Set(),
    runs: [],
  };
  const stage: Stage = { books, chance, isCalm: false, isOver: false };
  const actors: Actor[] = [];
  const begin = async (name: string, play: Play): Promise<Actor> => {
    const actor = new Actor(name);
    actors.push(actor);
    await actor.begin(play);
    return actor;
  };
  let steps = 0;
  const found: string[] = [];
  try {
    const clients = [];
    for (const name of ['c1', 'c2']) clients.push(await begin(name, send(stage, messages)));
    if (faults.includes('bold')) await begin('m1', meddle(stage));
    const workers: Actor[] = [];
    for (const name of WORKERS) workers.push(await begin(name, work(stage)));
    for (const name of ['p1', 'p2']) await begin(name, answer(stage));

    while (clients.some(({ isOver }) => !isOver) || chance.next() > 0.03) {
      model.now += chance.below(20);
      if (faults.includes('jump') && chance.next() < 0.015)
        model.now += LEASE_MS / 2 + chance.below(LEASE_MS);
      if (faults.includes('stall') && chance.next() < 0.04)
        chance.pick(workers).asleepUntil = model.now + LEASE_MS / 2 + chance.below(LEASE_MS);
      if (faults.includes('kill') && chance.next() < 0.02) {
        const at = chance.below(workers.length);
        const dead = workers[at] as Actor;
        // From here on it does nothing: not even what it had asked for and not heard of.
        dead.isKilled = true;
        await dead.step();
        books.log.push(`${model.now} ${dead.name}: killed`);
        workers[at] = await begin(dead.name, work(stage));
      }
      if (!(await stepOne(actors, model.now, chance))) model.now += 100;
      steps += 1;
    }
    stage.isCalm = true;
    for (let calm = 0; !isSettled(model); calm += 1) {
      model.now += chance.below(20);
      if (!(await stepOne(actors, model.now, chance))) model.now += 100;
      if (calm > MAX_CALM_STEPS) throw new Error(`Not all turns ended in ${MAX_CALM_STEPS} steps of calm.`);
      steps += 1;
    }
    await checkAll(books, found);
  } catch (error) {
    found.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
  await end(stage, actors);
  return { seed, steps, faults: found, log: books.log };
}

function isSettled({ conversations }: Model): boolean {
  return [...conversations.values()].every(({ turns }) => turns.every(({ state }) => state === 'ended'));
}

/** The history against the promises, and the turns against the model. */
async function checkAll({ journal, model, sent, removed, runs }: Books, found: string[]): Promise<void> {
  const histories: ConversationHistory[] = [];
  for (const key of KEYS) {
    const history = await journal.history(key);
    if (history) histories.push(history);
    const turns = history?.turns.map(
      ({ id, state, outcome, attempt }) => `${id} ${state} ${outcome?.kind} ${attempt}`,
    );
    const modelled = model.conversations
      .get(key)
      ?.turns.map(({ id, state, kind, attempt }) => `${id} ${state} ${kind} ${attempt}`);
    if (String(turns) !== String(modelled))
      found.push(`Turns of "${key}": ${String(turns)}; the model has ${String(modelled)}`);
  }
  const first = new Map(
    histories.map(({ conversation, leases }) => [conversation.key, leases[0]?.epoch ?? Infinity]),
  );
  const violations = checkHistory(histories, {
    sent,
    removed: [...removed],
    // Those of a conversation that was removed meanwhile are not of this one.
    runs: runs.filter(({ key, epoch }) => epoch >= (first.get(key) ?? Infinity)),
    repeatable: [REPEATABLE],
    slackMs: 0,
  });
  for (const { promise, key, what } of violations) found.push(`${promise} in "${key}": ${what}`);
}

async function end(stage: Stage, actors: readonly Actor[]): Promise<void> {
  stage.isOver = true;
  for (const actor of actors) {
    if (actor.isOver) continue;
    actor.isKilled = true;
    await actor.step();
  }
}

/** The smallest run found that fails too, with this seed or one near it. */
export async function shrink(
  failed: RunReport,
  createJournal?: (now: () => number) => Journal,
): Promise<{ report: RunReport; size: Required<RunSize> }> {
  const sets: Array<readonly Fault[]> = [
    [],
    ['kill'],
    ['stall'],
    ['jump'],
    ['bold'],
    ['kill', 'jump'],
    ['stall', 'jump'],
    ['jump', 'bold'],
    FAULTS,
  ];
  for (const messages of [1, 2, 3, 4]) {
    for (const faults of sets) {
      for (const seed of [failed.seed, ...Array.from({ length: 30 }, (_, index) => index + 1)]) {
        const report = await runModel(seed, { messages, faults }, createJournal);
        if (report.faults.length > 0) return { report, size: { messages, faults } };
      }
    }
  }
  return { report: failed, size: { messages: 4, faults: FAULTS } };
}

/** The command that does a run again. */
export function replayLine(seed: number, { messages, faults }: Required<RunSize>): string {
  return `node scripts/run-cluster-model.mjs --seed ${seed} --messages ${messages} --faults ${faults.join(',') || 'none'} --log`;
}
