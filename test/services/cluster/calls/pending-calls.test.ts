// Calls whose results come later, on PostgreSQL and with real processes: no CLI waits for them, one of many results is taken, and
// it reaches the model, whoever died in between.
import { describe, expect, it, vi } from 'vitest';
import { CallScene, notedCalls, writtenResults } from './call-scene.js';

// A machine that has other things to do needs long for so many processes.
vi.setConfig({ testTimeout: 180_000 });

/** Of workers that are to be taken over. */
const SHORT = { leaseMs: 2000 };
const TOOL = 'mcp__shop__work';

/** The turn has ended with this result, which came later, and the handler ran once. */
async function expectDelivered(scene: CallScene, callKey: string, result: RegExp): Promise<void> {
  const outcome = await scene.outcome();
  expect(outcome).toMatchObject({ ok: true });
  const call = { callKey, toolName: TOOL, how: 'recorded', delivered: true };
  expect(outcome.completedCalls).toEqual([expect.objectContaining(call)]);
  expect(JSON.parse(outcome.text)).toEqual([expect.stringMatching(result)]);
  expect(scene.effects).toEqual([0]);
  const history = await scene.history();
  expect(writtenResults(history)).toEqual([expect.stringMatching(result)]);
  expect(notedCalls(history)).toEqual([expect.objectContaining(call)]);
  expect(await scene.journal.questions()).toEqual([]);
}

describe.concurrent('a pending call', () => {
  it('takes one of forty results that four processes give at once, and the others learn whose', async () => {
    await using scene = new CallScene();
    await scene.send({});
    await scene.work({ pends: true, work: { suspendAfterMs: 10 } });
    await scene.untilParked();
    const callKey = await scene.untilPending();
    const reports = await scene.completeFromMany(callKey, 4, 10);
    const winners = reports.flatMap(({ taken }, at) => taken.map((result) => ({ at, result })));
    expect(winners).toHaveLength(1);
    const [{ at, result } = { at: -1, result: -1 }] = winners;
    const refused = reports.flatMap((report) => report.refused);
    expect(refused).toEqual(Array.from({ length: 39 }, () => ({ code: 'CALL_ENDED', by: `webhook ${at}` })));
    await expectDelivered(scene, callKey, new RegExp(`webhook ${at}, result ${result}`));
  });

  it('takes one of forty while its CLI is held, too', async () => {
    await using scene = new CallScene();
    await scene.send({});
    await scene.work({ pends: true, work: { suspendAfterMs: 600_000 } });
    const callKey = await scene.untilPending();
    const reports = await scene.completeFromMany(callKey, 4, 10);
    expect(reports.flatMap(({ taken }) => taken)).toHaveLength(1);
    const outcome = await scene.outcome();
    const by = reports.findIndex(({ taken }) => taken.length === 1);
    expect(JSON.parse(outcome.text)).toEqual([expect.stringContaining(`webhook ${by}, result`)]);
    expect(outcome.completedCalls).toBeUndefined();
    await scene.history();
  });

  it.each(['held', 'parked'] as const)(
    'gets its result from the next worker, where the one before was killed while it was %s',
    async (state) => {
      await using scene = new CallScene();
      await scene.send({});
      const isParked = state === 'parked';
      const first = await scene.work({
        pends: true,
        work: { ...SHORT, suspendAfterMs: isParked ? 10 : 600_000 },
      });
      if (isParked) await scene.untilParked();
      const callKey = await scene.untilPending();
      await first.end('SIGKILL');
      await using cluster = scene.outside;
      await cluster.calls.complete(callKey, 'it is done', { by: 'bank' });
      await scene.work({ pends: true });
      await expectDelivered(scene, callKey, /it is done/);
      // The webhook comes again, and late.
      await expect(cluster.calls.complete(callKey, 'again')).rejects.toMatchObject({
        code: 'CALL_ENDED',
        by: 'bank',
      });
    },
  );

  it('gets its result where the webhook comes after the next worker, which waits without a CLI', async () => {
    await using scene = new CallScene();
    await scene.send({});
    const first = await scene.work({ pends: true, work: { ...SHORT, suspendAfterMs: 600_000 } });
    const callKey = await scene.untilPending();
    await first.end('SIGKILL');
    const second = await scene.work({ pends: true, work: { suspendAfterMs: 10 } });
    await second.until(({ event }) => event?.type === 'turn-parked');
    await scene.untilParked();
    await using cluster = scene.outside;
    await cluster.calls.complete(callKey, 'it is done');
    await expectDelivered(scene, callKey, /it is done/);
  });

  it.each(['before append', 'after append'])(
    'is delivered once, where the worker that has its result is killed %s',
    async (point) => {
      await using scene = new CallScene();
      await scene.send({});
      const first = await scene.work({
        pends: true,
        work: { ...SHORT, suspendAfterMs: 10 },
        point,
        signal: 'SIGKILL',
      });
      await scene.untilParked();
      const callKey = await scene.untilPending();
      await using cluster = scene.outside;
      await cluster.calls.complete(callKey, 'it is done');
      await first.until(({ reached }) => reached === point);
      await scene.work({ pends: true });
      await expectDelivered(scene, callKey, /it is done/);
    },
  );

  it('of an interrupted turn is unknown, as is a key that no call has', async () => {
    await using scene = new CallScene();
    await scene.send({});
    await scene.work({ pends: true, work: { suspendAfterMs: 10 } });
    await scene.untilParked();
    const callKey = await scene.untilPending();
    expect(await scene.journal.interrupt('chat')).toBe(true);
    expect(await scene.outcome()).toMatchObject({ ok: false, kind: 'interrupted' });
    await using cluster = scene.outside;
    expect(await cluster.calls.list()).toEqual([]);
    for (const key of [callKey, 'call_of_another'])
      await expect(cluster.calls.complete(key, 'late')).rejects.toMatchObject({ code: 'CALL_UNKNOWN' });
  });
});
