// Many sessions under common limits: who runs, who waits, who sleeps, and how it all ends.
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AbortError, InvalidOptionsError, SessionClosedError } from '../../src/errors.js';
import type { Launch } from '../../src/live/launch.js';
import type { Session } from '../../src/verbs/conversation/open-session.js';
import type { SessionEvent } from '../../src/verbs/conversation/conversation-event.js';
import {
  createGroup,
  createSessionGroup,
  type GroupSessionInput,
  type SessionGroup,
  type SessionGroupInput,
} from '../../src/verbs/fleet/session-group.js';
import type { Turn } from '../../src/verbs/conversation/turns/turn.js';
import { createMemoryTransport, type MemoryPeer } from '../../src/wire/transport/memory-transport.js';
import { outcomeOf } from '../../../../test/support/scene.js';
import { collect } from '../../../../test/support/session-scene.js';
import { INITIALIZE_REPLY, result } from '../../../../test/support/steps.js';
import { elapse, settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';
import { watchHost, type HostWatch } from '../../../../test/support/watch-host.js';

/** CLIs that shake hands and answer a message when they are told to; they remember how many there were at once. */
class Fleet {
  readonly resumed: (string | undefined)[] = [];
  /** The texts of the messages that were begun, in order. */
  readonly begun: string[] = [];
  alive = 0;
  mostAlive = 0;
  mostRunning = 0;
  readonly #running: {
    text: string;
    finish: () => void;
    kill: () => void;
    say: (message: object) => void;
  }[] = [];

  readonly launch: Launch = ({ options }) => {
    this.resumed.push(options.resume);
    this.alive += 1;
    this.mostAlive = Math.max(this.mostAlive, this.alive);
    const { transport, peer } = createMemoryTransport({ leavesAtEndOfInput: true });
    const id = options.resume ?? options.sessionId ?? 'none';
    peer.onLine((line) => this.#receive(peer, id, JSON.parse(line) as Record<string, unknown>));
    void peer.inputEnded.then(() => (this.alive -= 1));
    return Promise.resolve({
      transport,
      initialize: {},
      version: '2.1.325',
      warnings: [],
      discard: () => {},
    });
  };

  get running(): string[] {
    return this.#running.map(({ text }) => text);
  }

  /** Kills the CLI that works on a text. */
  kill(text: string): void {
    const index = this.#running.findIndex((each) => each.text === text);
    this.#running.splice(index, 1)[0]?.kill();
  }

  /** Sends a message from the CLI that works on a text. */
  say(text: string, message: object): void {
    this.#running.find((each) => each.text === text)?.say(message);
  }

  /** Ends the turn of a text. */
  finish(text: string): void {
    const index = this.#running.findIndex((each) => each.text === text);
    this.#running.splice(index, 1)[0]?.finish();
  }

  #receive(peer: MemoryPeer, id: string, line: Record<string, unknown>): void {
    const send = (message: object): void => peer.send(JSON.stringify(message));
    if (line['type'] === 'control_request') {
      send({
        type: 'control_response',
        response: { subtype: 'success', request_id: line['request_id'], response: INITIALIZE_REPLY },
      });
      return;
    }
    if (line['type'] !== 'user') return;
    const [block] = (line['message'] as { content: { text: string }[] }).content;
    const text = block?.text ?? '';
    const uuid = String(line['uuid']);
    this.begun.push(text);
    send({ type: 'command_lifecycle', command_uuid: uuid, state: 'started', session_id: id });
    send({ type: 'system', subtype: 'init', session_id: id });
    this.#running.push({
      text,
      say: (message) => send({ ...message, session_id: id }),
      kill: () => peer.end({ signal: 'SIGKILL' }),
      finish: () => send({ ...result({ result: text, user_message_uuids: [uuid] }), session_id: id }),
    });
    this.mostRunning = Math.max(this.mostRunning, this.#running.length);
  }
}

