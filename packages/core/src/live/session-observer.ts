// Lets options carry an observer that keeps a state for each session, however many are started with them: by a pool, a
// group, or one after the other. The options themselves carry it through copies, unseen by their checks.
import { askHereIfWanted } from './watch/ask-here.js';
import { noteGone, noteRunning } from './watch/session-registry.js';
import type { SDKUserMessage } from '../wire/protocol/messages/messages.js';
import { LiveCli } from './live-cli.js';
import type { LiveCliOptions } from './live-cli-options.js';
import type { QueryOptions } from './tooling/name-tools.js';

/** One session under observation. */
export interface ObservedSession<Given extends QueryOptions = QueryOptions> {
  /** Those the session runs with. */
  options: Given;
  /** A CLI of a conversation is gone; `error` is what its messages ended with. The end of the session is told to `onEnd`. */
  onCliEnd: (error: unknown) => void;
  /** Calls of a conversation were completed while it had no CLI; a message for each. */
  onCallsCompleted: (messages: readonly SDKUserMessage[]) => void;
  /** The session was not started, because something it was given is wrong. */
  onRefused: (error: unknown) => void;
}

/** Called once for each session; `isWarm` when its CLI is started before there is a prompt. */
export type ObserveSession = <Given extends QueryOptions>(
  options: Given,
  isWarm: boolean,
) => ObservedSession<Given>;

const OBSERVER = Symbol('observer of sessions');

type Observed = { [OBSERVER]?: ObserveSession };

/** The options with an observer, besides any they have. */
export function withObserver<Given extends QueryOptions>(options: Given, observe: ObserveSession): Given {
  const { [OBSERVER]: present } = options as Observed;
  const observed: Given & Observed = { ...options, [OBSERVER]: present ? join(present, observe) : observe };
  return observed;
}

/** Begins to observe a session; undefined where its options carry no observer. */
export function observeSession(options: QueryOptions, isWarm = false): ObservedSession | undefined {
  return (options as Observed)[OBSERVER]?.(options, isWarm);
}

/** Whether sessions with these options would be observed otherwise than those with the others. */
export function isObservedOtherwise(wanted: QueryOptions, given: QueryOptions): boolean {
  const { [OBSERVER]: observer } = wanted as Observed;
  return observer !== undefined && observer !== (given as Observed)[OBSERVER];
}

/** Starts a CLI that is a session of its own; `origin` is the pool it waits in. Throws for wrong options. */
export function startLiveCli(input: LiveCliOptions, origin?: object): LiveCli {
  const observed = observeSession(input.options, input.prompt === undefined);
  const options = askHereIfWanted(observed?.options ?? input.options);
  let live: LiveCli;
  try {
    live = new LiveCli(options === input.options ? input : { ...input, options });
  } catch (error) {
    observed?.onRefused(error);
    throw error;
  }
  noteRunning(live, origin);
  void live.over.then(() => noteGone(live));
  return live;
}

function join(one: ObserveSession, other: ObserveSession): ObserveSession {
  return (options, isWarm) => {
    const inner = one(options, isWarm);
    const outer = other(inner.options, isWarm);
    return {
      options: outer.options,
      onCliEnd: (error) => {
        inner.onCliEnd(error);
        outer.onCliEnd(error);
      },
      onCallsCompleted: (messages) => {
        inner.onCallsCompleted(messages);
        outer.onCallsCompleted(messages);
      },
      onRefused: (error) => {
        inner.onRefused(error);
        outer.onRefused(error);
      },
    };
  };
}
