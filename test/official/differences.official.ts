// What docs/coming-from-the-official-sdk.md says of both SDKs, tried on both: each case is a row or a sentence of that page. When a
// newer official SDK makes one fail, the page is out of date.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as inboard from '../../packages/inboard/src/index.js';
import { loadBoth, type AnyQuery, type AnySdk } from './record-query.js';

let sdks: { ours: AnySdk; official: AnySdk };
let folder: string;
beforeAll(async () => {
  sdks = await loadBoth();
  folder = mkdtempSync(join(tmpdir(), 'inboard-differences-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SUCCESS = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'ok',
  session_id: 's',
  uuid: 'u',
};
const FAILURE = {
  type: 'result',
  subtype: 'error_during_execution',
  is_error: true,
  errors: ['E1'],
  session_id: 's',
  uuid: 'u',
};

let count = 0;
/** A CLI that shakes hands, answers the first prompt with these lines, and exits. */
function writeCli(lines: readonly unknown[], exitCode: number): string {
  const path = join(folder, `cli-${(count += 1)}.mjs`);
  writeFileSync(
    path,
    `import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const frame = JSON.parse(line);
  if (frame.type === 'control_request') {
    const response = { subtype: 'success', request_id: frame.request_id, response: { commands: [], models: [] } };
    console.log(JSON.stringify({ type: 'control_response', response }));
  } else if (frame.type === 'user') {
    console.log(JSON.stringify({ type: 'argv', argv: process.argv }));
    for (const each of ${JSON.stringify(lines)}) console.log(JSON.stringify(each));
    process.exit(${exitCode});
  }
}
`,
  );
  return path;
}

function optionsFor(sdk: AnySdk, options: object): object {
  const own = sdk.query === (inboard.query as unknown) && {
    claudeCodeVersion: '2.1.325',
    onWarning: () => {},
  };
  return { env: { PATH: process.env['PATH'] }, ...own, ...options };
}

/** Reads a query to its end; gives the types of its messages, the error, and how the CLI was started. */
async function readAll(query: AnyQuery): Promise<{ types: string[]; error: unknown; argv: string[] }> {
  const types: string[] = [];
  let argv: string[] = [];
  try {
    for await (const message of query) {
      if ('argv' in message) argv = message.argv as string[];
      else types.push(message.type);
    }
    return { types, error: undefined, argv };
  } catch (error) {
    return { types, error, argv };
  } finally {
    await query.close();
  }
}

/** Runs one prompt on a CLI. */
function ask(sdk: AnySdk, cli: string, more: { prompt?: unknown; options?: object } = {}) {
  const options = optionsFor(sdk, { pathToClaudeCodeExecutable: cli, ...more.options });
  return readAll(sdk.query({ prompt: more.prompt ?? 'hi', options }));
}

const both = ['ours', 'official'] as const;

describe('endings and errors', () => {
  it('exit 1 after a good result: theirs throws, ours ends', async () => {
    const cli = writeCli([SUCCESS], 1);
    const [ours, official] = [await ask(sdks.ours, cli), await ask(sdks.official, cli)];
    expect(ours).toMatchObject({ types: ['result'], error: undefined });
    expect(String(official.error)).toContain('Claude Code process exited with code 1');
  });

  it('exit 0 without a result: theirs ends, ours throws', async () => {
    const cli = writeCli([], 0);
    const [ours, official] = [await ask(sdks.ours, cli), await ask(sdks.official, cli)];
    expect(ours.error).toBeInstanceOf(inboard.IncompleteRunError);
    expect(official.error).toBeUndefined();
  });

  it('exit 1 without a result: both throw, with other words and the same errorClass', async () => {
    const cli = writeCli([], 1);
    const [ours, official] = [await ask(sdks.ours, cli), await ask(sdks.official, cli)];
    expect(ours.error).toBeInstanceOf(inboard.ProcessExitError);
    expect(String(ours.error)).toContain('The Claude CLI exited with code 1');
    expect(String(official.error)).toContain('Claude Code process exited with code 1');
    for (const { error } of [ours, official])
      expect(error).toMatchObject({ errorClass: 'process_exited_nonzero', exitCode: 1 });
  });

  it('an error result: both give it and throw; ours has the result', async () => {
    const cli = writeCli([FAILURE], 1);
    const [ours, official] = [await ask(sdks.ours, cli), await ask(sdks.official, cli)];
    expect([ours.types, official.types]).toEqual([['result'], ['result']]);
    expect(ours.error).toBeInstanceOf(inboard.ResultError);
    expect(ours.error).toMatchObject({
      errorClass: 'error_result',
      result: { subtype: 'error_during_execution' },
    });
    expect(String(official.error)).toContain('Claude Code returned an error result: E1');
  });

  it('abort: their error is named Error and has no reason', async () => {
    const cli = writeCli([SUCCESS], 0);
    const errors = await Promise.all(
      both.map(async (name) => {
        const abortController = new AbortController();
        const reason = new Error('mine');
        // Held open, so that the abort comes first.
        const prompt = (async function* () {
          yield* [];
          await new Promise<void>((resolve) =>
            abortController.signal.addEventListener('abort', () => resolve()),
          );
        })();
        setImmediate(() => abortController.abort(reason));
        const { error } = await ask(sdks[name], cli, { prompt, options: { abortController } });
        expect(error).toBeInstanceOf(sdks[name]['AbortError']);
        return { name: (error as Error).name, hasReason: (error as Error).cause === reason };
      }),
    );
    expect(errors).toEqual([
      { name: 'AbortError', hasReason: true },
      { name: 'Error', hasReason: false },
    ]);
  });

  it('a CLI that is not there: theirs is a ReferenceError', async () => {
    const cli = join(folder, 'nowhere');
    const [ours, official] = [await ask(sdks.ours, cli), await ask(sdks.official, cli)];
    expect(ours.error).toBeInstanceOf(inboard.ExecutableNotFoundError);
    expect(official.error).toBeInstanceOf(ReferenceError);
    for (const { error } of [ours, official])
      expect(error).toMatchObject({ errorClass: 'executable_not_found' });
  });

  it('close() returns nothing there, a promise here', async () => {
    const cli = writeCli([SUCCESS], 0);
    const returned = await Promise.all(
      both.map(async (name) => {
        const query = sdks[name].query({
          prompt: 'hi',
          options: optionsFor(sdks[name], { pathToClaudeCodeExecutable: cli }),
        });
        const value = query.close();
        await value;
        return value instanceof Promise;
      }),
    );
    expect(returned).toEqual([true, false]);
  });
});

describe('prompts', () => {
  it('an iterable that throws: theirs loses the error', async () => {
    const cli = writeCli([SUCCESS], 0);
    const failing = () =>
      (async function* () {
        yield* [];
        await Promise.resolve();
        throw new Error('mine');
      })();
    const ours = await ask(sdks.ours, cli, { prompt: failing() });
    const official = await ask(sdks.official, cli, { prompt: failing() });
    expect(String(ours.error)).toContain('mine');
    expect(String(official.error)).not.toContain('mine');
  });
});

describe('leaving the loop', () => {
  it('ends the prompt here, and not there', async () => {
    const cli = writeCli([SUCCESS, SUCCESS], 0);
    const message = {
      type: 'user',
      session_id: '',
      parent_tool_use_id: null,
      message: { role: 'user', content: 'hi' },
    };
    const ended = await Promise.all(
      both.map(async (name) => {
        let isReturned = false;
        let isGiven = false;
        const prompt = {
          [Symbol.asyncIterator]: () => ({
            next: () => {
              if (isGiven) return new Promise<never>(() => {});
              isGiven = true;
              return Promise.resolve({ done: false, value: message });
            },
            return: () => {
              isReturned = true;
              return Promise.resolve({ done: true, value: undefined });
            },
          }),
        };
        const query = sdks[name].query({
          prompt,
          options: optionsFor(sdks[name], { pathToClaudeCodeExecutable: cli }),
        });
        for await (const { type } of query) if (type === 'result') break;
        await query.close();
        return isReturned;
      }),
    );
    expect(ended).toEqual([true, false]);
  });
});

describe('options', () => {
  it.each([
    ['an entry with a comma', { allowedTools: ['Read,Bash'] }],
    ['an id that is none', { sessionId: 'nope' }],
    ['a budget of nothing', { maxBudgetUsd: 0 }],
  ])('%s: ours refuses it, theirs does not', async (_, options) => {
    const start = (sdk: AnySdk): AnyQuery =>
      sdk.query({
        prompt: 'hi',
        options: optionsFor(sdk, { pathToClaudeCodeExecutable: writeCli([SUCCESS], 0), ...options }),
      });
    expect(() => start(sdks.ours)).toThrow(inboard.InvalidOptionsError);
    expect(await readAll(start(sdks.official))).toMatchObject({ error: undefined });
  });

  it('the environment of the program: theirs writes into it', async () => {
    delete process.env['CLAUDE_AGENT_SDK_VERSION'];
    const cli = writeCli([SUCCESS], 0);
    const before = { ...process.env };
    await ask(sdks.ours, cli);
    expect({ ...process.env }).toEqual(before);
    await ask(sdks.official, cli);
    expect(process.env['CLAUDE_AGENT_SDK_VERSION']).toBeDefined();
  });

  it('secrets: on their command line, in a file of ours', async () => {
    const mcpServers = {
      h: { type: 'http', url: 'http://127.0.0.1:9/', headers: { Authorization: 'Bearer secret' } },
    };
    // Not the recording CLI: it reads the files that are named on its command line.
    const cli = writeCli([SUCCESS], 0);
    const argv = await Promise.all(
      both.map(async (name) => {
        const { argv: words } = await ask(sdks[name], cli, { options: { mcpServers } });
        return words.join(' ');
      }),
    );
    expect(argv.map((text) => text.includes('Bearer secret'))).toEqual([false, true]);
    for (const text of argv) expect(text).toContain('--mcp-config');
  });

  it('a relative path to the CLI: theirs begins in cwd', async () => {
    const cli = writeCli([SUCCESS], 0);
    chmodSync(cli, 0o755);
    const options = { cwd: folder };
    const relative = `./${cli.slice(folder.length + 1)}`;
    const [ours, official] = [
      await ask(sdks.ours, relative, { options }),
      await ask(sdks.official, relative, { options }),
    ];
    expect(ours.error).toBeInstanceOf(inboard.ExecutableNotFoundError);
    expect(official).toMatchObject({ types: ['result'], error: undefined });
  });
});

describe('tools', () => {
  it('a schema that cannot be converted: left out by both; our own form throws', () => {
    const schema = { when: z.symbol() };
    for (const name of both) {
      const define = sdks[name]['tool'] as (...given: unknown[]) => unknown;
      expect(() => define('a', 'b', schema, () => undefined)).not.toThrow();
    }
    expect(() => inboard.tool({ name: 'a', description: 'b', inputSchema: schema, run: () => 1 })).toThrow(
      inboard.SchemaError,
    );
  });

  it('the instance: no McpServer, and the same methods', () => {
    const [ours, official] = both.map((name) => {
      const create = sdks[name]['createSdkMcpServer'] as (given: object) => {
        instance: Record<string, unknown>;
      };
      return create({ name: 's', version: '1.0.0', tools: [] }).instance;
    });
    const low = (instance: Record<string, unknown> | undefined, method: string): string =>
      typeof (instance?.['server'] as Record<string, unknown> | undefined)?.[method];
    expect([low(ours, 'setRequestHandler'), low(official, 'setRequestHandler')]).toEqual([
      'undefined',
      'function',
    ]);
    expect([low(ours, 'notification'), low(official, 'notification')]).toEqual(['function', 'function']);
    for (const sdk of both) {
      const create = sdks[sdk]['createSdkMcpServer'] as (given: object) => {
        instance: { server: { onclose?: () => void } };
      };
      const { instance } = create({ name: 's', version: '1.0.0', tools: [] });
      expect([sdk, instance.server.onclose]).toEqual([sdk, undefined]);
      const onclose = (): void => {};
      instance.server.onclose = onclose;
      expect([sdk, instance.server.onclose]).toEqual([sdk, onclose]);
    }
    for (const method of [
      'registerTool',
      'registerResource',
      'registerPrompt',
      'connect',
      'close',
      'tool',
      'resource',
    ]) {
      expect([method, typeof ours?.[method], typeof official?.[method]]).toEqual([
        method,
        'function',
        'function',
      ]);
    }
  });
});
