// Proves that the seams are whole: workers, conversations, approvals, call records and the fake CLI run on replaced parts, and no guarded
// file asks the real system for anything.
import childProcess from 'node:child_process';
import fs, { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCluster, memoryDispatcher, memoryJournal } from '../../packages/inboard/src/cluster.js';
import {
  allow,
  createApprovals,
  createFileApprovalStore,
  createSdkMcpServer,
  createSessionGroup,
  createWarmPool,
  openSession,
  tool,
} from '../../packages/inboard/src/index.js';
import {
  createFakeCli,
  gate,
  held,
  text,
  toolUse,
  type FakeScriptItem,
} from '../../packages/inboard/src/testing.js';
import { createCutFiles, SESSION } from '../../packages/core/test/flows/completed/cut-session.js';
import { PROJECT_ROOT } from '../package/project.js';
import { isGuarded } from './guarded-files.js';
import { BEGIN, SystemWatch, type Use } from './watch-system.js';

const CALL = toolUse('mcp__shop__pay', { order: '7' });
const SAY = ({ answer }: { answer: { text: string } }) => text(answer.text);
const DAY_MS = 24 * 60 * 60 * 1000;

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'inboard-seams-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function shop(ran: string[] = []) {
  const pay = tool('pay', 'Pays.', { order: 'string' }, ({ order }) => {
    ran.push(order);
    return `paid ${order}`;
  });
  return createSdkMcpServer({ name: 'shop', tools: [pay] });
}

/** A cluster of this process, and a fake CLI for each that its agent starts. */
function openCluster(
  script: readonly FakeScriptItem[],
  { journal = memoryJournal(), dispatcher = memoryDispatcher() } = {},
) {
  const clis: ReturnType<typeof createFakeCli>[] = [];
  const cluster = createCluster({
    journal,
    dispatcher,
    agents: {
      helper: () => ({
        mcpServers: { shop: shop() },
        transport: (start) => {
          const fake = createFakeCli([...script], { allowEarlyEnd: true });
          clis.push(fake);
          return fake.transport(start);
        },
      }),
    },
  });
  const endClis = async (): Promise<void> => {
    for (const cli of clis) await cli.close({ verify: false });
  };
  const close = async (): Promise<void> => {
    await cluster.close();
    await endClis();
  };
  return { cluster, close, endClis };
}

/** A turn that asks a person, in a cluster. */
async function playCluster(): Promise<void> {
  const { cluster, close } = openCluster([CALL, SAY]);
  await cluster.work({ keepWarmMs: 50 });
  const turn = await cluster.conversation('chat', { agent: 'helper' }).send('Pay');
  for await (const { id, askedAt } of cluster.approvals.watch()) {
    expectReplaced(askedAt);
    await cluster.approvals.answer(id, allow(), { by: 'ann' });
    break;
  }
  expect((await turn.outcome()).text).toBe('paid 7');
  await close();
}

/** A turn whose call was cut off: a person is asked by files, and the call is completed in the transcript. */
async function playCutOff(): Promise<void> {
  const [cwd, configDir] = [join(folder, 'project'), join(folder, 'config')];
  mkdirSync(cwd);
  const transcript = await createCutFiles(configDir, cwd);
  const approvals = createApprovals({ store: createFileApprovalStore(join(folder, 'questions')) });
  const ran: string[] = [];
  const fake = createFakeCli([text('Paid.'), CALL, SAY], { allowEarlyEnd: true });
  const session = openSession({
    options: {
      pathToClaudeCodeExecutable: await fake.executable(),
      cwd,
      env: { PATH: process.env['PATH'], HOME: folder, CLAUDE_CONFIG_DIR: configDir },
      resume: SESSION,
      mcpServers: { shop: shop(ran) },
      canUseTool: approvals.canUseTool,
      permissionMode: 'default',
    },
    interrupted: 'continue',
  });
  const answerOne = async (): Promise<void> => {
    for await (const { id, askedAt } of approvals.watch()) {
      expectReplaced(askedAt);
      await approvals.answer(id, allow(), { by: 'ann' });
      return;
    }
  };
  await answerOne();
  expect(await (await session.continued)?.text()).toBe('Paid.');
  expect(transcript.results()).toHaveLength(1);
  const next = session.send('Pay again');
  await answerOne();
  expect(await next.text()).toBe('paid 7');
  expect(ran).toEqual(['7', '7']);
  await session.close();
  approvals.close();
  await fake.close({ verify: false });
}

/** Conversations under a common limit, and CLIs that were started ahead. */
async function playFleet(): Promise<void> {
  const clis: ReturnType<typeof createFakeCli>[] = [];
  const transport = (start: Parameters<ReturnType<typeof createFakeCli>['transport']>[0]) => {
    const fake = createFakeCli([text('Hello.')], { allowEarlyEnd: true });
    clis.push(fake);
    return fake.transport(start);
  };
  const group = createSessionGroup({ maxRunning: 1, maxOpen: 1, options: { transport } });
  for (const each of [group.open(), group.open()]) expect(await each.send('Hi').text()).toBe('Hello.');
  await group.closeAll();
  const pool = createWarmPool({ size: 1, maxAgeMs: 60_000, options: { transport } });
  await pool.ready();
  await pool.close();
  for (const cli of clis) await cli.close({ verify: false });
}

