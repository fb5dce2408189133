// The conformance suite of call records: passed by those in memory and in files, and failed by all that do one thing wrong.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CallClaim, CallFact, CallRecords } from '../../../src/wire/protocol/config/call-records.js';
import { FileRecords } from '../../../src/record/calls/file/file-call-records.js';
import {
  createMemoryCallRecords,
  MemoryCallRegistry,
} from '../../../src/record/calls/memory-call-records.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import { createFacts, type CallRecordsUnderTest } from '@inboard/testing/conformance/call-records-check.js';
import {
  callRecordsCases,
  describeCallRecords,
} from '@inboard/testing/conformance/call-records-conformance.js';

const root = mkdtempSync(join(tmpdir(), 'call-records-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;

/** Records in memory, with a clock of their own. */
function createInMemory(): Required<CallRecordsUnderTest> {
  let now = 0;
  const records = createMemoryCallRecords({ clock: () => now });
  return { records, open: () => records, advance: (ms) => void (now += ms), close: () => {} };
}

/** Records in files; each handle as in a process of its own, with a clock that can be moved. */
function createInFiles(): CallRecordsUnderTest {
  const folder = join(root, String((folders += 1)), 'projects', 'session');
  let passed = 0;
  const clocks = {
    wall: () => Date.now() + passed,
    steady: () => Math.floor(performance.now()) + passed,
  };
  const open = (): FileRecords => new FileRecords({ folder }, { clocks });
  const [records, other] = [open(), open()];
  return {
    records,
    open: () => other,
    advance: (ms) => void (passed += ms),
    close: async () => {
      await records.close();
      await other.close();
    },
  };
}

describeCallRecords('createMemoryCallRecords', createInMemory, { describe, it });
describeCallRecords('createFileCallRecords', createInFiles, { describe, it });
describeCallRecords(
  'InMemorySessionStore.calls',
  () => {
    const store = new InMemorySessionStore();
    const key = { projectKey: 'p', sessionId: 's' };
    return { records: store.calls(key), open: () => store.calls(key) };
  },
  { describe, it },
);

type Break = (good: CallRecords, another: CallRecords) => Partial<CallRecords>;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const changeClaim =
  (change: (claim: CallClaim) => Partial<CallClaim>): Break =>
  (good) => ({
    claim: async (options) => {
      const answer = await good.claim(options);
      return 'renew' in answer ? { ...answer, ...change(answer) } : answer;
    },
  });

// Each takes good records and breaks one promise of them.
const broken: Record<string, Break> = {
  'puts facts in another order': (good) => ({ load: async () => (await good.load()).toReversed() }),
  'keeps a call once': (good) => ({
    load: async () => [
      ...new Map((await good.load()).map((f) => ['callKey' in f ? f.callKey : '', f])).values(),
    ],
  }),
  // One for each kind of fact.
  ...Object.fromEntries(
    [...new Set(createFacts().map(({ type }) => type))].map((lost): [string, Break] => [
      `loses facts of the kind ${lost}`,
      (good) => ({ load: async () => (await good.load()).filter(({ type }) => type !== lost) }),
    ]),
  ),
  'tells the facts of another session, too': (good, another) => ({
    add: async (fact) => {
      await another.add(fact);
      await good.add(fact);
    },
    load: async () => {
      const [own, all] = [await good.load(), await another.load()];
      const names = new Set(own.map((fact) => JSON.stringify(fact)));
      return [...own, ...all.filter((fact) => !names.has(JSON.stringify(fact)))];
    },
  }),
  'lets two hold the claim, where they ask in different processes': (good) => {
    let asked = 0;
    const other = createMemoryCallRecords();
    return { claim: (options) => ((asked += 1) % 2 === 1 ? good : other).claim(options) };
  },
  'adds a field of its own': (good) => ({
    load: async () => (await good.load()).map((f) => ({ ...f, id: 1 })),
  }),
  'fails where there is nothing': (good) => ({
    load: async () => {
      const facts = await good.load();
      if (facts.length === 0) throw new Error('nothing');
      return facts;
    },
  }),
  'cuts long results': (good) => ({
    add: (fact) =>
      good.add(JSON.stringify(fact).length > 100_000 ? ({ ...fact, result: {} } as CallFact) : fact),
  }),
  'cuts many facts': (good) => ({ load: async () => (await good.load()).slice(0, 1000) }),
  'cannot keep control characters': (good) => ({
    add: (fact) => good.add(JSON.parse(JSON.stringify(fact).replaceAll('\\u0000', '')) as CallFact),
  }),
  'rounds times': (good) => ({ add: (fact) => good.add({ ...fact, at: Math.round(fact.at) }) }),
  'resolves before a fact is there': (good) => ({
    add: (fact) => {
      const copy = structuredClone(fact);
      void nextTurn()
        .then(() => nextTurn())
        .then(() => good.add(copy))
        .catch(() => {});
    },
  }),
  'keeps what it was given': () => {
    const facts: CallFact[] = [];
    return { add: (fact) => void facts.push(fact), load: async () => structuredClone(facts) };
  },
  'gives what it keeps': () => {
    const facts: CallFact[] = [];
    return {
      add: (fact) => void facts.push(JSON.parse(JSON.stringify(fact)) as CallFact),
      load: async () => facts,
    };
  },
  'keeps what is undefined': () => {
    const facts: CallFact[] = [];
    return {
      add: (fact) => void facts.push(structuredClone(fact)),
      load: async () => structuredClone(facts),
    };
  },
  'accepts anything': (good) => {
    const wrong: CallFact[] = [];
    return {
      add: (fact) => ('callKey' in fact && Number.isFinite(fact.at) ? good.add(fact) : void wrong.push(fact)),
      load: async () => [...(await good.load()), ...wrong],
    };
  },
  'writes over what was added meanwhile': () => {
    let kept: CallFact[] = [];
    return {
      add: async (fact) => {
        const copy = JSON.parse(JSON.stringify(fact)) as CallFact;
        const before = kept;
        await nextTurn();
        kept = [...before, copy];
      },
      load: async () => structuredClone(kept),
    };
  },
  'mixes up sessions': (_, shared) => shared,
  'gives the claim to everyone': () => ({
    claim: async () => ({ renew: async () => true, release: async () => {} }),
  }),
  'gives the claim to nobody': () => ({ claim: async () => ({ heldBy: 'nobody', until: 1 }) }),
  'looks and then takes': () => {
    let holder: { owner: string; end: number } | undefined;
    return {
      claim: async ({ owner, ttlMs }) => {
        if (!owner || !(ttlMs > 0 && ttlMs < Infinity)) throw new Error('wrong');
        if (holder && holder.end > Date.now()) return { heldBy: holder.owner, until: holder.end };
        await nextTurn();
        const own = { owner, end: Date.now() + ttlMs };
        holder = own;
        return {
          renew: async () => holder === own && (own.end = Date.now() + ttlMs) > 0,
          release: async () => void (holder = holder === own ? undefined : holder),
        };
      },
    };
  },
  'does not tell who has the claim': (good) => ({
    claim: async (options) => {
      const answer = await good.claim(options);
      return 'renew' in answer ? answer : { ...answer, heldBy: 'somebody' };
    },
  }),
  'tells no end of the claim': (good) => ({
    claim: async (options) => {
      const answer = await good.claim(options);
      return 'renew' in answer ? answer : { ...answer, until: Number.NaN };
    },
  }),
  'says that a lost claim is renewed': changeClaim(() => ({ renew: async () => true })),
  'never renews': changeClaim(() => ({ renew: async () => false })),
  'says that it renewed, and does not': changeClaim(() => {
    let isFirst = true;
    return { renew: async () => isFirst && ((isFirst = false), true) };
  }),
  'does not release': changeClaim(() => ({ release: async () => {} })),
  'releases the claim of another': () => {
    let holder: string | undefined;
    return {
      claim: async ({ owner, ttlMs }) => {
        if (!owner || !(ttlMs > 0 && ttlMs < Infinity)) throw new Error('wrong');
        if (holder !== undefined) return { heldBy: holder, until: Date.now() + ttlMs };
        holder = owner;
        return { renew: async () => holder === owner, release: async () => void (holder = undefined) };
      },
    };
  },
  'has claims that never run out': (good) => ({
    claim: async ({ owner, ttlMs }) =>
      await good.claim({ owner, ttlMs: ttlMs && 1_000_000 * Math.sign(ttlMs) }),
  }),
  'takes any owner and time': (good) => ({
    claim: ({ owner, ttlMs }) =>
      good.claim({ owner: owner || 'x', ttlMs: ttlMs > 0 && ttlMs < 1e9 ? ttlMs : 1000 }),
  }),
  'adds only under the claim': (good) => {
    let isHeld = false;
    return {
      add: (fact) => (isHeld ? Promise.reject(new Error('held')) : good.add(fact)),
      claim: async (options) => {
        const answer = await good.claim(options);
        if ('renew' in answer) isHeld = true;
        return answer;
      },
    };
  },
};

async function listFailures(create: () => CallRecordsUnderTest): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, run } of callRecordsCases()) {
    try {
      await run(create);
    } catch {
      failures.push(name);
    }
  }
  return failures;
}