describe('a session group', () => {
  const groups: { group: SessionGroup; fleet: Fleet }[] = [];
  let host: HostWatch | undefined;
  useVirtualClock();
  beforeEach(() => {
    host = watchHost();
  });
  afterEach(async () => {
    for (const { group, fleet } of groups.splice(0)) {
      await settleWithin(10_000, group.closeAll());
      expect(fleet.alive).toBe(0);
      expect(group.stats()).toMatchObject({ sessions: 0, open: 0, running: 0, waiting: 0 });
    }
    await host?.expectClean();
    host?.stop();
  });

  function gather(input: SessionGroupInput): { group: SessionGroup; fleet: Fleet } {
    const fleet = new Fleet();
    const made = { group: createGroup({ ...input, launch: fleet.launch }), fleet };
    groups.push(made);
    return made;
  }

  it('runs no more turns at once than allowed, and answers all', async () => {
    const { group, fleet } = gather({ maxRunning: 2 });
    const turns = ['1', '2', '3', '4'].map((text) => group.open().send(text));
    await elapse(0);
    expect(fleet.running).toEqual(['1', '2']);
    expect(group.stats()).toMatchObject({ sessions: 4, running: 2, waiting: 2, open: 2 });
    for (const text of ['2', '1', '3', '4']) {
      fleet.finish(text);
      await elapse(0);
    }
    expect(await Promise.all(turns.map((turn) => turn.text()))).toEqual(['1', '2', '3', '4']);
    expect([fleet.mostRunning, fleet.begun]).toEqual([2, ['1', '2', '3', '4']]);
  });

  it('serves the keys in turn, however many messages one has', async () => {
    const { group, fleet } = gather({ maxRunning: 1 });
    const noisy = group.open({ key: 'noisy' });
    const noise = ['n1', 'n2', 'n3'].map((text) => noisy.send(text));
    const second = group.open({ key: 'noisy' }).send('m1');
    const quiet = group.open({ key: 'quiet' }).send('q1');
    await elapse(0);
    expect(group.stats().waitingByKey).toEqual({ noisy: 3, quiet: 1 });
    for (let count = 0; count < 5; count += 1) {
      fleet.finish(fleet.running[0] ?? '');
      await elapse(0);
    }
    expect(fleet.begun).toEqual(['n1', 'm1', 'q1', 'n2', 'n3']);
    await Promise.all([...noise, second, quiet].map((turn) => turn.text()));
  });

  it('never lets a key wait for two turns of another, and keeps each session in order', async () => {
    const plan = fc.array(fc.record({ key: fc.nat(2), session: fc.nat(1) }), { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 3 }), async (sends, maxRunning) => {
        const { group, fleet } = gather({ maxRunning });
        const sessions = new Map<string, Session>();
        const turns: Turn[] = sends.map(({ key, session }, index) => {
          const name = `${key}.${session}`;
          const opened = sessions.get(name) ?? group.open({ key: String(key) });
          sessions.set(name, opened);
          return opened.send(`${name}#${index}`);
        });
        await elapse(0);
        while (fleet.running.length > 0) {
          fleet.finish(fleet.running[0] as string);
          await elapse(0);
        }
        expect(turns.every(({ state }) => state === 'over')).toBe(true);
        expect(fleet.mostRunning).toBeLessThanOrEqual(maxRunning);
        for (const name of sessions.keys()) {
          const own = fleet.begun.filter((text) => text.startsWith(`${name}#`));
          expect(own).toEqual(
            sends.flatMap(({ key, session }, index) =>
              `${key}.${session}` === name ? `${name}#${index}` : [],
            ),
          );
        }
        if (maxRunning === 1) {
          const order = fleet.begun.map((text) => text[0]);
          for (const one of ['0', '1', '2']) {
            const last = order.lastIndexOf(one);
            for (const other of ['0', '1', '2']) {
              if (one === other) continue;
              const run = longestRunWithout(order.slice(order.indexOf(one), last), one, other);
              expect(run).toBeLessThanOrEqual(1);
            }
          }
        }
        await group.closeAll();
      }),
      { numRuns: 40 },
    );
  });

  it('puts idle sessions to sleep, and wakes them with their next message', async () => {
    const { group, fleet } = gather({ maxRunning: 2, idleTimeoutMs: 1000 });
    const session = group.open();
    const id = session.sessionId;
    const first = session.send('1');
    await elapse(0);
    await elapse(3000);
    expect(fleet.alive).toBe(1);
    fleet.finish('1');
    await first.outcome();
    await elapse(1100);
    expect([fleet.alive, session.state, group.stats().open]).toEqual([0, 'suspended', 0]);
    const second = session.send('2');
    await elapse(0);
    fleet.finish('2');
    expect(await second.text()).toBe('2');
    expect(fleet.resumed).toEqual([undefined, id]);
  });

  it.each<[string, SessionGroupInput, GroupSessionInput]>([
    ['of its own', { maxRunning: 1 }, { options: { persistSession: false } }],
    ['of the group', { maxRunning: 1, options: { persistSession: false } }, {}],
  ])('never puts a session to sleep that keeps no transcript by an option %s', async (_, input, given) => {
    const { group, fleet } = gather({ ...input, maxOpen: 1, idleTimeoutMs: 1000 });
    const session = group.open(given);
    const first = session.send('1');
    await elapse(0);
    fleet.finish('1');
    await first.outcome();
    await elapse(600_000);
    expect([fleet.alive, session.state, group.stats().open]).toEqual([1, 'ready', 1]);
    expect(await session.suspend()).toBe(false);
    // It counts until it is closed: another waits for its place, however long it is idle.
    const other = group.open({ options: { persistSession: true } });
    const second = other.send('2');
    await elapse(600_000);
    expect([fleet.begun, fleet.alive, session.state, other.state]).toEqual([['1'], 1, 'ready', 'starting']);
    expect(group.stats()).toMatchObject({ sessions: 2, open: 1 });
    await settleWithin(10_000, session.close());
    await elapse(0);
    fleet.finish('2');
    expect(await second.text()).toBe('2');
    expect([fleet.mostAlive, fleet.resumed]).toEqual([1, [undefined, undefined]]);
    expect(group.stats()).toMatchObject({ sessions: 1, open: 1 });
  });

  it('makes room for a session by putting the one to sleep that was idle longest', async () => {
    const { group, fleet } = gather({ maxRunning: 1, maxOpen: 2, idleTimeoutMs: 0 });
    const sessions = [group.open(), group.open(), group.open()] as const;
    for (const [index, session] of sessions.entries()) {
      const turn = session.send(String(index));
      await elapse(0);
      fleet.finish(String(index));
      await turn.outcome();
    }
    expect(fleet.mostAlive).toBe(2);
    expect(sessions.map(({ state }) => state)).toEqual(['suspended', 'ready', 'ready']);
    const again = sessions[0].send('again');
    await elapse(0);
    fleet.finish('again');
    expect(await again.text()).toBe('again');
    expect(sessions.map(({ state }) => state)).toEqual(['ready', 'suspended', 'ready']);
    expect(fleet.mostAlive).toBe(2);
  });

  it('lets sessions that all have more to say take turns with one CLI', async () => {
    const { group, fleet } = gather({ maxRunning: 1, maxOpen: 1, idleTimeoutMs: 0 });
    const turns = ['a', 'b', 'c'].flatMap((key) => {
      const session = group.open({ key });
      return ['1', '2', '3'].map((number) => session.send(key + number));
    });
    await elapse(0);
    for (let count = 0; count < turns.length; count += 1) {
      fleet.finish(fleet.running[0] ?? '');
      await elapse(0);
    }
    await Promise.all(turns.map((turn) => turn.text()));
    expect(fleet.begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3']);
    expect(fleet.mostAlive).toBe(1);
  });

  it('makes room when a session that was only asked something has its answer', async () => {
    const { group, fleet } = gather({ maxRunning: 1, maxOpen: 1, idleTimeoutMs: 0 });
    const [asked, other] = [group.open(), group.open()];
    const answer = asked.mcpServerStatus();
    const turn = other.send('1');
    await elapse(0);
    await answer;
    await elapse(0);
    fleet.finish('1');
    expect(await turn.text()).toBe('1');
    expect([asked.state, fleet.mostAlive]).toEqual(['suspended', 1]);
  });

  it('waits for a background task no longer than its silence may last, and says what it ended', async () => {
    const { group, fleet } = gather({ maxRunning: 1, maxOpen: 1, maxBackgroundMs: 60_000 });
    const ann = group.open();
    const events: SessionEvent[] = [];
    void collect(ann.events(), events);
    const first = ann.send('a1');
    await elapse(0);
    const tasks = [{ task_id: 'server', task_type: 'local_bash' }];
    fleet.say('a1', { type: 'system', subtype: 'background_tasks_changed', tasks });
    fleet.finish('a1');
    await first.text();
    const second = group.open().send('b1');
    await elapse(59_000);
    expect([fleet.running, ann.state]).toEqual([[], 'ready']);
    await elapse(2_000);
    expect([fleet.running, ann.state]).toEqual([['b1'], 'suspended']);
    expect(events).toContainEqual({ type: 'suspended', endedTasks: 1 });
    fleet.finish('b1');
    expect(await second.text()).toBe('b1');
  });

  it.each([0, Infinity])('waits for a background task for ever if told to: %s', async (maxBackgroundMs) => {
    const { group, fleet } = gather({ maxRunning: 1, maxOpen: 1, maxBackgroundMs });
    const ann = group.open();
    const first = ann.send('a1');
    await elapse(0);
    const tasks = [{ task_id: 'server', task_type: 'local_bash' }];
    fleet.say('a1', { type: 'system', subtype: 'background_tasks_changed', tasks });
    fleet.finish('a1');
    await first.text();
    const second = outcomeOf(group.open().send('b1', { signal: AbortSignal.abort() }).outcome());
    const third = group.open().send('c1');
    await elapse(3_600_000);
    expect(ann.state).toBe('ready');
    expect((await second).error).toBeInstanceOf(AbortError);
    await settleWithin(10_000, ann.close());
    await elapse(0);
    fleet.finish('c1');
    expect(await third.text()).toBe('c1');
  });

  it('puts no session to sleep for one that was closed while it waited for room', async () => {
    const { group, fleet } = gather({ maxRunning: 1, maxOpen: 1 });
    const ann = group.open();
    const first = ann.send('a1');
    await elapse(0);
    const bob = group.open();
    const asked = outcomeOf(bob.mcpServerStatus());
    await elapse(0);
    await settleWithin(1_000, bob.close());
    expect((await asked).error).toBeInstanceOf(SessionClosedError);
    fleet.finish('a1');
    await first.text();
    await elapse(1_000);
    expect([ann.state, fleet.resumed.length]).toEqual(['ready', 1]);
    expect(group.stats()).toMatchObject({ sessions: 1, open: 1 });
  });

  it('takes a message back that waits, and goes on with the next', async () => {
    const { group, fleet } = gather({ maxRunning: 1 });
    const first = group.open().send('1');
    const aborted = new AbortController();
    const session = group.open();
    const second = session.send('2', { signal: aborted.signal });
    const third = session.send('3');
    await elapse(0);
    aborted.abort('enough');
    expect((await outcomeOf(second.outcome())).error).toBeInstanceOf(AbortError);
    fleet.finish('1');
    await first.outcome();
    await elapse(0);
    fleet.finish('3');
    expect(await third.text()).toBe('3');
    expect(fleet.begun).toEqual(['1', '3']);
  });

  it('lets others run when a session is closed, or its CLI cannot be started', async () => {
    const { group, fleet } = gather({ maxRunning: 1 });
    const running = group.open();
    const first = running.send('1');
    const second = group.open().send('2');
    await elapse(0);
    await settleWithin(5000, running.close());
    expect((await outcomeOf(first.outcome())).error).toBeInstanceOf(SessionClosedError);
    await elapse(0);
    fleet.finish('2');
    expect(await second.text()).toBe('2');
    expect(group.stats().sessions).toBe(1);

    const broken = createGroup({ maxRunning: 1, launch: () => Promise.reject(new Error('no luck')) });
    const turns = [broken.open().send('1'), broken.open().send('2')];
    for (const turn of turns) {
      expect((await outcomeOf(turn.outcome())).error).toMatchObject({ cause: { message: 'no luck' } });
    }
    await elapse(0);
    expect(broken.stats()).toMatchObject({ sessions: 0, open: 0, running: 0 });
  });

  it('lets a session whose CLI was killed go on, within the limits', async () => {
    const { group, fleet } = gather({ maxRunning: 2, maxOpen: 2, restart: { backoffMs: 10 } });
    const sessions = ['a', 'b', 'c'].map((key) => group.open({ key }));
    const turns = sessions.flatMap((session, index) => [
      session.send(`${index}.1`),
      session.send(`${index}.2`),
    ]);
    await elapse(0);
    fleet.kill('0.1');
    const { error } = await outcomeOf(turns[0]?.outcome() as Promise<unknown>);
    expect(error).toMatchObject({ code: 'TURN_LOST', sessionGoesOn: true });
    for (let count = 0; count < 20; count += 1) {
      await elapse(20);
      if (fleet.running[0] !== undefined) fleet.finish(fleet.running[0]);
    }
    const texts = await Promise.all(turns.slice(1).map((turn) => turn.text()));
    expect(texts).toEqual(['0.2', '1.1', '1.2', '2.1', '2.2']);
    expect(fleet.mostAlive).toBe(2);
    expect(fleet.mostRunning).toBe(2);
    expect(fleet.resumed).toContain(sessions[0]?.sessionId);
  });

  it('closes everything: what runs, what waits, what sleeps', async () => {
    const { group, fleet } = gather({ maxRunning: 1, maxOpen: 1 });
    const sessions = [group.open(), group.open(), group.open()];
    const turns = sessions.slice(0, 2).map((session) => session.send('x'));
    await elapse(0);
    await settleWithin(10_000, group.closeAll());
    for (const turn of turns) {
      expect((await outcomeOf(turn.outcome())).error).toBeInstanceOf(SessionClosedError);
    }
    expect(() => group.open()).toThrow(SessionClosedError);
    expect(fleet.alive).toBe(0);
  });
});

/** The most turns of `other` between two of `one`. */
function longestRunWithout(order: readonly (string | undefined)[], one: string, other: string): number {
  let longest = 0;
  let run = 0;
  for (const key of order) {
    if (key === one) run = 0;
    else if (key === other) longest = Math.max(longest, (run += 1));
  }
  return longest;
}

describe('createSessionGroup', () => {
  it('refuses limits that make no sense', () => {
    const refused: SessionGroupInput[] = [
      { maxRunning: 0 },
      { maxRunning: 1.5 },
      { maxRunning: 2, maxOpen: 1 },
      { maxRunning: 1, idleTimeoutMs: -1 },
      { maxRunning: 1, maxBackgroundMs: NaN },
      { maxRunning: 1, options: { sessionId: '00000000-0000-4000-8000-000000000001' } },
    ];
    for (const input of refused) expect(() => createSessionGroup(input)).toThrow(InvalidOptionsError);
  });
});