function expectReplaced(time: number): void {
  expect(time).toBeGreaterThanOrEqual(BEGIN);
  expect(time).toBeLessThan(BEGIN + DAY_MS);
}

const inGuarded = (uses: readonly Use[]): Use[] => uses.filter(({ file }) => isGuarded(file));

describe('on replaced parts', () => {
  it.each([
    [
      'a turn of a cluster',
      playCluster,
      ['packages/cluster/src/', 'packages/core/src/verbs/conversation/', 'packages/testing/src/fake-cli/'],
    ],
    [
      'a call that was cut off',
      playCutOff,
      [
        'packages/core/src/record/calls/',
        'packages/core/src/answer/permissions/approvals/',
        'packages/core/src/verbs/conversation/completion/',
        'packages/core/src/calls/',
      ],
    ],
    ['a group and a pool', playFleet, ['packages/core/src/verbs/fleet/']],
  ])('%s asks the real system for nothing', async (_name, play, folders) => {
    using watch = new SystemWatch();
    await play();
    expect(inGuarded(watch.real)).toEqual([]);
    for (const place of folders)
      expect({ place, asks: watch.asked.some(({ file }) => file.startsWith(place)) }).toEqual({
        place,
        asks: true,
      });
  });
});

describe('a watch of the system', () => {
  it.each([
    ['setTimeout(() => {}, 0)', 'globalThis.setTimeout'],
    ['Date.now()', 'Date.now'],
    ['new Date()', 'new Date()'],
    ['performance.now()', 'performance.now'],
    ['Math.random()', 'Math.random'],
    ['process.hrtime.bigint()', 'process.hrtime.bigint'],
    ['crypto.randomUUID()', 'crypto.randomUUID'],
    ["fs.existsSync('/')", 'fs.existsSync'],
    ["childProcess.spawnSync('no-such-program')", 'child_process.spawnSync'],
  ])('finds %s in a guarded file, and nothing once it is over', (code, what) => {
    const file = 'packages/cluster/src/planted.ts';
    const planted = runInThisContext(`(fs, childProcess) => ${code}`, {
      filename: join(PROJECT_ROOT, file),
    }) as (...modules: object[]) => unknown;
    const play = (): unknown => planted(fs, childProcess);
    const watch = new SystemWatch();
    play();
    const seen = [...watch.real];
    watch[Symbol.dispose]();
    play();
    expect(inGuarded(seen)).toEqual([{ what, file, host: undefined }]);
    expect(watch.real).toEqual(seen);
  });
});

describe('hosts of one process', () => {
  it('have timers of their own: one is killed, and another takes over its turn', async () => {
    using watch = new SystemWatch();
    const shared = { journal: memoryJournal(), dispatcher: memoryDispatcher() };
    const hold = gate();
    /** What a host shares with others calls it back as the host. */
    const seenFrom = <T extends object>(host: string, target: T): T =>
      new Proxy(target, {
        get(object, name) {
          const value: unknown = Reflect.get(object, name);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]): unknown =>
            value.apply(
              object,
              given.map((each) =>
                typeof each === 'function' ? watch.bind(host, each as () => unknown) : each,
              ),
            );
        },
      });
    const openOn = (host: string, script: readonly FakeScriptItem[]) =>
      watch.on(host, () =>
        openCluster(script, {
          journal: seenFrom(host, shared.journal),
          dispatcher: seenFrom(host, shared.dispatcher),
        }),
      );
    const first = openOn('first', [held(text('Never said.'), hold)]);
    const second = openOn('second', [text('Said by the second.')]);
    await watch.on('first', () => first.cluster.work({ leaseMs: 1000, name: 'first' }));
    const turn = await watch.on('second', () =>
      second.cluster.conversation('chat', { agent: 'helper' }).send('Hi'),
    );
    await hold.reached;
    watch.kill('first');
    await watch.on('second', () => second.cluster.work({ sweepMs: 50, name: 'second' }));
    expect((await watch.on('second', () => turn.outcome())).text).toBe('Said by the second.');
    const timers = watch.asked.filter(
      ({ what, file }) => /set(?:Timeout|Interval)/.test(what) && isWork(file),
    );
    expect(new Set(timers.map(({ host }) => host))).toEqual(new Set(['first', 'second']));
    expect(inGuarded(watch.real)).toEqual([]);
    await first.endClis();
    await watch.on('second', second.close);
    await shared.journal.close();
  });
});

const isWork = (file: string): boolean => file.startsWith('packages/cluster/src/work/');
