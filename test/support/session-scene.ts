// A long session with scripted CLIs at its other end: one script for each process it starts.
import { afterEach, beforeEach, expect } from 'vitest';
import type { Options } from '../../packages/core/src/options/options.js';
import type { Launch } from '../../packages/core/src/live/launch.js';
import type { SDKMessage } from '../../packages/core/src/wire/protocol/messages/messages.js';
import {
  createConversation,
  presentConversation,
  type ConversationInput,
  type Session,
} from '../../packages/core/src/verbs/conversation/open-session.js';
import type { SessionEvent } from '../../packages/core/src/verbs/conversation/conversation-event.js';
import { stageCli, type ScriptedCli, type StageKind } from './scripted-cli.js';
import type { Step } from './steps.js';
import { watchHost, type HostWatch } from './watch-host.js';

/** CLIs that are started one after another, and what each was started with. */
export interface Troupe {
  launch: Launch;
  clis: ScriptedCli[];
  /** The options of each start, in order. */
  starts: Options[];
  dispose(): Promise<unknown>;
}

/** One script for each start; a start beyond them fails. */
export function stageTroupe(scripts: readonly (readonly Step[])[], kind: StageKind = 'memory'): Troupe {
  const clis = scripts.map((steps) => stageCli(kind, steps));
  const starts: Options[] = [];
  return {
    clis,
    starts,
    launch: (input) => {
      const cli = clis[starts.length];
      starts.push(input.options);
      if (!cli) return Promise.reject(new Error(`There is no script for start ${starts.length}`));
      return cli.launch(input);
    },
    dispose: () => Promise.all(clis.map((cli) => cli.dispose())),
  };
}

/** Both sides of it. */
export interface SessionScene extends Troupe {
  session: Session;
  events: SessionEvent[];
  messages: SDKMessage[];
  /** How a reader that was there from the start ended. */
  ended: Promise<unknown>;
}

/** Sets the stage for every test of the surrounding block, and sees to it that nothing is left after each. */
export function useSessions(): (
  scripts: readonly (readonly Step[])[],
  input?: Omit<ConversationInput, 'launch'>,
) => SessionScene {
  const scenes: SessionScene[] = [];
  let host: HostWatch | undefined;
  beforeEach(() => {
    host = watchHost();
  });
  afterEach(async () => {
    const played = scenes.splice(0);
    try {
      for (const { session, clis, starts, ended } of played) {
        await session.close();
        await ended;
        expect(clis.slice(0, starts.length).every((cli) => cli.isGone())).toBe(true);
        expect(clis.map((cli) => cli.discards)).toEqual(clis.map((cli) => cli.starts));
      }
      await host?.expectClean();
    } finally {
      host?.stop();
      for (const scene of played) await scene.dispose();
    }
  });
  return (scripts, input = {}) => {
    const troupe = stageTroupe(scripts);
    const session = presentConversation(createConversation({ ...input, launch: troupe.launch }));
    const events: SessionEvent[] = [];
    const messages: SDKMessage[] = [];
    void collect(session.events(), events);
    const scene: SessionScene = {
      ...troupe,
      session,
      events,
      messages,
      ended: collect(session.messages(), messages),
    };
    scenes.push(scene);
    return scene;
  };
}

/** Reads to the end; gives the error it ended with. */
export async function collect<T>(from: AsyncIterable<T>, into: T[]): Promise<unknown> {
  try {
    for await (const item of from) into.push(item);
  } catch (error) {
    return error;
  }
  return undefined;
}
