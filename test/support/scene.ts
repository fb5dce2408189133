// A query with a scripted CLI at its other end, and how such a query ends, told in one value.
import { afterEach, beforeEach, expect } from 'vitest';
import type { Options } from '../../packages/core/src/options/options.js';
import type { InboardWarning } from '../../packages/core/src/options/check/warning.js';
import type { SDKMessage } from '../../packages/core/src/wire/protocol/messages/messages.js';
import type { Prompt } from '../../packages/core/src/live/input/prompt-source.js';
import { createQuery, type Query } from '../../packages/core/src/verbs/query/query.js';
import { stageCli, type ScriptedCli, type StageKind } from './scripted-cli.js';
import type { Step } from './steps.js';
import { watchHost, type HostWatch } from './watch-host.js';

/** What is played. */
export interface SceneInput {
  kind: StageKind;
  steps: readonly Step[];
  prompt?: Prompt;
  options?: Options;
}

/** Both sides of it. */
export interface Scene {
  q: Query;
  cli: ScriptedCli;
  warnings: InboardWarning[];
}

/** How an iteration ended: the messages, then `error`, which is undefined for a clean end. */
export interface Ending {
  messages: SDKMessage[];
  error: unknown;
}

/** Sets the stage for every test of the surrounding block, and sees to it that nothing is left after each. */
export function useScenes(): (input: SceneInput) => Scene {
  const scenes: Scene[] = [];
  let host: HostWatch | undefined;

  beforeEach(() => {
    host = watchHost();
  });

  afterEach(async () => {
    const played = scenes.splice(0);
    try {
      for (const { q, cli } of played) {
        await q.close();
        expect(cli.isGone()).toBe(true);
        // What was launched is discarded, once, and nothing is launched twice.
        expect(cli.discards).toBe(cli.starts);
        expect(cli.starts).toBeLessThanOrEqual(1);
      }
      for (const { cli } of played) await cli.dispose();
      await host?.expectClean();
    } finally {
      host?.stop();
    }
  });

  return (input) => {
    const scene = playScene(input);
    scenes.push(scene);
    return scene;
  };
}

function playScene({ kind, steps, prompt = 'hi', options = {} }: SceneInput): Scene {
  const cli = stageCli(kind, steps);
  const warnings: InboardWarning[] = [];
  const q = createQuery({
    prompt,
    launch: cli.launch,
    options: {
      ...options,
      onWarning: (warning) => {
        warnings.push(warning);
        options.onWarning?.(warning);
      },
    },
  });
  return { q, cli, warnings };
}

/** Iterates to the end; there is exactly one, and after it nothing more comes. */
export async function runToEnd(q: Query): Promise<Ending> {
  const messages: SDKMessage[] = [];
  let error: unknown;
  try {
    for (let step = await q.next(); !step.done; step = await q.next()) messages.push(step.value);
  } catch (thrown) {
    error = thrown;
  }
  expect(await q.next()).toEqual({ done: true, value: undefined });
  return { messages, error };
}

/** How a promise settled: its value, or the error it was rejected with. */
export async function outcomeOf(promise: Promise<unknown>): Promise<{ value?: unknown; error?: unknown }> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error };
  }
}

/** The types of messages, with subtypes where there are some, as in `system/init`. */
export function kindsOf(messages: readonly SDKMessage[]): string[] {
  return messages.map((message) =>
    'subtype' in message && message.type === 'system' ? `${message.type}/${message.subtype}` : message.type,
  );
}
