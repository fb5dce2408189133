// Probes of the OpenAI Agents SDK. The model plays a script, and tracing is off, so nothing is asked of any network.
import { z } from 'zod';
import * as zod3 from 'zod-3';
import { foundSchemas, jsonSchema, standardSchema } from './support/schemas.mjs';
import { runTogether } from './support/run-together.mjs';
import { withLimit } from './support/with-limit.mjs';
import { withoutChildren } from './support/without-children.mjs';

const LIMIT_MS = 5_000;
const TOOL_LIMIT_MS = 20;

/**
 * @param {{ sdk: Record<string, any>, kit: Record<string, any>, realtime: Record<string, any> }} given
 *   `kit` is `@openai/agents/testing`.
 */
export function createOpenAiProbes({ sdk, kit, realtime }) {
  const run = (...given) => new sdk.Runner({ tracingDisabled: true }).run(...given);
  const call = (who) => kit.functionCall('wait', { who }, { callId: who });
  const says = (text) => [kit.assistantMessage(text)];

  const createAgent = (steps, { parameters = z.object({ who: z.string() }), ...settings }) =>
    new sdk.Agent({
      name: 'agent',
      model: new kit.ScriptedModel(steps),
      tools: [sdk.tool({ name: 'wait', description: 'Waits', parameters, ...settings })],
    });

  return {
    async schemas() {
      const forms = {
        'zod 3': zod3.z.object({ who: zod3.z.string() }),
        'zod 4': z.object({ who: z.string() }),
        'Standard Schema': standardSchema(),
        'JSON Schema': jsonSchema(),
      };
      return foundSchemas(forms, async (parameters, seen) => {
        const execute = async (input) => {
          seen(input);
          return 'done';
        };
        await run(createAgent([[call('Ada')], says('ok')], { parameters, execute }), 'Go.');
      });
    },

    async places() {
      const agent = createAgent([[call('Ada')], says('ok')], { execute: async () => 'done' });
      const result = await withoutChildren(() => run(agent, 'Go.'));
      return result.finalOutput === 'ok' ? 'yes' : 'no';
    },

    async parallel() {
      return runTogether(async (handler) => {
        const execute = async () => {
          await handler();
          return 'done';
        };
        await run(createAgent([[call('Ada'), call('Bob')], says('ok')], { execute }), 'Go.');
      });
    },

    async stop() {
      const controller = new AbortController();
      let stopped;
      const stops = new Promise((resolve) => (stopped = resolve));
      const execute = async (_, context, details) => {
        details?.signal?.addEventListener('abort', () => stopped('yes'));
        controller.abort();
        await stops;
        return 'done';
      };
      const agent = createAgent([[call('Ada')], says('ok')], { execute });
      const ends = run(agent, 'Go.', { signal: controller.signal }).catch(() => {});
      const found = await withLimit(stops, LIMIT_MS, 'no');
      stopped(found);
      await ends;
      return found;
    },

    async 'tool-limit'() {
      const execute = () => new Promise(() => {});
      const agent = createAgent([[call('Ada')], says('went on')], { execute, timeoutMs: TOOL_LIMIT_MS });
      const result = await withLimit(run(agent, 'Go.'), LIMIT_MS, undefined);
      return result?.finalOutput === 'went on' ? 'yes' : 'no';
    },

    async approvals() {
      const ran = [];
      const settings = {
        needsApproval: true,
        execute: async ({ who }) => {
          ran.push(who);
          return 'done';
        },
      };
      const asked = await run(createAgent([[call('Ada')]], settings), 'Go.');
      if (asked.interruptions.length !== 1 || ran.length > 0) return 'no';
      // All that a second process would have: the state as text, and the person's answer.
      const agent = createAgent([says('went on')], settings);
      const state = await sdk.RunState.fromString(agent, asked.state.toString());
      for (const question of state.getInterruptions()) state.approve(question);
      const result = await run(agent, state);
      return result.finalOutput === 'went on' && ran.join() === 'Ada' ? 'yes, you keep the state' : 'no';
    },

    async tests() {
      const agent = createAgent([says('hello')], { execute: async () => 'done' });
      return (await run(agent, 'Go.')).finalOutput === 'hello' ? 'scripted model' : 'none';
    },

    async voice() {
      return 'RealtimeSession' in realtime ? 'yes' : 'no';
    },

    async handoffs() {
      const second = new sdk.Agent({
        name: 'second',
        model: new kit.ScriptedModel([says('from the second')]),
      });
      const pass = kit.functionCall('transfer_to_second', {}, { callId: 'pass' });
      const first = new sdk.Agent({
        name: 'first',
        model: new kit.ScriptedModel([[pass]]),
        handoffs: [second],
      });
      const result = await run(first, 'Go.');
      return result.finalOutput === 'from the second' ? 'hand-offs' : 'none';
    },
  };
}
