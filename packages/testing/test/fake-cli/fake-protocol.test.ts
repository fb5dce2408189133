// What a host may not do: each broken rule fails verify(), in a sentence that names it. And what a fake does
// by itself, which no query would let one see.
import { describe, expect, it } from 'vitest';
import {
  ask,
  askPermission,
  createFakeCli,
  endTurn,
  expectPrompt,
  holdAnswers,
  releaseAnswers,
  repeat,
  stall,
  type FakeCliOptions,
  type FakeScript,
} from '@inboard/inboard/testing.js';
import { say, useTool } from '@inboard/testing/fake-cli/script/build-steps.js';
import { RawHost, stageFake } from './fake-stages.js';

const MANIFEST = {
  sdkMcpServers: ['shop'],
  sdkMcpServerManifests: {
    shop: {
      initializeResult: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'shop' },
      },
      toolsListResult: { tools: [{ name: 'count', inputSchema: { type: 'object' } }] },
    },
  },
};
const ALLOWED = ['--allowedTools=mcp__shop'];
const CALL: FakeScript = [useTool('mcp__shop__count'), ({ answer }) => say(answer.text)];
const rpc = (id: number, more: object): object => ({ mcp_response: { jsonrpc: '2.0', id, ...more } });
const GOOD = { content: [{ type: 'text', text: '7' }] };

function problemsOf(fake: { verify(): void }): readonly string[] {
  try {
    fake.verify();
  } catch (error) {
    return (error as { problems: readonly string[] }).problems;
  }
  return [];
}

interface Breach {
  script?: FakeScript;
  options?: FakeCliOptions;
  host: (host: RawHost) => void | Promise<void>;
  problem: RegExp;
}

async function callTool(host: RawHost, answer: (id: unknown) => void): Promise<void> {
  host.initialize(MANIFEST);
  host.prompt('Go.');
  answer(await host.asked('mcp_message'));
}

async function decide(host: RawHost, decision: unknown): Promise<void> {
  host.initialize();
  host.prompt('Go.');
  host.answer(await host.asked('can_use_tool'), decision);
  await host.result();
}

const BREACHES: Record<string, Breach> = {
  'a line that is not JSON': { host: (host) => host.write('oops'), problem: /not JSON: "oops"/ },
  'a line that is no object': { host: (host) => host.write('[]'), problem: /JSON but not an object/ },
  'a prompt before initialize': {
    host: (host) => host.prompt('Hi'),
    problem: /user message before initialize/,
  },
  'a prompt without a message': {
    host: (host) => {
      host.initialize();
      host.write({ type: 'user' });
    },
    problem: /without a message with the role user/,
  },
  'another prompt than expected': {
    script: [expectPrompt('Hello')],
    host: async (host) => {
      host.initialize();
      host.prompt('Bye');
      await host.result();
    },
    problem: /not what the script expects \(Hello\): Bye/,
  },
  'a prompt too many': {
    host: async (host) => {
      host.initialize();
      host.prompt('one');
      await host.result();
      host.prompt('two');
      await host.hear(({ is_error: isError }) => isError === true);
    },
    problem: /no turn: two/,
  },
  'two requests with one id': {
    host: (host) => {
      host.initialize();
      host.write({ type: 'control_request', request_id: 'i', request: { subtype: 'mcp_status' } });
    },
    problem: /two control requests with the id i/,
  },
  'a request without a body': {
    host: (host) => host.write({ type: 'control_request', request_id: 'x' }),
    problem: /without id or request/,
  },
  'an answer without an id': {
    host: (host) => host.write({ type: 'control_response', response: {} }),
    problem: /without a request_id/,
  },
  'an answer to nothing': { host: (host) => host.answer('nobody', {}), problem: /never made/ },
  'a second answer': {
    script: CALL,
    host: (host) =>
      callTool(host, (id) => {
        host.answer(id, rpc(2, { result: GOOD }));
        host.answer(id, rpc(2, { result: GOOD }));
      }),
    problem: /second answer to mcp_message tools\/call/,
  },
  'no answer': {
    script: CALL,
    host: (host) => callTool(host, () => {}),
    problem: /mcp_message tools\/call has no answer/,
  },
  'input that ends before an answer': {
    script: CALL,
    host: (host) => callTool(host, () => void host.endInput()),
    problem: /input ended before mcp_message tools\/call was answered/,
  },
  'input that ends before a question': {
    script: CALL,
    host: async (host) => {
      host.initialize(MANIFEST);
      host.prompt('Go.');
      await host.endInput();
    },
    problem: /input ended before mcp_message tools\/call could be asked/,
  },
  'a script that was not finished': {
    script: [say('one'), endTurn(), say('two'), useTool('mcp__shop__count')],
    host: async (host) => {
      host.initialize();
      host.prompt('Go.');
      await host.result();
      await host.endInput();
    },
    problem: /not played: say, useTool\(mcp__shop__count\)/,
  },
  'an answer of an unknown kind': {
    script: CALL,
    host: (host) =>
      callTool(host, (id) => {
        host.write({ type: 'control_response', response: { request_id: id, subtype: 'perhaps' } });
      }),
    problem: /unknown subtype/,
  },
  'an error without a text': {
    script: CALL,
    host: (host) =>
      callTool(host, (id) => {
        host.write({ type: 'control_response', response: { request_id: id, subtype: 'error' } });
      }),
    problem: /error answer without a text/,
  },
  ...Object.fromEntries(
    (
      [
        ['no MCP answer', undefined, /has no response/],
        ['an empty MCP answer', {}, /has no mcp_response/],
        ['another JSON-RPC id', rpc(9, { result: GOOD }), /a JSON-RPC id other than 2/],
        ['neither result nor error', rpc(2, {}), /either a result or an error/],
        [
          'a JSON-RPC error without a code',
          rpc(2, { error: { message: 'x' } }),
          /without a code and a message/,
        ],
        ['no JSON-RPC', { mcp_response: { id: 2, result: GOOD } }, /not JSON-RPC 2\.0/],
      ] as const
    ).map(([name, response, problem]): [string, Breach] => [
      name,
      { script: CALL, host: (host) => callTool(host, (id) => host.answer(id, response)), problem },
    ]),
  ),
  ...Object.fromEntries(
    (
      [
        ['a decision that is none', { behavior: 'ask' }, /neither allow nor deny/],
        ['a decision with a null key', { behavior: 'allow', updatedInput: null }, /null key/],
        ['a denial without a message', { behavior: 'deny' }, /denies without a message/],
        ['an allowance without input', { behavior: 'allow' }, /without updatedInput/],
        ['no decision at all', undefined, /is not an object/],
      ] as const
    ).map(([name, decision, problem]): [string, Breach] => [
      name,
      { script: [askPermission('Bash')], host: (host) => decide(host, decision), problem },
    ]),
  ),
};

