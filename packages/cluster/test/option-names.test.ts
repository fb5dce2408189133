// Every method of a cluster and of its journal that takes an object refuses a name in it that it does not know, because a misspelt
// filter would mean everybody. The methods are read from the declarations: a new one fails here until it has a row.
import { describe, expect, it } from 'vitest';
import { FILTERS } from '../src/journal/check-filters.js';
import { postgresJournal } from '../src/postgres/postgres-journal.js';
import { readDeclarations } from '../../../scripts/support/reference/read-declarations.mjs';
import type { Cluster } from '../src/cluster.js';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import { useClusters } from './support/test-cluster.js';

/** Calls a method with an object; what it throws at once counts like what it rejects with. */
type Call = (cluster: Cluster, given: never) => unknown;

const chat = (cluster: Cluster) => cluster.conversation('a', { agent: 'support' });

const ROWS: Readonly<Record<string, Call>> = {
  'Cluster.conversation start': (cluster, given) => cluster.conversation('a', given),
  'Cluster.conversations filter': (cluster, given) => cluster.conversations(given),
  'Cluster.work options': (cluster, given) => cluster.work(given),
  'Cluster.step options': (cluster, given) => cluster.step('a', given),
  'Cluster.prune policy': (cluster, given) => cluster.prune(given),
  'Cluster.prune options': (cluster, given) => cluster.prune({ eventsMs: 1 }, given),
  'Cluster.audit filter': (cluster, given) => cluster.audit(given),
  'Cluster.forget choice': (cluster, given) => cluster.forget(given),
  'ClusterConversation.send options': (cluster, given) => chat(cluster).send('x', given),
  'ClusterConversation.events options': (cluster, given) => chat(cluster).events(given),
  'ClusterConversation.interrupt caller': (cluster, given) => chat(cluster).interrupt(given),
  'ClusterConversation.close caller': (cluster, given) => chat(cluster).close(given),
  'SentTurn.cancel caller': (cluster, given) => chat(cluster).turn('t').cancel(given),
  'SentTurn.outcome options': (cluster, given) => chat(cluster).turn('t').outcome(given),
  'ClusterApprovals.list filter': (cluster, given) => cluster.approvals.list(given),
  'ClusterApprovals.answer by': (cluster, given) =>
    cluster.approvals.answer('q', { behavior: 'allow' }, given),
  'ClusterApprovals.watch options': (cluster, given) => cluster.approvals.watch(given),
  'ClusterCalls.complete options': (cluster, given) => cluster.calls.complete('c', 'x', given),
  'ClusterCalls.fail options': (cluster, given) => cluster.calls.fail('c', 'x', given),
  'ClusterCalls.list filter': (cluster, given) => cluster.calls.list(given),
  'ClusterCalls.watch options': (cluster, given) => cluster.calls.watch(given),
  'Cluster.health options': (cluster, given) => cluster.health(given),
  'Cluster.metrics options': (cluster, given) => cluster.metrics(given),
  'Journal.enqueue scope': (_cluster, given) =>
    memoryJournal().enqueue({ key: 'a', id: 't', content: 'x' }, given),
  'Journal.conversations filter': (_cluster, given) => memoryJournal().conversations(given),
  'Journal.cancel caller': (_cluster, given) => memoryJournal().cancel('a', 't', given),
  'Journal.closeConversation caller': (_cluster, given) => memoryJournal().closeConversation('a', given),
  'Journal.remove caller': (_cluster, given) => memoryJournal().remove('a', given),
  'Journal.forgetTenant caller': (_cluster, given) => memoryJournal().forgetTenant('a', given),
  'Journal.retain policy': (_cluster, given) => memoryJournal().retain?.(given),
  'Journal.retain run': (_cluster, given) => memoryJournal().retain?.({ eventsMs: 1 }, given),
  'Journal.audit filter': (_cluster, given) => memoryJournal().audit?.(given),
  'Journal.interrupt scope': (_cluster, given) => memoryJournal().interrupt('a', given),
  'Journal.answer scope': (_cluster, given) =>
    memoryJournal().answer('q', { result: { behavior: 'allow' }, answeredAt: 0 }, given),
  'Journal.questions filter': (_cluster, given) => memoryJournal().questions(given),
  'Journal.events options': (_cluster, given) => memoryJournal().events('a', given),
  'Journal.due options': (_cluster, given) => memoryJournal().due(1, given),
  'Journal.readWhole scope': (_cluster, given) => memoryJournal().readWhole?.('a', 1, given),
  'Journal.pauses scope': (_cluster, given) => memoryJournal().pauses(given),
  'Journal.spent filter': (_cluster, given) => memoryJournal().spent(given),
  'Journal.stats scope': (_cluster, given) => memoryJournal().stats(given),
};

