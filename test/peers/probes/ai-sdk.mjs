// Probes of the AI SDK's agents. The model is a mock, so nothing is asked of any network.
import { z } from 'zod';
import * as zod3 from 'zod-3';
import { foundSchemas, jsonSchema, standardSchema } from './support/schemas.mjs';
import { runTogether } from './support/run-together.mjs';
import { withLimit } from './support/with-limit.mjs';
import { withoutChildren } from './support/without-children.mjs';

const LIMIT_MS = 5_000;
const TOOL_LIMIT_MS = 20;

/** @param {{ sdk: Record<string, any>, mocks: Record<string, any> }} given `mocks` is `ai/test`. */
export function createAiSdkProbes({ sdk, mocks }) {
  /** A model that plays its steps, and never more. */
  const createModel = (steps) => {
    const left = [...steps];
    return new mocks.MockLanguageModelV4({
      doGenerate: async () => {
        const content = left.shift();
        if (content === undefined)
          throw new Error('The model was asked once more than the script has steps.');
        const isCall = content[0].type === 'tool-call';
        return {
          content,
          finishReason: { unified: isCall ? 'tool-calls' : 'stop', raw: undefined },
          usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
          warnings: [],
        };
      },
    });
  };
  const call = (who) => ({
    type: 'tool-call',
    toolCallId: who,
    toolName: 'wait',
    input: JSON.stringify({ who }),
  });
  const says = (text) => [{ type: 'text', text }];

  const createAgent = (steps, { inputSchema = z.object({ who: z.string() }), execute, ...settings }) =>
    new sdk.ToolLoopAgent({
      model: createModel(steps),
      tools: { wait: sdk.tool({ description: 'Waits', inputSchema, execute }) },
      ...settings,
    });

  return {
    async schemas() {
      const forms = {
        'zod 3': zod3.z.object({ who: zod3.z.string() }),
        'zod 4': z.object({ who: z.string() }),
        'Standard Schema': standardSchema(),
        'JSON Schema': sdk.jsonSchema(jsonSchema()),
        shorthand: { who: 'string' },
      };
      return foundSchemas(forms, async (inputSchema, seen) => {
        const execute = async (input) => {
          seen(input);
          return 'done';
        };
        await createAgent([[call('Ada')], says('ok')], { inputSchema, execute }).generate({ prompt: 'Go.' });
      });
    },

    async places() {
      const agent = createAgent([[call('Ada')], says('ok')], { execute: async () => 'done' });
      const result = await withoutChildren(() => agent.generate({ prompt: 'Go.' }));
      return result.text === 'ok' ? 'yes' : 'no';
    },

    async parallel() {
      return runTogether(async (handler) => {
        const execute = async () => {
          await handler();
          return 'done';
        };
        await createAgent([[call('Ada'), call('Bob')], says('ok')], { execute }).generate({ prompt: 'Go.' });
      });
    },

    async stop() {
      const controller = new AbortController();
      let stopped;
      const stops = new Promise((resolve) => (stopped = resolve));
      const execute = async (_, { abortSignal }) => {
        abortSignal?.addEventListener('abort', () => stopped('yes'));
        controller.abort();
        await stops;
        return 'done';
      };
      const agent = createAgent([[call('Ada')], says('ok')], { execute });
      const ends = agent.generate({ prompt: 'Go.', abortSignal: controller.signal }).catch(() => {});
      const found = await withLimit(stops, LIMIT_MS, 'no');
      stopped(found);
      await ends;
      return found;
    },

    async 'tool-limit'() {
      const execute = (_, { abortSignal }) =>
        new Promise((resolve, reject) => {
          abortSignal?.addEventListener('abort', () => reject(new Error('stopped')));
        });
      const agent = createAgent([[call('Ada')], says('went on')], { execute });
      const run = agent.generate({ prompt: 'Go.', timeout: { toolMs: TOOL_LIMIT_MS } });
      const result = await withLimit(run, LIMIT_MS, undefined);
      return result?.text === 'went on' ? 'yes' : 'no';
    },

    async approvals() {
      const ran = [];
      const settings = {
        execute: async ({ who }) => {
          ran.push(who);
          return 'done';
        },
        toolApproval: { wait: 'user-approval' },
      };
      const prompt = { role: 'user', content: 'Go.' };
      const asked = await createAgent([[call('Ada')]], settings).generate({ messages: [prompt] });
      const request = asked.content.find(({ type }) => type === 'tool-approval-request');
      if (request === undefined || ran.length > 0) return 'no';
      // All that a second process would have: the messages as text, and the person's answer.
      const messages = JSON.parse(JSON.stringify([prompt, ...asked.responseMessages]));
      const response = {
        type: 'tool-approval-response',
        approvalId: request.approvalId,
        approved: true,
      };
      messages.push({ role: 'tool', content: [response] });
      const result = await createAgent([says('went on')], settings).generate({ messages });
      return result.text === 'went on' && ran.join() === 'Ada' ? 'yes, you keep the messages' : 'no';
    },

    async tests() {
      const { text } = await createAgent([says('hello')], { execute: async () => 'done' }).generate({
        prompt: 'Go.',
      });
      return text === 'hello' ? 'mock models' : 'none';
    },

    async voice() {
      return 'Experimental_AbstractRealtimeSession' in sdk ? 'experimental' : 'no';
    },
  };
}
