// What a factory gives is often copied to replace a method: `{ ...createMemoryApprovalStore(), list }`. The factories are read
// from the sources, so that a new one has to be put into one of the two tables.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as bullmq from '../src/cluster-bullmq.js';
import * as postgres from '../src/cluster-postgres.js';
import * as cluster from '../src/cluster.js';
import * as durablePostgres from '../src/durable-postgres.js';
import * as durable from '../src/durable.js';
import * as core from '../src/index.js';
import * as testing from '../src/testing.js';
import * as trace from '../src/trace.js';
import { PROJECT_ROOT, readSourceFiles } from '../../../test/package/project.js';

const ENTRY_POINTS = {
  ...bullmq,
  ...postgres,
  ...cluster,
  ...core,
  ...durable,
  ...durablePostgres,
  ...testing,
  ...trace,
} as Record<string, unknown>;

/** Interfaces that a program may implement itself, and so wrap: how each factory is called, and what its copy is used for. */
const WRAPPED: Record<string, { make: () => object; use?: (copy: never) => Promise<unknown> }> = {
  createMemoryApprovalStore: { make: core.createMemoryApprovalStore, use: useStore },
  createFileApprovalStore: { make: () => core.createFileApprovalStore(join(PROJECT_ROOT, 'none')) },
  createApprovals: {
    make: core.createApprovals,
    use: async (copy: core.Approvals) => {
      const asked = copy.ask({ id: 'a', title: 'Pay?' });
      for await (const { id } of copy.watch()) {
        await copy.answer(id, core.allow());
        break;
      }
      expect(await asked).toEqual(core.allow());
      copy.close();
    },
  },
  createMemoryCallRecords: {
    make: core.createMemoryCallRecords,
    use: async (copy: core.CallRecords) => {
      await copy.add({ type: 'waiting', callKey: 'c', at: 1 });
      expect(await copy.load()).toHaveLength(1);
      expect(await copy.claim({ owner: 'a', ttlMs: 1000 })).toHaveProperty('renew');
    },
  },
  createFileCallRecords: {
    make: () => core.createFileCallRecords({ folder: join(PROJECT_ROOT, 'none') }),
    use: async (copy: core.CallRecords) => expect(await copy.load()).toEqual([]),
  },
  createCalls: {
    make: () => core.createCalls({ env: { CLAUDE_CONFIG_DIR: join(PROJECT_ROOT, 'none') } }),
    use: async (copy: core.Calls) => expect(await copy.list()).toEqual([]),
  },
  memoryJournal: { make: cluster.memoryJournal, use: (copy: cluster.Journal) => copy.open() },
  postgresJournal: { make: () => postgres.postgresJournal('postgres://127.0.0.1:1/none') },
  memoryDispatcher: {
    make: cluster.memoryDispatcher,
    use: async (copy: cluster.Dispatcher) => {
      const woken = new Promise((resolve) => {
        void copy.work(async (key) => resolve(key), { concurrency: 1 });
      });
      await copy.wake('k');
      expect(await woken).toBe('k');
      await copy.close();
    },
  },
  createMemoryLedger: {
    make: durable.createMemoryLedger,
    use: async (copy: durable.Ledger) =>
      expect(await copy.take('chat', { owner: 'a' })).toHaveProperty('fence.key', 'chat'),
  },
  createPostgresLedger: {
    make: () => durablePostgres.createPostgresLedger('postgres://127.0.0.1:1/none'),
  },
  bullmqDispatcher: { make: () => bullmq.bullmqDispatcher({ connection: 'redis://127.0.0.1:1' }) },
};

/**
 * Interfaces whose objects are handed on as they are: no function accepts one that a user has made. A transport is wrapped by one
 * that calls it, because its `pid` is not known when a copy would be made.
 */
const HANDED_ON = new Set([
  'Cluster',
  'FakeCli',
  'Gate',
  'MemoryTransport',
  'OpenClusterTelemetry',
  'OutputReader',
  'Query',
  'Redactor',
  'RemoteCli',
  'SdkMcpServer',
  'Session',
  'SessionGroup',
  'ToolHarness',
  'Transport',
  'UiChat',
  'WarmPool',
]);

async function useStore(copy: core.ApprovalStore): Promise<void> {
  await copy.put({ id: 'a', kind: 'tool', attempt: 1, askedAt: 1, input: {} });
  expect(await copy.answer('a', { result: core.allow(), answeredAt: 2 })).toBe(true);
  expect(await copy.list()).toHaveLength(1);
  await copy.remove('a');
  copy.watch(() => {})();
}

/** Public functions by name, with the interface they return: those with methods. */
function findFactories(): Map<string, string> {
  const files = [...readSourceFiles()].flatMap(([path, text]) => (path.endsWith('.ts') ? [text] : []));
  const methods = new Set(
    files.flatMap((text) =>
      [...text.matchAll(/^export interface (\w+)[^{]*\{([\s\S]*?)^\}/gm)].flatMap(
        ([, name = '', body = '']) => (/^ {2}\w+(?:<[^(]*>)?\(/m.test(body) ? [name] : []),
      ),
    ),
  );
  const found = new Map<string, string>();
  for (const text of files) {
    const functions = text.matchAll(
      /^export function (\w+)(?:<[^(]*>)?\([\s\S]*?\): (\w+)(?:<[\s\S]*?>)?[;\s]/gm,
    );
    for (const [, name = '', type = ''] of functions)
      if (typeof ENTRY_POINTS[name] === 'function' && methods.has(type)) found.set(name, type);
  }
  return found;
}

const factories = findFactories();

it('finds the factories, and knows what each is for', () => {
  expect([...factories.keys()]).toEqual(
    expect.arrayContaining(['createMemoryApprovalStore', 'memoryJournal', 'memoryDispatcher']),
  );
  const unknown = [...factories].filter(([name, type]) => !(name in WRAPPED) && !HANDED_ON.has(type));
  expect(unknown, 'Put it into one of the two tables').toEqual([]);
});

it.each(Object.entries(WRAPPED))(
  '%s: a copy has every method, and they work',
  async (name, { make, use }) => {
    const made = make();
    const copy = { ...made } as Record<PropertyKey, unknown>;
    const lost: PropertyKey[] = [];
    for (
      let level: object | null = made;
      level && level !== Object.prototype;
      level = Object.getPrototypeOf(level) as object | null
    ) {
      for (const key of Reflect.ownKeys(level))
        if (
          key !== 'constructor' &&
          typeof (made as Record<PropertyKey, unknown>)[key] === 'function' &&
          typeof copy[key] !== 'function'
        )
          lost.push(key);
    }
    expect(lost).toEqual([]);
    expect(Object.values(copy).filter((value) => typeof value === 'function').length, name).toBeGreaterThan(
      1,
    );
    await use?.(copy as never);
  },
);
