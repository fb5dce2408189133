// Presents a live CLI to the inspector: taps on its wire, its open questions, and the requests it takes.
import type { CliFacts, InspectedSession, QuestionListener, WireTap } from './watch/inspected-session.js';
import { CallError } from '../errors.js';
import type { PermissionQuestions } from '../answer/permissions/permission-questions.js';
import { buildEnvironment } from '../options/launch/environment.js';
import type { Options } from '../options/options.js';
import { findRedactProblem } from '../util/redact-problem.js';
import type { PermissionResult } from '../wire/protocol/control/permission-question.js';
import { userMessageOf } from './input/user-message.js';
import type { Prompt } from './input/prompt-source.js';
import { readHost } from './launch-host.js';
import type { LiveParts } from './live-parts.js';
import type { PromptView } from './input/input-state.js';
import type { Connection, ConnectionView, EndView, ProgressView } from './live-state.js';
import type { VersionView } from './live-version.js';

/** The state that describes a CLI. */
interface CliState {
  version: VersionView;
  connection: ConnectionView;
}

/** Describes a CLI that is connected. */
export function describeCli({ version, connection }: CliState, { cwd, transport }: Options): CliFacts {
  return {
    claudeCodeVersion: version.known ?? transport?.claudeCodeVersion ?? null,
    pid: connection.transport?.pid ?? null,
    cwd: cwd ?? readHost().workingDirectory ?? null,
  };
}

/** The CLI's own methods that the inspector calls. */
interface AskedCli {
  request(request: { subtype: string }): Promise<unknown>;
  streamInput(prompt: Prompt): Promise<void>;
}

/** The state that the inspector shows. Taps are put on the connection in it. */
interface InspectedState extends CliState {
  connection: Connection;
  prompt: PromptView;
  progress: ProgressView;
  end: EndView;
}

export function inspectLive(live: AskedCli, state: InspectedState, parts: LiveParts): InspectedSession {
  const { prompt, progress, end } = state;
  const { options, tools, lifetime, router } = parts;
  return {
    get kind() {
      return prompt.isGiven || !prompt.isDue ? 'query' : 'warm';
    },
    title: options.title,
    environment: () => ({ ...process.env, ...buildEnvironment({ options, hostEnv: process.env }) }),
    redact: findRedaction(options),
    sessionId: () => router.sessionId,
    tap: (tap) => putOn(tap, state, parts),
    watchQuestions: (listener) => watchQuestions(parts, listener),
    // Only a conversation waits for results that come later.
    pendingCalls: () => [],
    watchPending: () => () => {},
    completeCall: async (callKey) => {
      throw new CallError(
        'CALL_UNKNOWN',
        callKey,
        `A query has no pending calls, so not "${callKey}" either.`,
      );
    },
    request: (request) => live.request(request),
    send: (text) => live.streamInput([userMessageOf(text)]),
    can: () => {
      const control = progress.isLaunched && !end.isEnding && !lifetime.inputEnded;
      const rewind = control && options.enableFileCheckpointing === true;
      return { control, send: control && !prompt.isDue, rewind };
    },
    serverNames: () => tools.serverNames,
    askServer: async (server, message) => await tools.ask(server, message),
  };
}

/** Returns the rule by which the trace of a session hides values. Undefined if the options have none. */
export function findRedaction({ trace }: Pick<Options, 'trace'>): InspectedSession['redact'] {
  if (typeof trace !== 'object' || !('redact' in trace)) return undefined;
  // In a caller's own sink, `redact` may be anything, such as a method.
  return findRedactProblem(trace.redact) === undefined ? trace.redact : undefined;
}

function putOn(tap: WireTap, state: InspectedState, { options, warnings }: LiveParts): () => void {
  const { connection, end } = state;
  if (end.isOver) {
    tap.over(undefined);
    return () => {};
  }
  const fan = connection.tap instanceof TapFan ? connection.tap : new TapFan();
  fan.taps.add(tap);
  if (connection.transport) tap.begin({ ...describeCli(state, options), isLate: true });
  connection.tap = fan;
  warnings.listener = ({ code, message }, isFault) =>
    isFault ? fan.fault(code, message) : fan.warning(code, message);
  return () => {
    fan.taps.delete(tap);
    if (fan.taps.size > 0 || connection.tap !== fan) return;
    connection.tap = undefined;
    warnings.listener = undefined;
  };
}

/** Watches the permission questions of a CLI, or of a conversation that has no CLI at the moment. */
export function watchPermissions(permissions: PermissionQuestions, listener: QuestionListener): () => void {
  return permissions.watch({
    asked: (id, question) =>
      listener.asked({
        id,
        kind: 'permission',
        request: question.asked,
        askedAt: question.askedAt,
        attempt: permissions.attemptOf(question),
        settle: (answer, by) => permissions.settle(id, answer as PermissionResult, by),
      }),
    settled: (id, how) => listener.settled(id, how),
  });
}

function watchQuestions({ permissions, dialogs }: LiveParts, listener: QuestionListener): () => void {
  const settled: QuestionListener['settled'] = (id, how) => listener.settled(id, how);
  const ends = [
    watchPermissions(permissions, listener),
    dialogs.watch({
      asked: (id, { kind, asked, askedAt }) =>
        listener.asked({
          id,
          kind,
          request: asked,
          askedAt,
          attempt: 1,
          settle: (answer, by) => dialogs.settle(id, answer, by),
        }),
      settled,
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Joins several taps on one wire, and passes everything to each. It is made with the first tap. */
class TapFan implements WireTap {
  readonly taps = new Set<WireTap>();

  begin(facts: Parameters<WireTap['begin']>[0]): void {
    for (const tap of this.taps) tap.begin(facts);
  }

  line(direction: 'in' | 'out', line: string): void {
    for (const tap of this.taps) tap.line(direction, line);
  }

  fault(code: string, message: string): void {
    for (const tap of this.taps) tap.fault(code, message);
  }

  mark(type: 'input-end' | 'terminate'): void {
    for (const tap of this.taps) tap.mark(type);
  }

  completed(message: object): void {
    for (const tap of this.taps) tap.completed(message);
  }

  end(end: Parameters<WireTap['end']>[0]): void {
    for (const tap of this.taps) tap.end(end);
  }

  suspended(waitsFor: Parameters<WireTap['suspended']>[0]): void {
    for (const tap of this.taps) tap.suspended(waitsFor);
  }

  warning(code: string, message: string): void {
    for (const tap of this.taps) tap.warning(code, message);
  }

  over(error: unknown): void {
    for (const tap of this.taps) tap.over(error);
  }
}
