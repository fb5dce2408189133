// What only the composition itself can get wrong: launches that misbehave, files that stay, sessions without a
// prompt. How sessions run and end is played through in packages/core/test/flows.
import { describe, expect, it, vi } from 'vitest';
import type { InboardWarning } from '../../src/options/check/warning.js';
import type { Launched } from '../../src/live/launch.js';
import { LiveCli } from '../../src/live/live-cli.js';
import { createMemoryTransport, type MemoryPeer } from '../../src/wire/transport/memory-transport.js';
import { userMessageOf } from '../../src/live/input/user-message.js';
import { createDeferred } from '../../src/util/deferred.js';
import { outcomeOf } from '../../../../test/support/scene.js';
import { stageCli } from '../../../../test/support/scripted-cli.js';
import { emit, HANG, handshake, mark, turn, expectLine, type Step } from '../../../../test/support/steps.js';
import { PATIENCE_MS } from '../../../../test/support/wait-until.js';

const emptyHanded = (more: Partial<Launched>): Launched => ({
  transport: createMemoryTransport().transport,
  initialize: {},
  version: '2.1.325',
  warnings: [],
  discard: () => {},
  ...more,
});

async function endOf(session: LiveCli): Promise<{ value?: unknown; error?: unknown }> {
  const step = await outcomeOf(session.messages.next());
  await session.over;
  return step;
}

describe('a launch', () => {
  it('that fails is the error of the session, for everybody', async () => {
    const error = new Error('nothing here');
    const session = new LiveCli({ prompt: 'hi', options: {}, launch: () => Promise.reject(error) });
    const request = outcomeOf(session.request({ subtype: 'set_model' }));
    expect(await endOf(session)).toEqual({ error });
    expect(await request).toEqual({ error });
    expect(await outcomeOf(session.initialized)).toEqual({ error });
    expect(session.pid).toBeUndefined();
  });

  it('that throws at once is the same', async () => {
    const error = new Error('at once');
    const session = new LiveCli({
      prompt: 'hi',
      options: {},
      launch: () => {
        throw error;
      },
    });
    expect(await endOf(session)).toEqual({ error });
  });

  it('whose transport cannot even be opened ends the session, and is discarded', async () => {
    const error = new Error('broken');
    const discard = vi.fn();
    const transport = {
      ...createMemoryTransport().transport,
      open: () => {
        throw error;
      },
    };
    const session = new LiveCli({
      prompt: 'hi',
      options: {},
      launch: () => Promise.resolve(emptyHanded({ transport, discard })),
    });
    expect(await endOf(session)).toEqual({ error });
    expect(discard).toHaveBeenCalledTimes(1);
  });

  it('tells its warnings', async () => {
    const warnings: InboardWarning[] = [];
    const cli = stageCli('memory', [...handshake(), ...turn()]);
    const session = new LiveCli({
      prompt: 'hi',
      options: { onWarning: (warning) => warnings.push(warning) },
      launch: async (input) => ({
        ...(await cli.launch(input)),
        warnings: [{ code: 'CLI_VERSION_UNKNOWN', message: 'odd' }],
      }),
    });
    await session.over;
    expect(warnings).toEqual([{ code: 'CLI_VERSION_UNKNOWN', message: 'odd' }]);
    await cli.dispose();
  });

  it('whose files cannot be removed is warned of, and the session ends all the same', async () => {
    const cause = new Error('busy');
    const warnings: InboardWarning[] = [];
    const cli = stageCli('memory', [...handshake(), ...turn()]);
    const session = new LiveCli({
      prompt: 'hi',
      options: { onWarning: (warning) => warnings.push(warning) },
      launch: async (input) => ({
        ...(await cli.launch(input)),
        discard: () => {
          throw cause;
        },
      }),
    });
    await session.over;
    expect(warnings).toMatchObject([{ error: { cause } }]);
    await cli.dispose();
  });
});

