// Probes of the SDKs that drive the Claude CLI, Inboard and the official one: the same code for both, on a fake CLI. Each probe returns
// what it found, in the words of the table.
import { z } from 'zod';
import * as zod3 from 'zod-3';
import { foundSchemas, standardSchema, jsonSchema } from './support/schemas.mjs';
import { runTogether } from './support/run-together.mjs';
import { withLimit } from './support/with-limit.mjs';
import { withoutChildren } from './support/without-children.mjs';

const LIMIT_MS = 5_000;

/** What would be a help in users' tests, by the function that one would call. */
const KIT = [
  ['createFakeCli', 'fake CLI'],
  ['startScriptedModel', 'scripted model'],
  ['openTape', 'replay'],
];

/**
 * @param {{ sdk: Record<string, any>, testing: typeof import('../../../packages/inboard/src/testing.js'), ownOptions?: object, ownKit?: object }} given
 *   `ownOptions` are options that only this SDK knows, `ownKit` is what it has for its users' tests.
 */
export function createCliProbes({ sdk, testing, ownOptions = {}, ownKit = {} }) {
  const { crash, createFakeCli, endTurn, reply, text, toolUse } = testing;

  const createShop = (schema, handler) =>
    sdk.createSdkMcpServer({
      name: 'shop',
      version: '1.0.0',
      tools: [sdk.tool('wait', 'Waits', schema, handler, { annotations: { readOnlyHint: true } })],
    });

  /** A query on a fake CLI that plays the script. */
  const start = async (script, shop, options = {}) => {
    const fake = createFakeCli(script, { strict: false, allowEarlyEnd: true });
    const query = sdk.query({
      prompt: 'Go.',
      options: {
        pathToClaudeCodeExecutable: await fake.executable(),
        env: { PATH: process.env.PATH },
        mcpServers: { shop },
        allowedTools: ['mcp__shop__wait'],
        ...ownOptions,
        ...options,
      },
    });
    const close = async () => {
      await Promise.resolve(query.close()).catch(() => {});
      await fake.close().catch(() => {});
    };
    return { query, close };
  };

  const answer = () => ({ content: [{ type: 'text', text: 'done' }] });
  const call = (who) => toolUse('mcp__shop__wait', { who });

  return {
    async schemas() {
      const forms = {
        'zod 3': { who: zod3.z.string() },
        'zod 4': { who: z.string() },
        'Standard Schema': standardSchema(),
        'JSON Schema': jsonSchema(),
        shorthand: { who: 'string' },
      };
      return foundSchemas(forms, async (schema, seen) => {
        const shop = createShop(schema, (input) => {
          seen(input);
          return answer();
        });
        const { query, close } = await start([call('Ada'), text('ok')], shop);
        await readAll(query);
        await close();
      });
    },

    async places() {
      const shop = createShop({ who: z.string() }, answer);
      const isAnswered = async () => {
        const { query, close } = await start([text('ok')], shop);
        const types = await readAll(query);
        await close();
        return types.includes('result');
      };
      if (!(await isAnswered())) throw new Error('The query fails although it may start a child process.');
      return (await withoutChildren(isAnswered).catch(() => false)) ? 'yes' : 'no';
    },

    async parallel() {
      return runTogether(async (handler) => {
        const shop = createShop({ who: z.string() }, async () => {
          await handler();
          return answer();
        });
        const { query, close } = await start([reply(call('Ada'), call('Bob')), text('ok')], shop);
        await readAll(query);
        await close();
      });
    },

    async stop() {
      let begun;
      const begins = new Promise((resolve) => (begun = resolve));
      let stopped;
      const stops = new Promise((resolve) => (stopped = resolve));
      const shop = createShop({ who: z.string() }, async (_, { signal }) => {
        signal?.addEventListener('abort', () => stopped('yes'));
        begun();
        await stops;
        return answer();
      });
      const { query, close } = await start([call('Ada'), text('ok')], shop);
      const ends = readAll(query);
      await begins;
      await query.interrupt();
      const found = await withLimit(stops, LIMIT_MS, 'no');
      stopped(found);
      await ends;
      await close();
      return found;
    },

    async 'shared-server'() {
      let runs;
      const firstRuns = new Promise((resolve) => (runs = resolve));
      let isOver;
      const secondIsOver = new Promise((resolve) => (isOver = resolve));
      const called = [];
      const shop = createShop({ who: z.string() }, async ({ who }) => {
        called.push(who);
        if (called.length === 1) {
          runs();
          await secondIsOver;
        }
        return answer();
      });
      const first = await start([call('first'), text('ok')], shop);
      const firstEnds = readAll(first.query);
      await firstRuns;
      const second = await start([call('second'), text('ok')], shop);
      await readAll(second.query);
      isOver();
      await firstEnds;
      await Promise.all([first.close(), second.close()]);
      return called.includes('second') ? 'yes' : 'the second has no tools';
    },

    async crash() {
      // The first CLI answers once and dies; another one, if there is any, answers on.
      const script = ({ index }) =>
        index === 0 ? [text('one'), endTurn(), crash({ code: 3 })] : [text('two')];
      const fake = createFakeCli(script, { strict: false, allowEarlyEnd: true });
      const options = {
        pathToClaudeCodeExecutable: await fake.executable(),
        env: { PATH: process.env.PATH },
        ...ownOptions,
      };
      const found = (await survives(sdk, options)) ? 'yes, if you opt in' : 'no';
      await fake.close().catch(() => {});
      return found;
    },

    async tests() {
      const shipped = { ...sdk, ...ownKit };
      const found = KIT.filter(([name]) => typeof shipped[name] === 'function');
      return found.map(([, words]) => words).join(', ') || 'none';
    },

    async 'tool-limit'() {
      const settings = { name: 'wait', description: 'Waits', inputSchema: { who: 'string' }, timeoutMs: 20 };
      const wait = sdk.tool({ ...settings, run: () => new Promise(() => {}) });
      const shop = sdk.createSdkMcpServer({ name: 'shop', tools: [wait] });
      const { query, close } = await start([call('Ada'), text('went on')], shop);
      const messages = await withLimit(readAll(query), LIMIT_MS, []);
      await close();
      return messages.includes('result') ? 'yes' : 'no';
    },
  };
}

/** Whether a second message is answered after the CLI has died. An SDK that has sessions with restarts is asked for that. */
async function survives(sdk, options) {
  if (sdk.openSession !== undefined) {
    const session = sdk.openSession({ options, restart: { backoffMs: 1, resend: 'untouched' } });
    try {
      const answers = [await session.send('First.').text(), await session.send('Second.').text()];
      return answers.join() === 'one,two';
    } finally {
      await session.close();
    }
  }
  let goOn;
  const answered = new Promise((resolve) => (goOn = resolve));
  const message = (content) => ({
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    session_id: '',
  });
  async function* prompts() {
    yield message('First.');
    await answered;
    yield message('Second.');
  }
  let results = 0;
  try {
    for await (const { type } of sdk.query({ prompt: prompts(), options })) {
      if (type !== 'result') continue;
      results += 1;
      goOn();
    }
  } catch {
    // How it fails is not the question.
  }
  return results > 1;
}

/** Reads to the end. An error is an end, too: what the tool saw is what counts. */
async function readAll(query) {
  const types = [];
  try {
    for await (const message of query) types.push(message.type);
  } catch (error) {
    types.push(String(error));
  }
  return types;
}
