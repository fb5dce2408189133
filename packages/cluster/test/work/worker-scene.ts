// A scene for workers on the fake CLI: a journal in memory that can be cut off from each of them, as a partition or a kill would,
// and a script for each CLI that is started.
import { randomUUID } from 'node:crypto';
import { memoryDispatcher } from '../../src/dispatch/memory-dispatcher.js';
import type { Dispatcher } from '../../src/dispatch/dispatcher.js';
import type { Journal } from '../../src/journal/journal.js';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';
import type { Json, TurnRecord } from '../../src/journal/records.js';
import type { Agent } from '../../src/work/host/agents.js';
import type { HostParts } from '../../src/work/host/host-parts.js';
import { CLUSTER_PROJECT_KEY } from '../../src/work/session/lease-store.js';
import type { ClusterWorker, WorkOptions } from '../../src/work/host/work-options.js';
import type { WorkerEvent } from '../../src/work/host/worker-event.js';
import { startWorker } from '../../src/work/worker.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { createFakeCli } from '@inboard/testing/fake-cli/fake-cli.js';
import type { FakeScriptItem } from '@inboard/testing/fake-cli/script/fake-step.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

/** A worker, and its own way to the journal. */
export interface SceneWorker {
  readonly worker: ClusterWorker;
  readonly events: WorkerEvent[];
  /** From now on nothing of the journal reaches it. */
  cut(): void;
  heal(): void;
  readonly parts: HostParts;
}

/** Journal, dispatcher and scripts of one test. */
export class WorkerScene implements AsyncDisposable {
  readonly journal: Journal;
  readonly dispatcher: Dispatcher = memoryDispatcher();
  readonly workers: SceneWorker[] = [];
  /** The arguments of each CLI that was started. */
  readonly opened: (readonly string[])[] = [];
  readonly #clis: { close(options?: { verify?: boolean }): Promise<void> }[] = [];
  readonly agents: Record<string, Agent>;

  /** One script for each CLI that is started, in order; the last one for all further. `now` is the clock of the journal. */
  constructor(
    scripts: readonly (readonly FakeScriptItem[])[],
    options: QueryOptions | Agent = {},
    agents: Record<string, Agent> = {},
    now: () => number = Date.now,
  ) {
    this.journal = memoryJournal({ now });
    let started = 0;
    this.agents = {
      helper: async (conversation) => {
        const own = typeof options === 'function' ? await options(conversation) : options;
        return {
          ...own,
          transport: (request) => {
            this.opened.push(request.args);
            const fake = createFakeCli([...(scripts[Math.min(started, scripts.length - 1)] ?? [])]);
            started += 1;
            this.#clis.push(fake);
            return fake.transport(request);
          },
        };
      },
      ...agents,
    };
  }

  /** Starts a worker with a long lease and no rests, unless told otherwise. */
  async work(options: WorkOptions = {}, parts: Partial<HostParts> = {}): Promise<SceneWorker> {
    const events: WorkerEvent[] = [];
    const way = { isCut: false };
    const given: HostParts = {
      dispatcher: this.dispatcher,
      agents: this.agents,
      admit: async () => ({ admitted: true }),
      ...parts,
      journal: cuttable(parts.journal ?? this.journal, way),
    };
    const worker = await startWorker(given, {
      // Long enough for a busy machine; tests that wait for the end of one give another.
      leaseMs: 20_000,
      sweepMs: 20,
      keepWarmMs: 0,
      name: `worker-${this.workers.length + 1}`,
      onEvent: (event) => events.push(event),
      ...options,
    });
    const scene: SceneWorker = {
      worker,
      events,
      parts: given,
      cut: () => (way.isCut = true),
      heal: () => (way.isCut = false),
    };
    this.workers.push(scene);
    return scene;
  }

  async send(content: Json, id: string = randomUUID(), key = 'chat'): Promise<string> {
    await this.journal.enqueue({ key, id, content, start: { agent: 'helper', data: null } });
    await this.dispatcher.wake(key);
    return id;
  }

  /** The turn, once it has ended. */
  async ended(id: string, key = 'chat'): Promise<TurnRecord> {
    await waitUntil(async () => (await this.journal.turn(key, id))?.state === 'ended');
    return (await this.journal.turn(key, id)) as TurnRecord;
  }

  /** The transcript as a worker that is gone left it: the message of a turn, and what followed. */
  async leaveBehind(id: string, entries: object[], key = 'chat'): Promise<void> {
    const granted = await this.journal.lease(key, { owner: 'gone', ms: 60_000 });
    if (granted.state !== 'granted') throw new Error(`The lease is ${granted.state}`);
    const { fence, conversation } = granted;
    const turn = await this.journal.next(fence);
    const record = (await this.journal.turn(key, id)) as TurnRecord;
    if (turn?.id !== id) throw new Error('Another turn is next');
    await this.journal.renew([fence], 1);
    const { sessionId } = conversation;
    const user = {
      type: 'user',
      uuid: record.uuid,
      sessionId,
      message: { role: 'user', content: record.content },
    };
    await this.journal
      .store(fence)
      .append({ projectKey: CLUSTER_PROJECT_KEY, sessionId }, [user, ...entries] as never);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.workers) {
      each.heal();
      await each.worker.close();
    }
    for (const cli of this.#clis) await cli.close({ verify: false });
    await this.dispatcher.close();
    await this.journal.close();
  }
}

/** What workers told of a kind. */
export function told<Type extends WorkerEvent['type']>(
  { events }: SceneWorker,
  type: Type,
): Extract<WorkerEvent, { type: Type }>[] {
  return events.filter((event) => event.type === type) as Extract<WorkerEvent, { type: Type }>[];
}

/** A journal that rejects everything while the way to it is cut. */
function cuttable(journal: Journal, way: { isCut: boolean }): Journal {
  const guard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function') return value;
        if (name === 'store') return (...given: unknown[]) => guard(value.apply(object, given) as object);
        return (...given: unknown[]): unknown =>
          way.isCut ? Promise.reject(new Error('The journal is away')) : value.apply(object, given);
      },
    });
  return guard(journal);
}