describe('an end that comes with the answer to the handshake', () => {
  /** The peer answers the handshake and leaves, without a microtask between. */
  const leaveWith = (response: object): LiveCli => {
    const { transport, peer } = createMemoryTransport();
    peer.onLine((line) => {
      const { request_id, request } = JSON.parse(line) as { request_id: string; request?: object };
      if (!request) return;
      peer.send(JSON.stringify({ type: 'control_response', response: { request_id, ...response } }));
      peer.end({ exitCode: 1 });
    });
    return new LiveCli({
      prompt: undefined,
      options: {},
      launch: () => Promise.resolve(emptyHanded({ transport })),
    });
  };

  it('does not hide that it was answered', async () => {
    const session = leaveWith({ subtype: 'success', response: { commands: [] } });
    expect((await endOf(session)).error).toMatchObject({
      code: 'PROCESS_EXITED',
      phase: 'running',
      message: expect.not.stringContaining('handshake') as string,
    });
    expect(await session.initialized).toEqual({ commands: [] });
  });

  it('does not hide that it was refused', async () => {
    const session = leaveWith({ subtype: 'error', error: 'no such model' });
    expect((await endOf(session)).error).toMatchObject({
      code: 'HANDSHAKE_REFUSED',
      message: expect.stringContaining('no such model') as string,
    });
  });
});

describe('a session without a prompt', () => {
  const open = (steps: Step[]) => {
    const cli = stageCli('memory', steps);
    return { cli, session: new LiveCli({ prompt: undefined, options: {}, launch: cli.launch }) };
  };

  it('stays open between its messages, until it is closed', async () => {
    const { cli, session } = open([
      ...handshake(),
      ...turn('one'),
      ...turn('two', { user_message_uuids: ['$uuid:1'] }),
      mark('done'),
      HANG,
    ]);
    await session.initialized;
    await session.streamInput('one');
    await session.streamInput('two');
    await cli.marked('done');
    expect(cli.sawEnd()).toBe(false);
    await session.close({ kind: 'closed' });
    expect(cli.isGone()).toBe(true);
    await cli.dispose();
  });

  it('ends like any other when the CLI goes', async () => {
    const { cli, session } = open([...handshake(), { do: 'exit', code: 3 }]);
    expect((await endOf(session)).error).toMatchObject({ code: 'PROCESS_EXITED', exitCode: 3 });
    await cli.dispose();
  });
});

describe('a control request that an old CLI would never answer', () => {
  it('is refused here, and not written', async () => {
    const cli = stageCli('memory', [...handshake(), ...turn()]);
    const session = new LiveCli({
      prompt: 'hi',
      options: {},
      launch: async (input) => ({ ...(await cli.launch(input)), version: '2.1.33' }),
    });
    const { error } = await outcomeOf(session.request({ subtype: 'get_context_usage' }));
    expect(error).toMatchObject({ code: 'CONTROL_REQUEST_FAILED', errorCode: 'unsupported_request' });
    await session.over;
    expect(cli.requests('get_context_usage')).toEqual([]);
    await cli.dispose();
  });
});