describe('the conformance suite of call records', () => {
  it('has nothing against good records', async () => {
    expect(await listFailures(createInMemory)).toEqual([]);
  });

  it.each(Object.entries(broken))('notices records that are wrong: %s', async (_, breakRecords) => {
    const shared = createMemoryCallRecords();
    const create = (): CallRecordsUnderTest => {
      const good = createInMemory();
      const records = { ...good.records, ...breakRecords(good.records, shared) };
      let moves = 0;
      // Some never give the claim again, however much time passes.
      const advance = (ms: number): void => {
        if ((moves += 1) > 50) throw new Error('waited in vain');
        void good.advance(ms);
      };
      return { ...good, records, open: () => records, advance };
    };
    expect((await listFailures(create)).length).toBeGreaterThan(0);
  });

  it('closes what it opened, also after a failure', async () => {
    let closed = 0;
    const create = (): CallRecordsUnderTest => ({
      records: { ...createMemoryCallRecords(), load: () => Promise.reject(new Error('broken')) },
      close: () => void (closed += 1),
    });
    await listFailures(create);
    expect(closed).toBe(2 * callRecordsCases().length);
  });

  it('has names that tell its cases apart', () => {
    const names = callRecordsCases().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('a registry in memory', () => {
  it('forgets a session with its claim, and goes on with a new one', async () => {
    const registry = new MemoryCallRegistry();
    const records = registry.open('a');
    await records.add({ type: 'waiting', callKey: 'c', at: 1 });
    const claim = (await records.claim({ owner: 'x', ttlMs: 1000 })) as CallClaim;
    registry.delete('a');
    expect([await records.load(), await claim.renew()]).toEqual([[], false]);
    await records.add({ type: 'waiting', callKey: 'd', at: 1 });
    expect(await registry.open('a').load()).toEqual([{ type: 'waiting', callKey: 'd', at: 1 }]);
    registry.clear();
    expect(await records.load()).toEqual([]);
  });
});