describe('verify() finds', () => {
  it.each(Object.entries(BREACHES))(
    '%s',
    async (_name, { script = [say('Hello.')], options, host, problem }) => {
      const fake = stageFake(script, options);
      const raw = new RawHost(fake, ALLOWED);
      await host(raw);
      // Everything the host wrote is read after one turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      const problems = problemsOf(fake);
      expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(problem)]));
    },
  );

  it('a fake that was never started, and a script that throws', async () => {
    const unused = stageFake([say('Hello.')]);
    expect(problemsOf(unused)).toEqual(['it was never started']);
    const broken = stageFake([
      () => {
        throw new Error('mistyped');
      },
    ]);
    const host = new RawHost(broken);
    host.initialize();
    host.prompt('Hi');
    expect(await host.end).toMatchObject({ exitCode: 1 });
    expect(problemsOf(broken)).toEqual([expect.stringContaining('the script failed: mistyped')]);
  });

  it('nothing in a session that keeps the rules, and fails `await using` otherwise', async () => {
    const fake = stageFake([say('Hello.')]);
    const host = new RawHost(fake);
    host.initialize();
    host.prompt('Hi');
    await host.result();
    expect(await host.endInput()).toMatchObject({ exitCode: 0, signal: null });
    fake.verify();
    const failing = async (): Promise<void> => {
      await using bad = createFakeCli([say('Hello.')]);
      const rude = new RawHost(bad);
      rude.write('oops');
      await rude.end;
    };
    await expect(failing()).rejects.toMatchObject({ code: 'SCRIPT_MISMATCH' });
  });

  it('no early end where one is allowed, and no missing input where nobody is strict', async () => {
    const early = stageFake([say('one'), stall(), say('two')], { allowEarlyEnd: true });
    const host = new RawHost(early);
    host.initialize();
    host.prompt('Go.');
    await host.hear(({ type }) => type === 'assistant');
    await host.endInput();
    early.verify();
    const lax = stageFake([askPermission('Bash')], { strict: false });
    const other = new RawHost(lax);
    await decide(other, { behavior: 'allow' });
    lax.verify();
  });
});

