// A completion whose records or transcript fail: for a moment, for good, and while the session is closed or the turn stopped.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { allow, createSdkMcpServer, openSession, tool, type Session } from '@inboard/inboard/index.js';
import { createFakeCli, text, type FakeCli } from '@inboard/inboard/testing.js';
import type { InboardWarning } from '../../../src/options/check/warning.js';
import type { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import type { CallRecords } from '../../../src/wire/protocol/config/call-records.js';
import { PAUSES_MS } from '../../../src/verbs/conversation/completion/patience.js';
import { createCutStore, SESSION } from './cut-session.js';

/** Fails as often as it is told to. */
class Fault {
  left = 0;
  seen = 0;

  async pass<T>(work: () => T | Promise<T>): Promise<T> {
    this.seen += 1;
    if (this.left > 0) {
      this.left -= 1;
      throw new Error('The disk is away for a moment');
    }
    return await work();
  }
}

const opened: Session[] = [];
const fakes: FakeCli[] = [];

/** Whether the pauses between attempts come to an end, then at once. */
let arePausesOver = false;

beforeEach(() => {
  arePausesOver = false;
  const { setTimeout: wait } = globalThis;
  const waitLess = (work: () => void, ms = 0): NodeJS.Timeout => {
    if (!PAUSES_MS.includes(ms)) return wait(work, ms);
    return arePausesOver ? wait(work, 0) : wait(work, 2 ** 30).unref();
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(waitLess);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((session) => session.close()));
  await Promise.all(fakes.splice(0).map((fake) => fake.close({ verify: false })));
});

interface Faults {
  load: Fault;
  claim: Fault;
  append: Fault;
  read: Fault;
  calls: Fault;
}

async function openFaulty(change: (faults: Faults) => void, { readOnly = false } = {}) {
  const { store, key, results } = await createCutStore();
  const faults: Faults = {
    load: new Fault(),
    claim: new Fault(),
    append: new Fault(),
    read: new Fault(),
    calls: new Fault(),
  };
  change(faults);
  const records = store.calls(key);
  const sessionStore = {
    append: (...args: Parameters<InMemorySessionStore['append']>) =>
      faults.append.pass(() => store.append(...args)),
    load: (...args: Parameters<InMemorySessionStore['load']>) => faults.read.pass(() => store.load(...args)),
    listSubkeys: (...args: Parameters<InMemorySessionStore['listSubkeys']>) => store.listSubkeys(...args),
    calls: (): CallRecords => {
      faults.calls.seen += 1;
      if (faults.calls.left > 0) {
        faults.calls.left -= 1;
        throw new Error('The database is away for a moment');
      }
      return {
        readOnly,
        add: (fact) => records.add(fact),
        load: () => faults.load.pass(() => records.load()),
        claim: (wanted) => faults.claim.pass(() => records.claim(wanted)),
      };
    },
  };
  const ran: string[] = [];
  const pay = tool('pay', 'Pays.', { order: 'string' }, ({ order }) => {
    ran.push(order);
    return `paid ${order}`;
  });
  const fake = createFakeCli([text('Paid.')], { allowEarlyEnd: true });
  fakes.push(fake);
  const warnings: InboardWarning[] = [];
  const session = openSession({
    options: {
      transport: fake.transport,
      sessionStore,
      resume: SESSION,
      mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }) },
      canUseTool: async () => allow(),
      onWarning: (warning) => warnings.push(warning),
    },
    interrupted: 'continue',
  });
  opened.push(session);
  const continued = session.continued.catch((error: unknown) => error);
  const codes = () => warnings.map(({ code }) => code).filter((code) => code === 'CALLS_NOT_COMPLETED');
  return { session, continued, faults, results, ran, warnings, codes, fake };
}

/** Resolves when the fault was met, in real time. */
async function met(fault: Fault): Promise<void> {
  while (fault.seen === 0) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

const PLACES = ['load', 'claim', 'append', 'read', 'calls'] as const;

describe('a completion', () => {
  it.each(PLACES)('is made although "%s" fails for a moment, once', async (place) => {
    // A failed append is tried once more at once, before anything is waited for.
    arePausesOver = true;
    const { continued, results, ran, codes, warnings } = await openFaulty((each) => {
      each[place].left = place === 'append' ? 4 : 3;
    });
    expect(await ((await continued) as { text(): Promise<string> }).text()).toBe('Paid.');
    expect(ran).toEqual(['7']);
    expect(await results()).toHaveLength(1);
    expect(codes()).toEqual([]);
    expect(warnings.filter(({ message }) => message.includes('unknown outcome'))).toEqual([]);
  });

  it.each(['load', 'claim', 'append'] as const)(
    'is given up where "%s" fails on, and that is said',
    async (place) => {
      arePausesOver = true;
      const { continued, codes, warnings } = await openFaulty((each) => {
        each[place].left = 20;
      });
      expect(await ((await continued) as { text(): Promise<string> }).text()).toBe('Paid.');
      expect(codes()).toEqual(['CALLS_NOT_COMPLETED']);
      expect(warnings.find(({ code }) => code === 'CALLS_NOT_COMPLETED')?.message).toContain(
        'outcome is unknown',
      );
    },
  );

  it('fails the session where somebody else tries again, and starts no CLI', async () => {
    arePausesOver = true;
    const { continued, codes, fake, ran } = await openFaulty((each) => void (each.load.left = 20), {
      readOnly: true,
    });
    expect(await continued).toMatchObject({
      code: 'SESSION_CLOSED',
      cause: { code: 'CALLS_NOT_COMPLETED', retryable: true },
    });
    expect({ codes: codes(), starts: fake.sessions.length, ran }).toEqual({ codes: [], starts: 0, ran: [] });
  });

  it.each(['load', 'calls', 'read'] as const)('ends with the session while "%s" fails', async (place) => {
    const { session, continued, faults, fake, codes } = await openFaulty((each) => {
      each[place].left = 20;
    });
    await met(faults[place]);
    await session.close();
    expect(await continued).toMatchObject({ code: 'SESSION_CLOSED' });
    expect({ starts: fake.sessions.length, codes: codes() }).toEqual({ starts: 0, codes: [] });
  });

  it.each(['load', 'read'] as const)('ends when the turn is stopped while "%s" fails', async (place) => {
    const { session, continued, faults, fake, ran } = await openFaulty((each) => {
      each[place].left = 20;
    });
    await met(faults[place]);
    await session.interrupt();
    // The CLI that is started reads from the same store.
    faults[place].left = 0;
    const turn = (await continued) as { outcome(): Promise<{ ok: boolean }> } | undefined;
    // If the transcript could not be read, it is unknown whether there was a turn.
    if (place === 'read') expect(turn).toBeUndefined();
    else expect(await turn?.outcome()).toMatchObject({ ok: false });
    const env = fake.sessions[0]?.env ?? {};
    expect(env['CLAUDE_CODE_RESUME_INTERRUPTED_TURN']).toBeUndefined();
    expect(ran).toEqual([]);
  });
});