describe('a CLI that was started before its version was known', () => {
  /** `found` is what it says when it is asked; a promise holds the answer back. */
  function open(steps: Step[], found: string | undefined | Promise<string | undefined>, prompt?: string) {
    const cli = stageCli('memory', steps);
    const ask = vi.fn(() => Promise.resolve(found));
    const remember = vi.fn();
    const warnings: string[] = [];
    const session = new LiveCli({
      prompt,
      options: { onWarning: ({ code }) => warnings.push(code) },
      launch: async (input) => ({
        ...(await cli.launch(input)),
        version: undefined,
        openVersion: { ask, remember },
      }),
    });
    const dispose = async (): Promise<void> => {
      await session.close({ kind: 'closed' });
      await cli.dispose();
    };
    return { cli, session, ask, remember, warnings, dispose };
  }

  it('is not asked where it says it itself, and is warned of where it is too old', async () => {
    const { session, ask, remember, warnings, dispose } = open(
      [...handshake({ claude_code_version: '2.1.0' }), HANG],
      '9.9.9',
    );
    await session.initialized;
    expect(session.version).toBe('2.1.0');
    expect(session.learnVersion()).toBeUndefined();
    expect(remember).toHaveBeenCalledExactlyOnceWith('2.1.0');
    expect(warnings).toEqual(['CLI_VERSION_UNSUPPORTED']);
    expect(ask).not.toHaveBeenCalled();
    await dispose();
  });

  it('is asked before a request that an old CLI would never answer; what comes meanwhile stays behind it', async () => {
    const answer = createDeferred<string | undefined>();
    const { cli, session, ask, dispose } = open([...handshake(), HANG], answer.promise);
    await session.initialized;
    const first = outcomeOf(session.request({ subtype: 'get_context_usage' }));
    const second = outcomeOf(session.request({ subtype: 'set_model' }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(cli.requests('set_model')).toEqual([]);
    answer.resolve('2.1.33');
    expect((await first).error).toMatchObject({ errorCode: 'unsupported_request', versionNeeded: '2.1.86' });
    await vi.waitFor(() => expect(cli.requests('set_model')).toHaveLength(1), PATIENCE_MS);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(cli.requests('get_context_usage')).toEqual([]);
    await dispose();
    expect((await second).error).toBeDefined();
  });

  it('gets requests that all CLIs know at once', async () => {
    const { cli, session, ask, dispose } = open([...handshake(), HANG], '2.1.33');
    await session.initialized;
    const request = outcomeOf(session.request({ subtype: 'set_model' }));
    await vi.waitFor(() => expect(cli.requests('set_model')).toHaveLength(1), PATIENCE_MS);
    expect(ask).not.toHaveBeenCalled();
    await dispose();
    await request;
  });

  it('is not told of a withdrawal, which would end one that is too old', async () => {
    const { cli, session, dispose } = open([...handshake(), HANG], '2.1.33');
    await session.initialized;
    const controller = new AbortController();
    const request = outcomeOf(session.request({ subtype: 'mcp_status' }, { signal: controller.signal }));
    controller.abort();
    await request;
    expect(cli.lines().filter((line) => line.includes('control_cancel_request'))).toEqual([]);
    await dispose();
  });

  it('is asked before a message that an old CLI would misread', async () => {
    const { cli, session, dispose } = open([...handshake(), HANG], '2.1.33');
    await session.initialized;
    const note = { ...userMessageOf('note'), shouldQuery: false };
    const { error } = await outcomeOf(
      session.streamInput(
        (async function* () {
          yield note;
        })(),
      ),
    );
    expect(error).toMatchObject({ code: 'UNSUPPORTED_OPTION', versionFound: '2.1.33' });
    expect(cli.lines().filter((line) => line.includes('"user"'))).toEqual([]);
    await dispose();
  });

  it('says so where it gives none, and nobody waits for it beyond the end', async () => {
    const silent = open([...handshake(), HANG], undefined);
    await silent.session.initialized;
    await silent.session.learnVersion();
    expect(silent.warnings).toEqual(['CLI_VERSION_UNKNOWN']);
    await silent.dispose();
    const never = open([...handshake(), HANG], new Promise(() => {}));
    await never.session.initialized;
    const request = outcomeOf(never.session.request({ subtype: 'get_context_usage' }));
    await never.dispose();
    expect((await request).error).toBeDefined();
  });
});

describe('closing', () => {
  it('is remembered: every call waits for the same end, and the first cause counts', async () => {
    const cli = stageCli('memory', [...handshake(), expectLine('user'), mark('up'), HANG]);
    const session = new LiveCli({ prompt: 'hi', options: {}, launch: cli.launch });
    await cli.marked('up');
    const error = new Error('too late');
    const calls = [session.close({ kind: 'closed' }), session.close({ kind: 'failed', error })];
    expect(new Set(calls).size).toBe(1);
    await Promise.all(calls);
    expect(await session.messages.next()).toEqual({ done: true, value: undefined });
    expect(session.close({ kind: 'closed' })).toBe(calls[0]);
    await cli.dispose();
  });
});

describe('the transport', () => {
  it('may tell its end twice; it is one', async () => {
    const { transport, peer } = createMemoryTransport();
    let receiver: Parameters<typeof transport.open>[0] | undefined;
    const discard = vi.fn();
    const session = new LiveCli({
      prompt: [],
      options: {},
      launch: () =>
        Promise.resolve(
          emptyHanded({
            discard,
            transport: {
              ...transport,
              open: (given) => {
                receiver = given;
                transport.open(given);
              },
            },
          }),
        ),
    });
    await answerHandshake(peer);
    peer.end();
    receiver?.closed({ exitCode: 9, signal: null, stderrTail: '' });
    expect(await endOf(session)).toEqual({ value: { done: true, value: undefined } });
    expect(discard).toHaveBeenCalledTimes(1);
  });
});

function answerHandshake(peer: MemoryPeer): Promise<void> {
  return new Promise((resolve) => {
    peer.onLine((line) => {
      const { request_id } = JSON.parse(line) as { request_id: string };
      peer.send(
        JSON.stringify({
          type: 'control_response',
          response: { subtype: 'success', request_id, response: {} },
        }),
      );
      resolve();
    });
  });
}

describe('a config folder of its own', () => {
  const FRAME = {
    type: 'transcript_mirror',
    filePath: '/c/projects/p/55555555-5555-4555-8555-555555555555.jsonl',
    entries: [{ type: 'user' }],
  };

  /** Runs a session whose store does something with each append; gives what became of the folder, in order. */
  async function play(
    append: () => Promise<void>,
    keep: () => Promise<string | undefined> = () => Promise.resolve('/kept'),
    removing: () => Promise<unknown> = () => Promise.resolve(),
  ) {
    const events: string[] = [];
    const remove = async (): Promise<void> => {
      await removing();
      events.push('removed');
    };
    const warnings: InboardWarning[] = [];
    const cli = stageCli('memory', [...handshake(), emit(FRAME), ...turn()]);
    const session = new LiveCli({
      prompt: 'hi',
      options: {
        sessionStore: {
          append: async () => {
            await append();
            events.push('stored');
          },
          load: () => Promise.resolve(null),
        },
        onWarning: (warning) => warnings.push(warning),
      },
      launch: async (input) => ({
        ...(await cli.launch(input)),
        config: {
          configDir: '/config',
          remove,
          keep: () => (events.push('kept'), keep()),
        },
      }),
    });
    // Up to the end, whatever it is.
    for (let isOver = false; !isOver;) {
      const { value, error } = await outcomeOf(session.messages.next());
      isOver = error !== undefined || (value as IteratorResult<unknown>).done === true;
    }
    await session.over;
    events.push('over');
    await cli.dispose();
    return { events, warnings };
  }

  it('is removed once the store has everything', async () => {
    const events = ['stored', 'removed', 'over'];
    expect(await play(() => Promise.resolve())).toEqual({ events, warnings: [] });
  });

  it('is gone when the session is over, however long the removal takes', async () => {
    const takesLong = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));
    const { events } = await play(() => Promise.resolve(), undefined, takesLong);
    expect(events).toEqual(['stored', 'removed', 'over']);
  });

  it('is kept and named where the store did not take everything', async () => {
    const { events, warnings } = await play(() => Promise.reject(new Error('down')));
    expect(events).toEqual(['kept', 'over']);
    expect(warnings).toMatchObject([
      {
        code: 'TRANSCRIPT_KEPT',
        message: expect.stringContaining('/kept') as string,
        error: { code: 'SESSION_STORE_FAILED', operation: 'append' },
      },
    ]);
  });

  it('is named as it is where it cannot be kept', async () => {
    const { warnings } = await play(
      () => Promise.reject(new Error('down')),
      () => Promise.reject(new Error('full')),
    );
    expect(warnings).toMatchObject([
      {
        code: 'TRANSCRIPT_KEPT',
        message: expect.stringContaining('/config') as string,
        error: { cause: { message: 'full' } },
      },
    ]);
  });

  it('of a CLI that ran elsewhere is no reason to say that anything is kept', async () => {
    const { warnings } = await play(
      () => Promise.reject(new Error('down')),
      () => Promise.resolve(undefined),
    );
    expect(warnings).toMatchObject([
      { code: 'TRANSCRIPT_LOST', message: expect.stringContaining('is lost') as string },
    ]);
    expect(warnings[0]?.message).not.toContain('kept in');
  });

  it('is removed, not kept, where the store says that the session is no longer ours', async () => {
    const { events } = await play(() => Promise.reject(Object.assign(new Error('lost'), { fatal: true })));
    expect(events).toEqual(['removed', 'over']);
  });
});
