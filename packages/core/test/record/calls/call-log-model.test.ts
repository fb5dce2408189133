// Several processes append to one log, some are killed within a line, and others make it shorter meanwhile and may be killed at any call:
// what is read is what was added, and what it says of each call is what a model says. The steps are chosen by a seed.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_FACT_LINE_BYTES } from '../../../src/record/calls/file/call-lines.js';
import { FileRecords } from '../../../src/record/calls/file/file-call-records.js';
import { foldFacts } from '../../../src/record/calls/fold-facts.js';
import type { CallClaim, CallFact } from '../../../src/wire/protocol/config/call-records.js';
import { propertyOptions } from '../../../../../test/support/seed.js';
import { Crash, Stage, type Fault, type Shortener } from './support/stage.js';

const RUNS = 25;
const STEPS = 70;
const WRITERS = 3;
// The claim does not help here: what is shown holds even for those that believe to have it.
const claim: CallClaim = { renew: async () => true, release: async () => {} };
/** Half of the calls. */
const isDelivered = (callKey: string): boolean => /[02468]$/.test(callKey);

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'call-log-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Writer {
  records: FileRecords;
  /** What it added, in order. */
  readonly added: CallFact[];
}

interface Played {
  /** What was wrong; undefined where nothing was. */
  problem?: string;
  /** How often the log was made shorter. */
  shortened: number;
}

