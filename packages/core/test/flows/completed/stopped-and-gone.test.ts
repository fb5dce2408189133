// A call that waits for a person without a CLI while its turn is stopped, and calls of tools that the conversation no longer has.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  allow,
  createApprovals,
  createSdkMcpServer,
  openSession,
  tool,
  type CanUseTool,
  type Options,
  type SessionStore,
  type Session,
} from '@inboard/inboard/index.js';
import { createFakeCli, text, type FakeCli } from '@inboard/inboard/testing.js';
import { createDeferred } from '../../../src/util/deferred.js';
import type { CallFact } from '../../../src/wire/protocol/config/call-records.js';
import { ASKED, BEGUN, COVERED, createCutFiles, createCutStore, SESSION } from './cut-session.js';

const opened: Session[] = [];
const fakes: FakeCli[] = [];
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
  for (const fake of fakes.splice(0)) await fake.close({ verify: false });
});

const createServers = (ran: string[] = []): Options['mcpServers'] => {
  const pay = tool('pay', 'Pays.', { order: 'string' }, ({ order }) => {
    ran.push(order);
    return 'paid';
  });
  return { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }) };
};

function open(options: Options): { session: Session; fake: FakeCli } {
  const fake = createFakeCli([text('Done.')], { allowEarlyEnd: true });
  fakes.push(fake);
  const transport = options.sessionStore ? { transport: fake.transport } : {};
  const session = openSession({
    options: { ...transport, resume: SESSION, ...options },
    interrupted: 'continue',
  });
  opened.push(session);
  return { session, fake };
}

/** A permission callback that is asked and does not answer. */
function createSilent(): { canUseTool: CanUseTool; asked: Promise<void> } {
  let note = (): void => {};
  const asked = new Promise<void>((resolve) => (note = resolve));
  const canUseTool: CanUseTool = async () => {
    note();
    return null;
  };
  return { canUseTool, asked };
}

describe('a turn that waits for a person without a CLI', () => {
  it.each([
    ['abandon', true],
    ['close', false],
  ] as const)('after %s() is continued: %s', async (end, isContinued) => {
    const { store: sessionStore, results } = await createCutStore();
    const { canUseTool, asked } = createSilent();
    const first = open({ sessionStore, canUseTool, mcpServers: createServers() });
    // Asking for the turn starts the session.
    void first.session.continued.catch(() => {});
    await asked;
    await first.session[end]();
    expect(await results()).toHaveLength(isContinued ? 0 : 1);
    const ran: string[] = [];
    const next = open({ sessionStore, canUseTool: async () => allow(), mcpServers: createServers(ran) });
    const turn = await next.session.continued;
    if (isContinued) await turn?.text();
    expect([turn !== undefined, ran]).toEqual([isContinued, isContinued ? ['7'] : []]);
  });

  it('takes its question back when it is interrupted', async () => {
    const { store: sessionStore } = await createCutStore();
    const approvals = createApprovals();
    const { session } = open({ sessionStore, canUseTool: approvals.canUseTool, mcpServers: createServers() });
    void session.continued;
    for await (const _ of approvals.watch()) break;
    await session.interrupt();
    await (await session.continued)?.outcome();
    expect(await approvals.list()).toEqual([]);
    approvals.close();
  });

  it('asks no person when it is interrupted while its transcript is being read', async () => {
    const { store, results } = await createCutStore();
    const reading = createDeferred<void>();
    const mayRead = createDeferred<void>();
    const sessionStore: SessionStore = {
      append: (key, entries) => store.append(key, entries),
      calls: (key) => store.calls(key),
      load: async (key) => {
        reading.resolve();
        await mayRead.promise;
        return await store.load(key);
      },
    };
    const approvals = createApprovals();
    const { canUseTool } = approvals;
    const { session } = open({ sessionStore, canUseTool, mcpServers: createServers() });
    const { continued } = session;
    await reading.promise;
    await session.interrupt();
    mayRead.resolve();
    const outcome = await (await continued)?.outcome();
    expect(outcome).toMatchObject({ kind: 'interrupted', completedCalls: [{ how: 'notRun' }] });
    expect(await approvals.list({ answered: true })).toEqual([]);
    expect(await results()).toHaveLength(1);
    approvals.close();
  });
});

const ENDED: CallFact = {
  type: 'ended',
  callKey: ASKED.type === 'asked' ? ASKED.callKey : '',
  result: { content: [{ type: 'text', text: 'paid before' }] },
  at: 4,
};
const ASKED_AS_SDK = { ...ASKED, question: { mcpServer: { name: 'shop', source: 'sdk' } } } as CallFact;

describe('a call of a tool that is gone', () => {
  it('is asked about no more, and the model is told so', async () => {
    const { store: sessionStore } = await createCutStore([COVERED, ASKED_AS_SDK]);
    let asked = 0;
    const other = createSdkMcpServer({ name: 'store', tools: [tool('pay', 'Pays.', {}, () => 'paid')] });
    const canUseTool: CanUseTool = async () => {
      asked += 1;
      return allow();
    };
    const { session } = open({ sessionStore, canUseTool, mcpServers: { store: other } });
    const outcome = await (await session.continued)?.outcome();
    expect(outcome?.completedCalls).toMatchObject([{ how: 'notRun', delivered: true }]);
    expect(asked).toBe(0);
  });

  it.each([
    ['without any tools', {}],
    ['in another folder', { mcpServers: createServers(), cwd: tmpdir() }],
  ])('gets its recorded result %s', async (_where, options: Options) => {
    const folder = mkdtempSync(join(tmpdir(), 'gone-'));
    try {
      const configDir = join(folder, 'config');
      const { results } = await createCutFiles(configDir, folder, [COVERED, ASKED, BEGUN, ENDED]);
      const fake = createFakeCli([text('Done.')], { allowEarlyEnd: true });
      fakes.push(fake);
      const { session } = open({
        pathToClaudeCodeExecutable: await fake.executable(),
        env: { PATH: process.env['PATH'], HOME: folder, CLAUDE_CONFIG_DIR: configDir },
        cwd: folder,
        ...options,
      });
      const outcome = await (await session.continued)?.outcome();
      expect(outcome?.completedCalls).toMatchObject([{ how: 'recorded', delivered: true }]);
      expect(results()).toHaveLength(1);
      await session.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
