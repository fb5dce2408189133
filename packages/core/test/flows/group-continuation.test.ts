// Turns of a group that were cut off before their sessions were opened: they go on in places of the group, one after another
// where there are fewer places than turns, and before what is sent to the same session.
import { afterEach, describe, expect, it } from 'vitest';
import { SessionClosedError } from '../../src/errors.js';
import type { Launch } from '../../src/live/launch.js';
import { InMemorySessionStore } from '../../src/record/history/store/in-memory-session-store.js';
import { findProjectKey } from '../../src/record/history/store/stored-entries.js';
import { createDeferred } from '../../src/util/deferred.js';
import type { Session } from '../../src/verbs/conversation/open-session.js';
import { createGroup, type SessionGroup } from '../../src/verbs/fleet/session-group.js';
import { createMemoryTransport, type MemoryPeer } from '../../src/wire/transport/memory-transport.js';
import { outcomeOf } from '../../../../test/support/scene.js';
import { INITIALIZE_REPLY, result } from '../../../../test/support/steps.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

const prompt = { type: 'user', uuid: 'u1', message: { role: 'user', content: 'Pay order 7.' } };
const call = {
  type: 'assistant',
  uuid: 'a1',
  message: { content: [{ type: 'tool_use', id: 't1', name: 'pay', input: { order: 7 } }] },
};
const answer = { type: 'assistant', uuid: 'a2', message: { content: [{ type: 'text', text: 'Paid.' }] } };

const idOf = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;

/** CLIs that go on with their conversation, or answer what they are sent, when they are told to. */
class Crew {
  /** What runs: the number of the conversation and what it works on. */
  readonly running = new Map<string, () => void>();
  readonly sessionStore = new InMemorySessionStore();
  readonly #group: SessionGroup;
  readonly #goesOnByItself: boolean;
  most = 0;

  constructor(maxRunning: number, { goesOnByItself = true } = {}) {
    this.#goesOnByItself = goesOnByItself;
    this.#group = createGroup({ maxRunning, launch: this.#launch });
  }

  get group(): SessionGroup {
    return this.#group;
  }

  async open(number: number, ...entries: object[]): Promise<Session> {
    const key = { projectKey: await findProjectKey(process.cwd()), sessionId: idOf(number) };
    await this.sessionStore.append(key, entries as never);
    const { sessionStore } = this;
    return this.#group.open({
      key: String(number),
      interrupted: 'continue',
      options: { resume: idOf(number), sessionStore },
    });
  }

  /** Holds up the next look at what is recorded of calls. */
  holdRecords(): { begun: Promise<void>; release: () => void } {
    const [begun, released] = [createDeferred<void>(), createDeferred<void>()];
    const open = this.sessionStore.calls.bind(this.sessionStore);
    this.sessionStore.calls = (key) => {
      this.sessionStore.calls = open;
      const records = open(key);
      const load = records.load.bind(records);
      records.load = async () => {
        begun.resolve();
        await released.promise;
        return await load();
      };
      return records;
    };
    return { begun: begun.promise, release: () => released.resolve() };
  }

  finish(what: string): void {
    const end = this.running.get(what);
    expect(end, `${what} runs`).toBeDefined();
    this.running.delete(what);
    end?.();
  }

  readonly #launch: Launch = ({ options }) => {
    const { transport, peer } = createMemoryTransport({ leavesAtEndOfInput: true });
    const id = String(options.resume);
    const isAsked = options.extendEnv?.['CLAUDE_CODE_RESUME_INTERRUPTED_TURN'] === '1';
    const goesOn = isAsked && this.#goesOnByItself;
    peer.onLine((line) => this.#receive(peer, id, goesOn, JSON.parse(line) as Record<string, unknown>));
    return Promise.resolve({
      transport,
      initialize: {},
      version: '2.1.325',
      warnings: [],
      discard: () => {},
    });
  };

  #receive(peer: MemoryPeer, id: string, goesOn: boolean, line: Record<string, unknown>): void {
    const send = (message: object): void => peer.send(JSON.stringify({ ...message, session_id: id }));
    const begin = (what: string, uuid: string): void => {
      send({ type: 'command_lifecycle', command_uuid: uuid, state: 'started' });
      send({ type: 'system', subtype: 'init' });
      this.running.set(`${id.at(-1)} ${what}`, () =>
        send(result({ result: what, user_message_uuids: [uuid] })),
      );
      this.most = Math.max(this.most, this.running.size);
    };
    if (line['type'] === 'control_request') {
      const response = { ...INITIALIZE_REPLY, session_state: goesOn ? 'running' : 'idle' };
      send({
        type: 'control_response',
        response: { subtype: 'success', request_id: line['request_id'], response },
      });
      if (goesOn) begin('goes on', 'u1');
    }
    if (line['type'] !== 'user') return;
    const [block] = (line['message'] as { content: { text: string }[] }).content;
    begin(
      block?.text.startsWith('The last turn was cut off') ? 'goes on' : String(block?.text),
      String(line['uuid']),
    );
  }
}