describe('a fake CLI', () => {
  it('lets an answer cross with a withdrawal, once', async () => {
    let withdraw: () => void = () => {};
    const cancelWhen = new Promise<void>((resolve) => {
      withdraw = resolve;
    });
    const fake = stageFake([
      ask({ subtype: 'request_user_dialog', dialog_kind: 'x' }, { cancelWhen }),
      say('Go on.'),
    ]);
    const host = new RawHost(fake);
    host.initialize();
    const id = await host.asked('request_user_dialog');
    withdraw();
    await host.hear(({ type }) => type === 'control_cancel_request');
    host.answer(id, {});
    host.prompt('Hi');
    await host.result();
    fake.verify();
  });

  it('takes two answers to a request it sent twice', async () => {
    const fake = stageFake([askPermission('Bash'), repeat('request'), say('Done.')]);
    const host = new RawHost(fake);
    host.initialize();
    host.prompt('Hi');
    const id = await host.asked('can_use_tool');
    const deny = { behavior: 'deny', message: 'no' };
    host.answer(id, deny);
    await host.hear(
      ({ request_id: each }) => each === id && host.lines.filter((l) => l['request_id'] === id).length === 2,
    );
    host.answer(id, deny);
    await host.result();
    fake.verify();
  });

  it('holds answers back, and sends them in reverse order', async () => {
    let release: () => void = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    const fake = stageFake([
      expectPrompt(),
      holdAnswers(),
      stall(until),
      releaseAnswers('reversed'),
      repeat('response'),
    ]);
    const host = new RawHost(fake);
    host.initialize();
    host.prompt('Hi');
    await host.hear(({ subtype }) => subtype === 'init');
    await new Promise((resolve) => setImmediate(resolve));
    for (const id of ['a', 'b']) {
      host.write({ type: 'control_request', request_id: id, request: { subtype: 'mcp_status' } });
    }
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    release();
    await host.result();
    const answers = host.lines.flatMap(({ type, response }) =>
      type === 'control_response' ? [(response as { request_id: string }).request_id] : [],
    );
    expect(answers).toEqual(['i', 'b', 'a', 'a']);
    fake.verify();
  });

  it('refuses unknown requests, and an older one is silent', async () => {
    for (const [version, expected] of [
      [
        '2.1.325',
        [
          ['i', 'success'],
          ['x', 'error'],
          ['s', 'success'],
        ],
      ],
      [
        '2.1.33',
        [
          ['i', 'success'],
          ['s', 'success'],
        ],
      ],
    ] as const) {
      const fake = stageFake([say('Hello.')], { version });
      const host = new RawHost(fake);
      host.initialize();
      host.write({ type: 'control_request', request_id: 'x', request: { subtype: 'made_up' } });
      host.write({ type: 'control_request', request_id: 's', request: { subtype: 'mcp_status' } });
      host.prompt('Hi');
      await host.result();
      const answers = host.lines.flatMap(({ type, response }) => {
        const body = response as { request_id: string; subtype: string };
        return type === 'control_response' ? [[body.request_id, body.subtype]] : [];
      });
      expect(answers).toEqual(expected);
    }
  });

  it('reports state and lifecycle, folds what comes while tools run, and drops a uuid it has seen', async () => {
    const fake = stageFake(CALL);
    const host = new RawHost(fake, ALLOWED);
    host.initialize(MANIFEST);
    host.prompt('one', { uuid: 'u1' });
    const id = await host.asked('mcp_message');
    host.prompt('two', { uuid: 'u2' });
    host.prompt('two', { uuid: 'u2' });
    await host.hear(({ command_uuid: uuid }) => uuid === 'u2');
    host.answer(id, rpc(2, { result: GOOD }));
    await host.hear(({ state }) => state === 'idle');
    const story = host.lines.flatMap(({ type, state, command_uuid: uuid }) => {
      if (type === 'result') return ['result'];
      return typeof state === 'string' ? [typeof uuid === 'string' ? `${uuid} ${state}` : state] : [];
    });
    expect(story).toEqual([
      'running',
      'u1 queued',
      'u1 started',
      'u2 queued',
      'u2 started',
      'u2 completed',
      'result',
      'u1 completed',
      'idle',
    ]);
    expect(await host.result()).toMatchObject({ user_message_uuids: ['u1', 'u2'] });
    fake.verify();
  });

  it('acknowledges progress, reads tools again after list_changed, and refuses what servers may not ask', async () => {
    const fake = stageFake([
      useTool('mcp__shop__count'),
      ({ answer }) => say(JSON.stringify(answer.progress)),
    ]);
    const host = new RawHost(fake, ALLOWED);
    host.initialize(MANIFEST);
    host.prompt('Go.');
    const id = await host.asked('mcp_message');
    const tell = (request_id: string, message: object): void =>
      host.write({
        type: 'control_request',
        request_id,
        request: { subtype: 'mcp_message', server_name: 'shop', message: { jsonrpc: '2.0', ...message } },
      });
    tell('p', { method: 'notifications/progress', params: { progressToken: 2, progress: 1 } });
    tell('r', { id: 'srv-1', method: 'roots/list' });
    const refused = await host.hear(({ request }) => JSON.stringify(request ?? '').includes('-32601'));
    host.answer(refused['request_id'], {});
    host.answer(id, rpc(2, { result: GOOD }));
    expect(await host.result()).toMatchObject({ result: '[{"progressToken":2,"progress":1}]' });
    fake.verify();
  });

  it('answers control requests as the test defines', async () => {
    const fake = stageFake([say('Hello.')], {
      controls: {
        get_usage: { tokens: 5 },
        mcp_status: () => {
          throw new Error('not today');
        },
      },
    });
    const host = new RawHost(fake);
    host.initialize();
    host.write({ type: 'control_request', request_id: 'u', request: { subtype: 'get_usage' } });
    host.write({ type: 'control_request', request_id: 's', request: { subtype: 'mcp_status' } });
    host.prompt('Hi');
    await host.result();
    const answers = host.lines
      .filter(({ type }) => type === 'control_response')
      .map(({ response }) => response);
    expect(answers.slice(1)).toMatchObject([
      { request_id: 'u', response: { tokens: 5 } },
      { request_id: 's', subtype: 'error', error: 'not today' },
    ]);
  });
});