/** One run. */
async function play(seed: number, fault?: Fault): Promise<Played> {
  const random = createRandom(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const home = join(folder, `${seed} ${fault}`);
  const stage = new Stage(random, fault);
  const open = (): FileRecords => new FileRecords({ folder: home });
  const writers: Writer[] = Array.from({ length: WRITERS }, () => ({ records: open(), added: [] }));
  const log: CallFact[] = [];
  let running: Shortener[] = [];
  let calls = 0;
  let shortened = 0;

  const createFact = (writer: number): CallFact => {
    const at = log.length;
    const chosen = `w${writer}-${pick((calls += 1))}`;
    // Nothing more happens to a call whose result was delivered.
    const { ended, withdrawn } = foldFacts(log).get(chosen) ?? {};
    const callKey = isDelivered(chosen) && (ended ?? withdrawn) ? `w${writer}-new-${calls}` : chosen;
    const call = { callKey, toolName: 't', input: {} };
    const kinds: (() => CallFact)[] = [
      () => ({ type: 'covers', message: `m${at}`, at }),
      () => ({ type: 'asked', ...call, question: {}, at }),
      () => ({ type: 'answered', callKey, answer: { behavior: 'allow' }, at }),
      () => ({ type: 'begun', ...call, attempt: 1 + pick(3), owner: 'o', at }),
      () => ({ type: 'waiting', callKey, at }),
      () => ({ type: 'ended', callKey, result: { content: [at] }, at }),
      () => ({ type: 'ended', callKey, result: { content: ['x'.repeat(pick(2000))] }, at }),
      () => ({ type: 'withdrawn', callKey, at }),
    ];
    return (kinds[pick(kinds.length)] as () => CallFact)();
  };
  const add = async (own: Writer, fact: CallFact): Promise<void> => {
    await own.records.add(fact);
    own.added.push(fact);
    log.push(fact);
  };
  const steps: [share: number, step: (own: Writer, index: number) => Promise<void> | void][] = [
    [10, (own, index) => add(own, createFact(index))],
    [
      1,
      (own) => {
        const text = 'y'.repeat(MAX_FACT_LINE_BYTES);
        return add(own, {
          type: 'ended',
          callKey: `large-${(calls += 1)}`,
          result: { content: [text] },
          at: log.length,
        });
      },
    ],
    [
      3,
      async (own, index) => {
        // Killed within a line: another process takes its place.
        stage.tear = random();
        await expect(async () => own.records.add(createFact(index))).rejects.toMatchObject({
          cause: expect.any(Crash) as Crash,
        });
        own.records = open();
      },
    ],
    [
      1,
      (own, index) => {
        stage.isLate = true;
        return add(own, createFact(index));
      },
    ],
    [
      2,
      async (own) => {
        if (running.length < 2)
          running.push(
            await stage.begin(async () => {
              if (await own.records.compact({ claim, isDelivered, maxBytes: 1 })) shortened += 1;
            }),
          );
      },
    ],
    [
      14,
      async () => {
        const one = running[pick(running.length)];
        if (one) await stage.goOn(one);
        running = running.filter(({ isDone }) => !isDone);
      },
    ],
    // Killed: it never goes on.
    [1, () => void (running = running.slice(1))],
    [1, (own) => own.records.close()],
    [1, async () => check(await open().load())],
  ];
  const total = steps.reduce((sum, [share]) => sum + share, 0);

  /** Compares what is read with what was added. */
  const check = (loaded: readonly CallFact[]): void => {
    const names = loaded.map((fact) => JSON.stringify(fact));
    const all = new Set(log.map((fact) => JSON.stringify(fact)));
    expect(
      names.filter((name) => !all.has(name)),
      'facts that nobody added',
    ).toEqual([]);
    expect(new Set(names).size, 'facts that are there twice').toBe(names.length);
    const there = new Set(names);
    for (const { added } of writers) {
      const own = added.map((fact) => JSON.stringify(fact)).filter((name) => there.has(name));
      const mine = new Set(own);
      expect(
        names.filter((name) => mine.has(name)),
        'facts of a process are out of order',
      ).toEqual(own);
    }
    const [known, model] = [foldFacts(loaded), foldFacts(log)];
    for (const call of model.list()) {
      const found = known.get(call.callKey);
      if (found) expect(found, 'what is known of a call').toEqual(call);
      else
        expect(
          [isDelivered(call.callKey), Boolean(call.ended ?? call.withdrawn)],
          `${call.callKey} is gone`,
        ).toEqual([true, true]);
    }
    // A mark may go where there is a later one.
    const marks = log.filter(({ type }) => type === 'covers');
    const last = marks.at(-1);
    if (last) expect(there, 'the last mark').toContain(JSON.stringify(last));
  };

  try {
    for (let step = 0; step < STEPS; step += 1) {
      let choice = random() * total;
      const [, act] = steps.find(([share]) => (choice -= share) < 0) ?? [];
      const index = pick(WRITERS);
      await act?.(writers[index] as Writer, index);
    }
    for (const one of running) while (!one.isDone) await stage.goOn(one);
    check(await open().load());
    return { shortened };
  } catch (error) {
    return { problem: (error as Error).message, shortened };
  } finally {
    await stage.close();
    for (const { records } of writers) await records.close();
  }
}

const { seed } = propertyOptions(1);
const seeds = Array.from({ length: RUNS }, (_, at) => seed + at);

describe('a log of calls with several processes', () => {
  it('has what was added, whichever process is killed, and however it was made shorter', async () => {
    let shortened = 0;
    for (const each of seeds) {
      const played = await play(each);
      expect(played.problem, `seed ${each}`).toBeUndefined();
      shortened += played.shortened;
    }
    // Else it would show nothing.
    expect(shortened).toBeGreaterThan(RUNS / 2);
  });

  it.each<Fault>([
    'lines that do not end a torn one',
    'writers that do not look whether the log is still the log',
    'a shorter log without what was appended meanwhile',
    'two that make the log shorter at the same time',
    'lines without a name of their own',
    'writes that are lost',
  ])('shows %s', async (fault) => {
    const problems = async function* () {
      for (const each of seeds) yield (await play(each, fault)).problem;
    };
    let found: string | undefined;
    for await (const problem of problems()) if ((found = problem) !== undefined) break;
    expect(found).toBeDefined();
  });

  it('has a line that was half written when the log was read to be made shorter', async () => {
    const stage = new Stage(() => 0.5);
    try {
      const records = new FileRecords({ folder });
      for (const [at, type] of ['covers', 'ended', 'covers'].entries())
        void records.add({ type, message: 'm', callKey: 'c0', result: {}, at } as CallFact);
      const log = join(folder, 'inboard-calls.jsonl');
      const late: CallFact = { type: 'waiting', callKey: 'late', at: 9 };
      const line = `\n${JSON.stringify({ v: 1, id: 'other-1', ...late })}\n`;
      appendFileSync(log, line.slice(0, 20));
      const shortener = await stage.begin(() => records.compact({ claim, isDelivered, maxBytes: 1 }));
      // Its reading is over when it makes its lock.
      while (!shortener.isDone && !/^writeFile .*\.lock$/.test(shortener.next)) await stage.goOn(shortener);
      appendFileSync(log, line.slice(20));
      while (!shortener.isDone) await stage.goOn(shortener);
      expect(shortener.failure).toBeUndefined();
      expect((await records.load()).map(({ at }) => at)).toEqual([2, 9]);
      await records.close();
    } finally {
      await stage.close();
    }
  });
});
