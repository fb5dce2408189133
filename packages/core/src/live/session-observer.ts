// Lets options carry an observer. It is called for each session that is started with these options, also by a pool or a group.
// The observer stays on the options when they are copied, and the checks of options do not see it.
import { askHereIfWanted } from './watch/ask-here.js';
import { noteGone, noteRunning } from './watch/session-registry.js';
import type { SDKUserMessage } from '../wire/protocol/messages/messages.js';
import { LiveCli } from './live-cli.js';
import type { LiveCliOptions } from './live-cli-options.js';
import type { QueryOptions } from './tooling/name-tools.js';

/** One session under observation. */
export interface ObservedSession<Given extends QueryOptions = QueryOptions> {
  /** The options that the session runs with. */
  options: Given;
  /**
   * Called when a CLI of a conversation is gone. `error` is the error with which its messages ended. The end of the session
   * itself is reported to the option `onEnd`.
   */
  onCliEnd: (error: unknown) => void;
  /** Called when calls of a conversation were completed while it had no CLI. Gets one message for each call. */
  onCallsCompleted: (messages: readonly SDKUserMessage[]) => void;
  /** Called if the session was not started, because its input was wrong. */
  onRefused: (error: unknown) => void;
}

/** Called once for each session. `isWarm` is set if the CLI is started before there is a prompt. */
export type ObserveSession = <Given extends QueryOptions>(
  options: Given,
  isWarm: boolean,
) => ObservedSession<Given>;

const OBSERVER = Symbol('observer of sessions');

type Observed = { [OBSERVER]?: ObserveSession };

/** Adds an observer to the options, besides any that they already have. */
export function withObserver<Given extends QueryOptions>(options: Given, observe: ObserveSession): Given {
  const { [OBSERVER]: present } = options as Observed;
  const observed: Given & Observed = { ...options, [OBSERVER]: present ? join(present, observe) : observe };
  return observed;
}

/** Begins to observe a session. Undefined if its options carry no observer. */
export function observeSession(options: QueryOptions, isWarm = false): ObservedSession | undefined {
  return (options as Observed)[OBSERVER]?.(options, isWarm);
}

/** Whether `wanted` carries an observer that `given` does not carry. */
export function isObservedOtherwise(wanted: QueryOptions, given: QueryOptions): boolean {
  const { [OBSERVER]: observer } = wanted as Observed;
  return observer !== undefined && observer !== (given as Observed)[OBSERVER];
}

/** Starts a CLI that is a session of its own. `origin` is the pool that starts it. Throws if an option is wrong. */
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
