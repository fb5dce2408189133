// The simulator itself: the same seed gives the same world, the judge can fail a run, and a run that fails can be made smaller.
// Seeds are run by `node scripts/run-simulator.mjs`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile } from '../package/project.js';
import { checkAnswers } from './judge/check-answers.js';
import { createPlan, FAULTS, type Plan } from './plan.js';
import type * as SimulatorModule from './simulator.js';
import { createSeen, type HandlerRun } from './scenes/kit.js';
import { dropParts, listParts } from './shrink.js';
import { EventQueue } from './world/event-queue.js';
import { MemoryDisk } from './world/memory-disk.js';
import { shorten } from '../../scripts/support/mutation/mutants.mjs';
import { PLANTED } from './faults/planted.mjs';

type Simulator = Pick<typeof SimulatorModule, 'openSimulator'>;
interface Builder {
  buildSimulator: (folder: string) => Promise<void>;
}

const BUILD_MS = 120_000;
/** Short in both scenes. */
const [SEED, OTHER_SEED] = [17, 24];
const folder = mkdtempSync(join(tmpdir(), 'simulator-test-'));
let simulator: Simulator;
beforeAll(async () => {
  const builder = pathToFileURL(join(PROJECT_ROOT, 'scripts/support/simulator/build-simulator.mjs')).href;
  await ((await import(builder)) as Builder).buildSimulator(folder);
  simulator = (await import(pathToFileURL(join(folder, 'simulator.mjs')).href)) as Simulator;
}, BUILD_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a simulated world', () => {
  it.each(['cluster', 'desk'] as const)(
    'of a %s is the same for the same seed, and keeps its promises',
    async (scene) => {
      const { run } = simulator.openSimulator(folder);
      const plan = createPlan(SEED, { scene });
      const first = await run(plan);
      expect(first.broken).toEqual([]);
      expect(first.log.length).toBeGreaterThan(100);
      await run(createPlan(OTHER_SEED, { scene }));
      expect((await run(plan)).digest).toBe(first.digest);
      expect((await run(createPlan(OTHER_SEED, { scene }))).digest).not.toBe(first.digest);
    },
  );
});

describe('a plan', () => {
  it('has only the faults that it may have, and loses the parts that are dropped', () => {
    const seeds = Array.from({ length: 50 }, (_, seed) => seed);
    const kinds = (faults: Parameters<typeof createPlan>[1]): Set<string> =>
      new Set(seeds.flatMap((seed) => createPlan(seed, faults).faults.map(({ kind }) => kind)));
    expect(kinds({})).toEqual(new Set(FAULTS));
    expect(kinds({ faults: ['kill'] })).toEqual(new Set(['kill']));
    const plan = createPlan(3);
    const rest = dropParts(
      plan,
      listParts(plan).filter((part) => !/^c0(?:-1)?$/.test(part)),
    );
    expect(rest.conversations.map(({ key, turns }) => [key, turns.length])).toEqual([['c0', 1]]);
    expect([rest.faults, rest.lostWakes, rest.doubledWakes]).toEqual([[], 0, 0]);
    expect(() => dropParts(plan, ['x9'])).toThrow('no part "x9"');
  });
});

