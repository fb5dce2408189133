// A journal that stands still for a while and then does all that it was asked for meanwhile, as a database does whose processes were
// stopped: a lease that its worker has given up is free at once, and what was never begun does not count as a try. The journal's own
// clock moves only where a test says so: without that no lease ends by itself.
import { describe, expect, it } from 'vitest';
import type { Journal } from '../../src/journal/journal.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { FakeScriptItem } from '@inboard/testing/fake-cli/script/fake-step.js';
import { gate } from '@inboard/testing/script/gate.js';
import { held, text } from '@inboard/testing/script/reply.js';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { told, WorkerScene } from './worker-scene.js';

const LEASE_MS = 1500;

/** A scene whose journal can stand still. */
function createStallScene(scripts: readonly (readonly FakeScriptItem[])[], agent = (): unknown => ({})) {
  const clock = { now: Date.UTC(2026, 0, 5) };
  const scene = new WorkerScene(scripts, agent as () => QueryOptions, {}, () => clock.now);
  let still: Deferred<void> | undefined;
  const asked: string[] = [];
  const journal = new Proxy(scene.journal, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function' || name === 'store' || name === 'listen') return method;
      return async (...given: unknown[]): Promise<unknown> => {
        asked.push(String(name));
        await still?.promise;
        return await (method.apply(target, given) as Promise<unknown>);
      };
    },
  });
  return {
    scene,
    clock,
    journal,
    /** What was asked for since it stands still. */
    asked,
    stop: () => {
      asked.length = 0;
      still ??= createDeferred();
    },
    /** What it was asked for is done now, in that order. */
    goOn: () => {
      still?.resolve();
      still = undefined;
    },
  };
}

describe('a journal that stood still', () => {
  it('gives the conversation to another at once, although a renewal was done late', async () => {
    const closed = gate();
    const { scene, journal, asked, stop, goOn } = createStallScene([
      [held(text('Never.'), closed)],
      [text('Done.')],
    ]);
    await using _scene = scene;
    const one = await scene.work({ leaseMs: LEASE_MS }, { journal });
    const id = await scene.send('Hi');
    await closed.reached;
    stop();
    await waitUntil(() => told(one, 'lost').length === 1 && asked.includes('release'));
    expect(asked).toContain('renew');
    goOn();
    expect((await scene.ended(id)).outcome?.text).toBe('Done.');
    expect(told(one, 'lost')).toMatchObject([{ why: 'unreachable' }]);
    const { leases = [], turns = [] } = (await scene.journal.history('chat')) ?? {};
    expect(leases[0]).toMatchObject({ released: true });
    expect(told(one, 'released')[0]).toMatchObject({ epoch: leases[0]?.epoch });
    // A CLI was started both times.
    expect(turns[0]).toMatchObject({ attempt: 2, tries: 2 });
  });

  it('does not prolong a lease that ran out meanwhile', async () => {
    const closed = gate();
    const { scene, clock, journal, asked, stop, goOn } = createStallScene([
      [held(text('Never.'), closed)],
      [text('Done.')],
    ]);
    await using _scene = scene;
    const one = await scene.work({ leaseMs: LEASE_MS }, { journal });
    const id = await scene.send('Hi');
    await closed.reached;
    const { expiresAt } = (await scene.journal.conversation('chat'))?.lease ?? { expiresAt: 0 };
    stop();
    await waitUntil(() => told(one, 'lost').length === 1 && asked.includes('renew'));
    clock.now = expiresAt;
    goOn();
    expect((await scene.ended(id)).outcome?.text).toBe('Done.');
    const { leases = [] } = (await scene.journal.history('chat')) ?? {};
    expect(leases).toMatchObject([{ until: expiresAt }, { grantedAt: expiresAt }]);
  });

  it('counts no try where the lease was lost before a CLI was started', async () => {
    const agentAsked = createDeferred<void>();
    const options = createDeferred<QueryOptions>();
    let calls = 0;
    const { scene, journal, asked, stop, goOn } = createStallScene([[text('Done.')]], () => {
      calls += 1;
      agentAsked.resolve();
      return calls === 1 ? options.promise : {};
    });
    await using _scene = scene;
    const one = await scene.work({ leaseMs: LEASE_MS }, { journal });
    const id = await scene.send('Hi');
    await agentAsked.promise;
    stop();
    await waitUntil(() => told(one, 'lost').length === 1 && asked.includes('release'));
    expect(scene.opened).toEqual([]);
    options.resolve({});
    goOn();
    expect(await scene.ended(id)).toMatchObject({ attempt: 2, tries: 1, outcome: { text: 'Done.' } });
  });

  it('counts no try for a turn that it began after the wait for it had ended', async () => {
    const { scene, journal: stalled, asked, stop, goOn } = createStallScene([[text('Done.')]]);
    await using _scene = scene;
    let isFirst = true;
    const lease: Journal['lease'] = async (...given) => {
      const answer = await stalled.lease(...given);
      if (answer.state === 'granted' && isFirst) {
        isFirst = false;
        stop();
      }
      return answer;
    };
    const journal = new Proxy(stalled, {
      get: (target, name): unknown => (name === 'lease' ? lease : Reflect.get(target, name)),
    });
    const one = await scene.work({ leaseMs: LEASE_MS }, { journal });
    const id = await scene.send('Hi');
    await waitUntil(() => told(one, 'lost').length === 1);
    expect(asked).toContain('next');
    expect(await scene.journal.turn('chat', id)).toMatchObject({ state: 'queued', tries: 0 });
    goOn();
    expect(await scene.ended(id)).toMatchObject({ attempt: 2, tries: 1, outcome: { text: 'Done.' } });
  });
});