describe('a group whose sessions are opened with interrupted: continue', () => {
  const crews: Crew[] = [];
  afterEach(async () => {
    for (const { group } of crews.splice(0)) {
      await group.closeAll();
      expect(group.stats()).toMatchObject({ sessions: 0, open: 0, running: 0, lent: 0, waiting: 0 });
    }
  });
  function gather(...given: ConstructorParameters<typeof Crew>): Crew {
    const crew = new Crew(...given);
    crews.push(crew);
    return crew;
  }

  it.each([true, false])('lets them go on within its limit (by themselves: %s)', async (goesOnByItself) => {
    const crew = gather(1, { goesOnByItself });
    const sessions = [await crew.open(1, prompt, call), await crew.open(2, prompt, call)];
    const texts = sessions.map(async (session) => await (await session.continued)?.text());
    await waitUntil(() => crew.running.size === 1 && crew.group.stats().waiting === 1);
    // Both read their transcripts at the same time, and the one that is ready first begins.
    const [first, second] = crew.running.has('1 goes on') ? [1, 2] : [2, 1];
    expect([...crew.running.keys()]).toEqual([`${first} goes on`]);
    expect(crew.group.stats()).toMatchObject({ running: 1, waiting: 1, waitingByKey: { [second]: 1 } });
    crew.finish(`${first} goes on`);
    await waitUntil(() => crew.running.has(`${second} goes on`));
    crew.finish(`${second} goes on`);
    expect(await Promise.all(texts)).toEqual(['goes on', 'goes on']);
    expect(crew.most).toBe(1);
    expect(crew.group.stats()).toMatchObject({ running: 0, waiting: 0 });
  });

  it.each([true, false])('goes on before what is sent (by itself: %s)', async (goesOnByItself) => {
    const crew = gather(1, { goesOnByItself });
    const session = await crew.open(1, prompt, call);
    const sent = session.send('And now?').text();
    await waitUntil(() => crew.running.size === 1);
    expect([...crew.running.keys()]).toEqual(['1 goes on']);
    crew.finish('1 goes on');
    expect(await (await session.continued)?.text()).toBe('goes on');
    await waitUntil(() => crew.running.has('1 And now?'));
    crew.finish('1 And now?');
    expect(await sent).toBe('And now?');
  });

  it.each([[[prompt, answer]], [[]]])('answers at once where nothing was cut off: %j', async (entries) => {
    const crew = gather(1);
    const session = await crew.open(1, ...entries);
    // Without a transcript only the CLI knows; this one would go on if it were asked to.
    const what = entries.length > 0 ? 'Hello?' : 'goes on';
    const sent = session.send('Hello?').text();
    await waitUntil(() => crew.running.has(`1 ${what}`));
    crew.finish(`1 ${what}`);
    if (what === 'goes on') {
      await waitUntil(() => crew.running.has('1 Hello?'));
      crew.finish('1 Hello?');
    }
    expect(await sent).toBe('Hello?');
  });

  it('leaves its place to others where there was nothing to go on with after all', async () => {
    const crew = gather(1, { goesOnByItself: false });
    const session = await crew.open(1);
    expect(await session.continued).toBeUndefined();
    expect(crew.group.stats()).toMatchObject({ running: 0, waiting: 0 });
  });

  it('is closed while it waits for a place', async () => {
    const crew = gather(1);
    const [first, second] = [await crew.open(1, prompt, call), await crew.open(2, prompt, call)];
    void first.continued;
    await waitUntil(() => crew.running.size === 1);
    const waiting = outcomeOf(second.continued);
    await waitUntil(() => crew.group.stats().waiting === 1);
    await second.close();
    expect((await waiting).error).toBeInstanceOf(SessionClosedError);
    crew.finish('1 goes on');
    expect(await (await first.continued)?.text()).toBe('goes on');
    expect(crew.group.stats()).toMatchObject({ sessions: 1, running: 0, waiting: 0 });
  });

  it('is closed after its turn was found, and before it asked for a place', async () => {
    const crew = gather(1);
    const session = await crew.open(1, prompt, call);
    // What is recorded of its calls is read when the turn is known, and before its CLI may start.
    const records = crew.holdRecords();
    const waiting = outcomeOf(session.continued);
    await records.begun;
    expect(crew.group.stats()).toMatchObject({ running: 0, waiting: 1 });
    await session.close();
    records.release();
    expect((await waiting).error).toBeInstanceOf(SessionClosedError);
    const next = await crew.open(2, prompt, call);
    void next.continued;
    await waitUntil(() => crew.running.has('2 goes on'));
    crew.finish('2 goes on');
    expect(await (await next.continued)?.text()).toBe('goes on');
    expect(crew.group.stats()).toMatchObject({ sessions: 1, running: 0, waiting: 0 });
  });
});
