// What senders and readers of a cluster see through PostgreSQL: two handles, as two processes have, over links that break.
import { describe, expect, inject, it } from 'vitest';
import { allow } from '../../../packages/core/src/answer/permissions/decisions.js';
import type { Cluster, ClusterTrouble } from '../../../packages/cluster/src/cluster.js';
import { hintedDispatcher } from '../../../packages/cluster/src/hinted-dispatcher.js';
import { joinCluster } from '../../../packages/cluster/src/join-cluster.js';
import type { ClusterEvent } from '../../../packages/cluster/src/journal/records.js';
import {
  answered,
  echo,
  standIn,
  type Play,
} from '../../../packages/cluster/test/support/stand-in-worker.js';
import { take } from '../../../packages/cluster/test/support/test-cluster.js';
import { FaultyLink } from '../support/faulty-link.js';
import { nameSchema, openJournal } from '../support/journals.js';

const START = { agent: 'support' };

function open(schema: string, { play, url = inject('postgresUrl') }: { play?: Play; url?: string } = {}) {
  const journal = openJournal({ schema, connectionString: url });
  const troubles: ClusterTrouble[] = [];
  const input = {
    agents: { support: () => ({}) },
    journal,
    dispatcher: hintedDispatcher(journal),
    onTrouble: (trouble: ClusterTrouble) => troubles.push(trouble),
  };
  return { cluster: joinCluster(input, standIn(play)) as unknown as Cluster, journal, troubles };
}

describe('the front of a cluster on PostgreSQL', () => {
  it('sends once, gives every event after every place, and hears of outcomes, from another process', async () => {
    const schema = nameSchema('front');
    await using web = open(schema).cluster;
    await using other = open(schema).cluster;
    const { cluster: workers } = open(schema, { play: echo });
    await using _workers = workers;
    await workers.work();
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? web : other).conversation('a', START).send(`try ${index}`, { id: 'm1' }),
      ),
    );
    const outcomes = await Promise.all(sent.map((turn) => turn.outcome()));
    expect(new Set(outcomes.map(({ text }) => text)).size).toBe(1);
    const chat = web.conversation('a');
    expect(await chat.turns()).toHaveLength(1);
    const { lastEventId = 0 } = (await chat.info()) ?? {};
    const all = await take(other.conversation('a').events(), lastEventId);
    for (let after = 0; after < lastEventId; after += 1)
      expect(await take(chat.events({ after: String(after) }), lastEventId - after)).toEqual(
        all.slice(after),
      );
  });

  it('answers questions of another process, and ends readers of what was removed', async () => {
    const schema = nameSchema('front');
    const asking: Play = async (turn, { fence, journal }) => {
      const question = {
        id: `q-${turn.key}`,
        kind: 'permission' as const,
        attempt: 1,
        askedAt: 0,
        input: {},
      };
      const given = await journal.ask(fence, turn.id, question);
      if (given) return answered(String(given.by));
      await journal.park(fence, turn.id, { questions: [question.id], turnCostUsd: 0 });
      return undefined;
    };
    await using web = open(schema).cluster;
    const { cluster: workers, journal } = open(schema, { play: asking });
    await using _workers = workers;
    await workers.work();
    const chat = web.conversation('a', START);
    const turn = await chat.send('Pay');
    const [question] = await take(web.approvals.watch(), 1);
    expect(await web.approvals.answer(question?.id ?? '', allow(), 'ann')).toBe(true);
    expect(await turn.outcome()).toMatchObject({ ok: true, text: 'ann' });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const event of chat.events()) seen.push(event.id);
    })();
    // It waits for a conversation that it has not seen yet.
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    await journal.remove('a');
    await reading;
    await expect(turn.outcome()).rejects.toMatchObject({ code: 'TURN_UNKNOWN' });
  });

  it('waits for a database that is away, and misses nothing', async () => {
    const schema = nameSchema('front');
    await using link = new FaultyLink(inject('postgresUrl'));
    await link.set('fine');
    const { cluster: web, troubles } = open(schema, { url: link.address });
    await using _web = web;
    await using workers = open(schema, { play: echo }).cluster;
    const chat = web.conversation('a', START);
    const turn = await chat.send('Hello');
    const seen: ClusterEvent[] = [];
    const reading = (async () => {
      for await (const event of chat.events()) {
        seen.push(event);
        if (event.type === 'turn' && event.state === 'ended') return;
      }
    })();
    const outcome = turn.outcome();
    await expect.poll(() => seen.length).toBe(1);
    await link.set('away');
    await workers.step('a');
    await expect.poll(() => troubles.length, { timeout: 20_000 }).toBeGreaterThan(0);
    await expect(chat.send('lost')).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE' });
    await link.set('fine');
    expect(await outcome).toMatchObject({ ok: true });
    await reading;
    expect(seen.map(({ id }) => id)).toEqual(seen.map((_, index) => index + 1));
  });
});
