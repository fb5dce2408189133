// A conversation as the inspector sees it: one session over all of its CLIs. Made only where a program uses the inspector.
import type { InspectedSession, WireTap } from '../../live/watch/inspected-session.js';
import type { PermissionQuestions } from '../../answer/permissions/permission-questions.js';
import type { LiveCli } from '../../live/live-cli.js';
import { findRedaction, watchPermissions } from '../../live/inspect-live.js';
import { nameTools } from '../../live/tooling/name-tools.js';
import { buildEnvironment } from '../../options/launch/environment.js';
import type { CallRecording } from './call-recording.js';
import type { ConversationControls } from './conversation-controls.js';
import type { ConversationCli } from './conversation-cli.js';
import type { ConversationParts } from './conversation-parts.js';
import type { Turn } from './turns/turn.js';

/** Gets the CLIs of a conversation, one after the other. */
interface CliFollower {
  live(live: LiveCli): void;
  /** Called with the questions that are asked while there is no CLI. */
  asking?(questions: PermissionQuestions): void;
  /** The conversation is over. */
  over(error: unknown): void;
}

/** The followers of one conversation's CLIs. */
export class CliFollowers {
  readonly #followers = new Set<CliFollower>();
  /** The wire taps that get the warnings of the conversation itself. */
  readonly taps = new Set<WireTap>();
  #ending: { error: unknown } | undefined;

  /** Adds a follower. `present` is the CLI that runs now. Returns a function that removes the follower. */
  add(follower: CliFollower, present: LiveCli | undefined): () => void {
    if (this.#ending) {
      follower.over(this.#ending.error);
      return () => {};
    }
    this.#followers.add(follower);
    if (present) follower.live(present);
    return () => this.#followers.delete(follower);
  }

  live(live: LiveCli): void {
    for (const follower of this.#followers) follower.live(live);
  }

  /** Passes on the questions that are asked while there is no CLI. */
  asking(questions: PermissionQuestions): void {
    for (const follower of this.#followers) follower.asking?.(questions);
  }

  /** Passes on a call that was completed while there was no CLI. */
  completed(message: object): void {
    for (const tap of this.taps) tap.completed(message);
  }

  /** Passes on that the conversation has no CLI because it needs none. */
  suspended(waitsFor: Parameters<WireTap['suspended']>[0]): void {
    for (const tap of this.taps) tap.suspended(waitsFor);
  }

  over(error: unknown): void {
    this.#ending = { error };
    for (const follower of this.#followers) follower.over(error);
    this.#followers.clear();
  }
}

/** What the inspector needs of a conversation. */
interface AskedConversation {
  readonly cli: ConversationCli;
  readonly recording: CallRecording;
  readonly controls: ConversationControls;
  send(text: string): Turn;
}

/** Makes the inspector's view of a conversation. */
export function inspectConversation(
  conversation: AskedConversation,
  { options, warnings }: ConversationParts,
  followers: CliFollowers,
): InspectedSession {
  const { cli, controls, recording } = conversation;
  const latest = (): InspectedSession => {
    const live = cli.live ?? cli.lastLive;
    if (!live) throw new Error('The session has had no CLI yet');
    return live.inspected();
  };
  const follow = (
    put: (session: InspectedSession) => () => void,
    over: CliFollower['over'],
  ): (() => void) => {
    let takeOff = (): void => {};
    const leave = followers.add(
      {
        live: (live) => {
          takeOff();
          takeOff = put(live.inspected());
        },
        over,
      },
      cli.live,
    );
    return () => {
      leave();
      takeOff();
    };
  };
  return {
    kind: 'conversation',
    title: options.title,
    environment: () => ({
      ...process.env,
      ...buildEnvironment({ options: nameTools(options), hostEnv: process.env }),
    }),
    redact: findRedaction(options),
    sessionId: () => cli.knownId,
    tap: (tap) => {
      const ofOneCli = withoutOver(tap);
      followers.taps.add(tap);
      warnings.listener = ({ code, message }) => {
        for (const each of followers.taps) each.warning(code, message);
      };
      const end = follow(
        (session) => session.tap(ofOneCli),
        (error) => tap.over(error),
      );
      return () => {
        followers.taps.delete(tap);
        if (followers.taps.size === 0) warnings.listener = undefined;
        end();
      };
    },
    watchQuestions: (listener) => {
      let takeOff = (): void => {};
      const put = (stop: () => void): void => {
        takeOff();
        takeOff = stop;
      };
      const follower: CliFollower = {
        live: (live) => put(live.inspected().watchQuestions(listener)),
        asking: (questions) => put(watchPermissions(questions, listener)),
        over: () => {},
      };
      const leave = followers.add(follower, cli.live);
      if (recording.questions) follower.asking?.(recording.questions);
      return () => {
        leave();
        takeOff();
      };
    },
    pendingCalls: () => recording.pendingResults.list(),
    watchPending: (listener) => recording.pendingResults.watch(listener),
    completeCall: (callKey, how, by) => recording.pendingResults.complete(callKey, how, by),
    request: (request) => controls.request(request),
    send: async (text) => {
      // The inspector sees the turn on the wire.
      conversation.send(text);
    },
    can: () => {
      const isOpen = cli.state !== 'closed';
      return { send: isOpen, control: isOpen, rewind: isOpen && options.enableFileCheckpointing === true };
    },
    serverNames: () => latest().serverNames(),
    askServer: async (server, message) => await latest().askServer(server, message),
  };
}

/** A tap that is not told of the end of a single CLI, because that is not the end of the conversation. */
function withoutOver(tap: WireTap): WireTap {
  return {
    begin: (facts) => tap.begin(facts),
    line: (direction, line) => tap.line(direction, line),
    fault: (code, message) => tap.fault(code, message),
    mark: (type) => tap.mark(type),
    completed: (message) => tap.completed(message),
    end: (end) => tap.end(end),
    suspended: (waitsFor) => tap.suspended(waitsFor),
    warning: (code, message) => tap.warning(code, message),
    over: () => {},
  };
}