describe('the judge of answers', () => {
  const turn = {
    n: 1,
    afterMs: 0,
    together: true,
    calls: 1,
    asks: true,
    ms: 1,
    answerMs: 1,
    denied: [] as number[],
    pending: [] as number[],
  };
  const run: HandlerRun = { k: 'c0', n: 1, call: 0, callKey: 'key', host: 'w1', begunAt: 1, endedAt: 2 };
  const judge = (
    read: string[],
    runs = [run],
    behavior: 'allow' | 'deny' = 'allow',
    onRepeat: Plan['onRepeat'] = 'unknown',
  ) => {
    const plan: Plan = {
      ...createPlan(1),
      onRepeat,
      faults: [],
      conversations: [{ key: 'c0', turns: [turn] }],
    };
    const answered = [{ k: 'c0', n: 1, call: 0, id: 'key', behavior, taken: true }];
    const seen = { ...createSeen(), runs, answered };
    const ended = {
      key: 'c0',
      n: 1,
      state: 'ended',
      ok: true,
      kind: 'success',
      text: JSON.stringify(read),
      turnCostUsd: 0,
    };
    return checkAnswers({ plan, seen, turns: [ended] });
  };

  it('takes a result, a denial, and an unknown outcome for what they are', () => {
    expect(judge(['did c0 1 0'])).toEqual([]);
    expect(judge(['denied c0 1 0'], [], 'deny')).toEqual([]);
    expect(judge(['its outcome is unknown'])).toEqual([]);
  });

  it.each([
    ['a lost result', () => judge([])],
    ['a result that is there twice', () => judge(['did c0 1 0', 'did c0 1 0'])],
    ['a result of nothing', () => judge(['did c0 1 0'], [])],
    ['a second run', () => judge(['did c0 1 0'], [run, run])],
    ['a second key', () => judge(['did c0 1 0'], [run, { ...run, callKey: 'other' }], 'allow', 'recorded')],
    ['a call that was allowed and never ran', () => judge(['This call did not run'], [])],
    ['a run in spite of a denial', () => judge(['denied c0 1 0'], [run], 'deny')],
    ['an answer of another kind', () => judge(['an error'])],
  ])('finds %s', (_name, play) => expect(play()).not.toEqual([]));
});

describe('the parts of a world', () => {
  it('the queue gives what comes first, and of the same time what was added first', () => {
    const queue = new EventQueue<{ at: number; order: number }>();
    const events = [5, 1, 3, 1, 4, 3].map((at, order) => ({ at, order }));
    for (const event of events) queue.add(event);
    const taken = events.map(() => queue.take());
    expect(taken).toEqual(events.toSorted((one, other) => one.at - other.at || one.order - other.order));
    expect([queue.take(), queue.size]).toEqual([undefined, 0]);
  });

  it('the disk has files, folders and links, and can be full', () => {
    let isFull = false;
    const { functions: fs } = new MemoryDisk(
      () => 1,
      () => isFull,
    );
    fs.mkdirSync('/desk/a/b', { recursive: true });
    fs.writeFileSync('/desk/a/b/file', 'one');
    fs.appendFileSync('/desk/a/b/file', ' two');
    fs.symlinkSync('/desk/a', '/desk/link');
    expect(fs.readFileSync('/desk/link/b/file', 'utf8')).toBe('one two');
    expect(() => fs.openSync('/desk/a/b/file', 'wx')).toThrow('EEXIST');
    isFull = true;
    expect(() => fs.appendFileSync('/desk/a/b/file', '!')).toThrow('ENOSPC');
    isFull = false;
    fs.renameSync('/desk/a/b', '/desk/c');
    expect([fs.existsSync('/desk/a/b/file'), fs.readdirSync('/desk', { recursive: true })]).toEqual([
      false,
      ['a', 'c', 'c/file', 'link'],
    ]);
    fs.rmSync('/desk/c', { recursive: true });
    expect(() => fs.readFileSync('/desk/c/file')).toThrow('ENOENT');
  });

  it.each(PLANTED.map(({ name, edits }) => [name, edits] as const))(
    'the fault "%s" is about the code as it is',
    (_name, edits) => {
      for (const { file, from, to } of edits) {
        expect(readFileSync(join(PROJECT_ROOT, file), 'utf8').split(from)).toHaveLength(2);
        expect(to).not.toBe(from);
      }
    },
  );

  it('the mutations that were drawn are in lines that are there', () => {
    const drawn = JSON.parse(readProjectFile('test/simulator/faults/mutants.json')) as Record<
      string,
      string
    >[];
    expect(drawn).toHaveLength(40);
    const gone = drawn.filter(({ file = '', id = '' }) => {
      const lines = readProjectFile(file).split('\n').map(shorten);
      const named = id.replace(/ \| \d+$/, '');
      return !lines.some((line) => line !== '' && named.endsWith(` | ${line}`));
    });
    expect(gone).toEqual([]);
  });
});