/** What is no filter and no option: the data itself, which is stored or acted on as it is. Each was looked at. */
const DATA = [
  'ClusterConversation.send message',
  'ClusterApprovals.answer result',
  'ClusterCalls.complete value',
  'ClusterCalls.fail error',
  'Journal.enqueue turn',
  'Journal.answer answer',
  'Journal.listen onChange',
  'Journal.pause pause',
  'Journal.reportWorker worker',
  'Journal.lease lease',
  'Journal.renew fences',
  'Journal.release left',
  'Journal.claimRetention claim',
  'Journal.finish end',
  'Journal.finishAndNext end',
  'Journal.reserve request',
  'Journal.park parked',
  'Journal.ask question',
  'Journal.beginCall call',
  'Journal.endCall result',
  'Journal.publish events',
];

const INTERFACES: readonly [file: string, name: string][] = [
  ['packages/cluster/src/cluster.ts', 'Cluster'],
  ['packages/cluster/src/cluster.ts', 'ClusterConversation'],
  ['packages/cluster/src/cluster.ts', 'SentTurn'],
  ['packages/cluster/src/cluster.ts', 'ClusterApprovals'],
  ['packages/cluster/src/cluster.ts', 'ClusterCalls'],
  ['packages/cluster/src/work/host/work-options.ts', 'ClusterWorker'],
  ['packages/cluster/src/journal/journal.ts', 'Journal'],
];

/** Parameters that are neither texts nor numbers; a fence is checked against the lease. */
function listObjects(): string[] {
  return INTERFACES.flatMap(([file, name]) => {
    const members = readDeclarations(file).get(name)?.members;
    if (!members) throw new Error(`${file} declares no interface ${name}`);
    return [...members].flatMap(([method, { parameters = [] }]) =>
      parameters.flatMap((parameter) => {
        const [, argument = '', type = ''] = /^(\w+)\??: (.*)$/s.exec(parameter) ?? [];
        return /^(?:string|number|Fence)$/.test(type) ? [] : [`${name}.${method} ${argument}`];
      }),
    );
  });
}

async function call(row: Call, cluster: Cluster, given: unknown): Promise<unknown> {
  return await row(cluster, given as never);
}

describe('a method that takes an object', () => {
  const make = useClusters();

  it('has a row here', () => {
    expect(listObjects().toSorted()).toEqual([...Object.keys(ROWS), ...DATA].toSorted());
  });

  it.each(Object.entries(ROWS))('refuses a name in it that there is not: %s', async (name, row) => {
    const start = name.endsWith(' start') ? { agent: 'support' } : {};
    await expect(call(row, make(), { ...start, tennant: 'bob' })).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
      options: ['tennant'],
      message: expect.stringMatching(/ has no (?:option )?"tennant"/) as string,
    });
  });

  it.each(Object.entries(ROWS))('refuses what is no object: %s', async (name, row) => {
    // A text says who answers.
    const wrong = name === 'ClusterApprovals.answer by' ? [7, null, ['bob']] : ['bob', 7, null, ['bob']];
    for (const given of wrong)
      await expect(call(row, make(), given), JSON.stringify(given)).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
      });
  });

  it('takes every name that it declares', async () => {
    const cluster = make();
    const filter = { tenant: 't', state: 'idle', failed: false, after: 'a', limit: 1 } as const;
    await expect(cluster.conversations(filter)).resolves.toEqual([]);
    const asked = { conversation: 'a', tenant: 't', id: 'q', answered: true, limit: 1 };
    await expect(cluster.approvals.list(asked)).resolves.toEqual([]);
    const places = { env: {}, traces: [], copies: false, sharedFiles: 'keep' as const };
    await expect(cluster.forget({ tenant: 't', local: places })).resolves.toMatchObject({
      conversations: [],
    });
  });
});

describe('a journal in PostgreSQL', () => {
  it.each(Object.entries(FILTERS))(
    'refuses a name in a filter before it connects: %s',
    async (name, { at }) => {
      const journal = postgresJournal('postgres://127.0.0.1:9/nobody') as unknown as Record<
        string,
        (...given: unknown[]) => Promise<unknown>
      >;
      const given: unknown[] = [];
      given[at] = { tennant: 'bob' };
      await expect(journal[name]?.(...given)).rejects.toMatchObject({ options: ['tennant'] });
      await journal['close']?.();
    },
  );
});
