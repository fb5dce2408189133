// A cluster in a simulated world: workers, a sender, a reader and people, each on a host of its own, over a journal in memory.
import {
  ClusterError,
  createCluster,
  getClusterCall,
  memoryDispatcher,
  memoryJournal,
  type Cluster,
  type ClusterWorker,
} from '../../../packages/inboard/src/cluster.js';
import { allow, deny } from '../../../packages/inboard/src/index.js';
import { checkHistory } from '../../../packages/cluster/src/journal/check-history.js';
import type { ConversationHistory } from '../../../packages/cluster/src/journal/records.js';
import { checkCalmCluster } from '../judge/check-calm.js';
import { checkCluster } from '../judge/check-cluster.js';
import type { PlannedTurn } from '../plan.js';
import {
  checkPendings,
  createSeen,
  notePending,
  type EndedTurn,
  type Kit,
  type Scene,
  type Seen,
} from './kit.js';
import { createShop, sleep, writePrompt } from './tools.js';

const createUnavailable = (): Error =>
  new ClusterError(
    'JOURNAL_UNAVAILABLE',
    'The simulated journal did not answer. What was in progress may or may not have happened.',
    {
      retryable: true,
    },
  );

export function createClusterScene(kit: Kit): Scene {
  const { plan } = kit;
  const seen = createSeen();
  const { journal, dispatcher } = kit.asService(() => ({
    journal: memoryJournal(),
    dispatcher: memoryDispatcher(),
  }));
  const total = plan.conversations.reduce((sum, { turns }) => sum + turns.length, 0);
  const clusters = new Map<string, { cluster: Cluster; worker?: ClusterWorker | undefined }>();
  /** The host of people that lives. */
  let people = '';
  const idOf = (key: string, n: number): string => `${key}-${n}`;
  const findTurn = (key: string, n: number): PlannedTurn | undefined =>
    plan.conversations.find((each) => each.key === key)?.turns.find((turn) => turn.n === n);

  const open = (role: string): Cluster => {
    const shop = createShop(kit, seen, () => getClusterCall()?.callKey);
    const cluster = createCluster({
      agents: {
        desk: () => ({
          systemPrompt: 'You work at the desk.',
          cwd: '/desk',
          env: { HOME: '/home', PATH: '/bin' },
          allowedTools: ['mcp__shop__work'],
          mcpServers: { shop },
          transport: Object.assign((request: object) => kit.createTransport(request), {
            claudeCodeVersion: '2.1.325',
          }),
        }),
      },
      journal: kit.journal(journal, createUnavailable),
      ...(plan.dispatcher === 'shared' && { dispatcher: kit.dispatcher(dispatcher, createUnavailable) }),
      onTrouble: () => undefined,
    });
    clusters.set(role, { cluster: cluster as unknown as Cluster });

    return cluster as unknown as Cluster;
  };

  /** As a program would that has been told that nothing is certain: until it is done. */
  const insist = async <T>(run: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        const { code } = error as { code?: string };
        // The host was told to end.
        if (code === 'CLUSTER_CLOSED') return await new Promise<never>(() => {});
        if (code !== 'JOURNAL_UNAVAILABLE') throw error;
        await sleep(500);
      }
    }
  };

  const work = async (role: string): Promise<void> => {
    const cluster = open(role);
    const worker = await insist(() =>
      cluster.work({
        ...plan.work,
        name: kit.host(),
        maxAttempts: 200,
        onEvent: ({ type, ...facts }) => {
          kit.note(
            `event ${type} ${String(
              (
                facts as {
                  key?: string;
                }
              ).key,
            )}`,
          );
          // A renewal may cross what gives the lease back.
          const isOwn = (facts as { why?: string }).why === 'released';
          if (!isOwn && ['trouble', 'lost', 'call-repeated'].includes(type))
            seen.troubles.push(`${kit.host()} told of ${type}`);
          const { error } = facts as {
            error?: {
              code?: string;
              message?: string;
            };
          };
          if (error)
            kit.note(
              `trouble ${error.code} ${error.message} ${String(
                (
                  error as {
                    cause?: unknown;
                  }
                ).cause,
              )}`,
            );
        },
      }),
    );
    const known = clusters.get(role);
    if (known?.cluster === cluster) known.worker = worker;
  };

  const send = async (): Promise<void> => {
    const cluster = open('s');
    const sendAll = async ({ key, turns }: (typeof plan.conversations)[number]): Promise<void> => {
      const conversation = cluster.conversation(key, { agent: 'desk' });
      for (const turn of turns) {
        await sleep(turn.afterMs);
        const id = idOf(key, turn.n);
        const sent = await insist(() => conversation.send(writePrompt(key, turn), { id }));
        if (!seen.sent.some((known) => known.id === id)) seen.sent.push({ key, id });
        void insist(() => sent.outcome()).then(
          ({ kind, text, ok }) => {
            if (!seen.outcomes.some((known) => known.id === id))
              seen.outcomes.push({ key, id, kind, text, ok });
          },
          (error: unknown) => seen.complaints.push(`G1 the sender of ${id} got no outcome: ${String(error)}`),
        );
      }
    };
    await Promise.all(plan.conversations.map(sendAll));
  };

  const read = async (): Promise<void> => {
    const cluster = open('r');
    const readAll = async ({ key }: { key: string }): Promise<void> => {
      // A reader that is started again knows how far it was.
      const ids = (seen.read[key] ??= []);
      for (;;) {
        try {
          for await (const { id } of cluster.conversation(key).events({ after: ids.at(-1) ?? 0 }))
            ids.push(id);
          return;
        } catch (error) {
          if ((error as { code?: string }).code !== 'JOURNAL_UNAVAILABLE') throw error;
          await sleep(300);
        }
      }
    };
    await Promise.all(plan.conversations.map(readAll));
  };

  const answerOne = async (cluster: Cluster, id: string, input: Record<string, unknown>): Promise<void> => {
    const { k, n, call } = input as { k: string; n: number; call: number };
    const turn = findTurn(k, n);
    await sleep(turn?.answerMs ?? 1);
    const isDenied = turn?.denied.includes(call) === true;
    // The person may be gone before the answer to this comes.
    const given: Seen['answered'][number] = {
      k,
      n,
      call,
      id,
      taken: undefined,
      behavior: isDenied ? 'deny' : 'allow',
    };
    seen.answered.push(given);
    given.taken = await insist(() =>
      cluster.approvals.answer(id, isDenied ? deny(`denied ${k} ${n} ${call}`) : allow(), 'ann'),
    );
  };
  const answer = async (): Promise<void> => {
    const cluster = open('p');
    people = kit.host();
    const questions = async (): Promise<void> => {
      for await (const { id, input } of cluster.approvals.watch())
        void answerOne(cluster, id, input).catch((error: unknown) =>
          seen.complaints.push(`G11 ${id}: ${String(error)}`),
        );
    };
    const complete = async (): Promise<void> => {
      const known = new Set<string>();
      const host = kit.host();
      for await (const { type, call, ...how } of cluster.calls.watch()) {
        notePending(seen, host, call.callKey, type, how);
        if (type !== 'pending' || known.has(`${call.callKey} ${call.since}`)) continue;
        known.add(`${call.callKey} ${call.since}`);
        const [k, n] = (call.note ?? '').split(' ');
        const ms = findTurn(k ?? '', Number(n))?.answerMs ?? 1;
        void sleep(ms)
          .then(() => insist(() => cluster.calls.complete(call.callKey, `did ${call.note}`)))
          .catch((error: unknown) => {
            // An earlier try of the same was accepted, and its answer lost.
            if ((error as { code?: string }).code !== 'CALL_ENDED')
              seen.complaints.push(`G11 ${call.callKey}: ${String(error)}`);
          });
      }
    };
    await Promise.all([questions(), complete()]);
  };

  const ended = async (): Promise<number> => (await journal.stats()).turns.ended;
  const histories = async (): Promise<ConversationHistory[]> => {
    const found = await Promise.all(plan.conversations.map(({ key }) => journal.history(key)));
    return found.filter((history) => history !== undefined);
  };
  return {
    seen,
    start: (role) => (role === 's' ? send() : role === 'r' ? read() : role === 'p' ? answer() : work(role)),
    end: async (role) => {
      const known = clusters.get(role);
      if (known?.worker) await known.worker.drain();
      await known?.cluster.close();
    },
    isSettled: async () => (await ended()) >= total && seen.outcomes.length >= total,
    collect: async () => {
      const all = await histories();
      const turns: EndedTurn[] = all.flatMap(({ turns, conversation: { key } }) =>
        turns.map(({ id, state, outcome, turnCostUsd }) => ({
          key,
          n: Number(id.slice(key.length + 1)),
          state,
          ok: outcome?.ok ?? false,
          kind: outcome?.kind ?? '',
          text: outcome?.text ?? '',
          turnCostUsd,
        })),
      );
      const spent = await journal.spent();
      const broken = checkHistory(all, {
        sent: seen.sent,
        runs: seen.runs.map(({ k, callKey }) => ({ key: k, callKey })),
        repeatable: plan.onRepeat === 'run' ? ['work', 'pay', 'mcp__shop__work', 'mcp__shop__pay'] : [],
        slackMs: 0,
      })
        // A call that runs again takes the place of its pending result with it, and another is given.
        .filter(({ what }) => !(plan.onRepeat === 'run' && /"pending_.* was answered/.test(what)))
        .map(({ promise, key, what }) => `${promise} in ${key}: ${what}`);
      return {
        turns,
        broken: [
          ...broken,
          ...checkCluster({ seen, histories: all, spent, repeats: plan.onRepeat === 'run' }),
          ...(plan.isCalm ? checkCalmCluster(seen, all) : []),
          ...checkPendings(seen, (host) => host === people),
        ],
      };
    },
  };
}
