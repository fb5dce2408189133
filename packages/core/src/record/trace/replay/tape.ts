// Opens a trace as a tape. The tape plays the CLI's side of a session against the user's own program, without a CLI.
import { InboardError } from '../../../errors.js';
import type { SDKUserMessage } from '../../../wire/protocol/messages/messages.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { Transport, TransportFactory } from '../../../wire/transport/transport.js';
import { readTrace } from '../read-trace.js';
import { createComparison, type CompareOptions, type ReplayReport } from './replay-report.js';
import { TapeMatches, type TapeModes } from './tape-matches.js';
import { TapePlayer } from './tape-player.js';
import { isReadOnly, readScript, type TapeScript } from './tape-script.js';
import type { Trace } from '../trace-event.js';
import { readWireAnswer } from '../timeline/wire-question.js';
import { withoutUndefined } from '../../../util/without-undefined.js';

/** How a tape is played. */
export interface TapeOptions extends CompareOptions {
  /** `live` runs the program's tools and compares; `taped` uses the recorded answers and runs none. Default `live`. */
  tools?: 'live' | 'taped' | undefined;
  /** The same choice for `canUseTool`. Default: the value of `tools`. */
  permissions?: 'live' | 'taped' | undefined;
  /** The same choice for hooks. Default: the value of `tools`. */
  hooks?: 'live' | 'taped' | undefined;
  /** The same choice for elicitations and dialogs. Default: the value of `tools`. */
  dialogs?: 'live' | 'taped' | undefined;
  /**
   * How many milliseconds to wait for something that the tape expects, such as a live tool's answer. After that the query
   * ends with a ReplayError. With 0, there is no limit. Default 30000.
   */
  waitMs?: number | undefined;
}

/** A tape, for one query. */
export interface Tape {
  /** The recorded user messages, each when it is due. Pass this to the query, or a prompt of your own. */
  readonly prompt: AsyncIterable<SDKUserMessage>;
  /** The value for the option `transport`. It serves one query. */
  readonly transport: TransportFactory;
  readonly trace: Trace;
  /** The result so far. It is complete once the query is over. */
  report(): ReplayReport;
}

const WAIT_MS = 30_000;

/**
 * Opens a trace for one replay. `source` is a file or a trace in memory. Rejects with a TraceError for a file that is not
 * a trace.
 */
export async function openTape(source: string | Trace, options: TapeOptions = {}): Promise<Tape> {
  const trace = typeof source === 'string' ? await readTrace(source) : source;
  const { tools = 'live', permissions = tools, hooks = tools, dialogs = tools, waitMs = WAIT_MS } = options;
  const modes: TapeModes = { tools, permissions, hooks, dialogs };
  const script = readScript(trace);
  const matches = new TapeMatches({
    script,
    modes,
    compare: createComparison(options),
    tapedReplies: findReplies(trace, script),
  });
  const player = new TapePlayer({ trace, matches, waitMs });
  let isTaken = false;
  const connect = (): Transport => {
    if (isTaken) {
      throw new InboardError(
        'ALREADY_OPEN',
        'A tape can be used for one query only. Open it again with openTape() for another.',
      );
    }
    isTaken = true;
    return player.transport;
  };
  const version = trace.header.claudeCodeVersion;
  return {
    trace,
    transport: version === null ? connect : Object.assign(connect, { claudeCodeVersion: version }),
    prompt: { [Symbol.asyncIterator]: () => playPrompt(player, matches) },
    report() {
      // The recorded program did not wait for the frames after it ended the CLI, so they are not missing.
      const left = trace.steps.findIndex(({ type }) => type === 'terminate');
      const missing = matches.listMissing(player.isFinished && left >= 0 ? left : Infinity);
      const { differences, unexpected, compared } = matches;
      const { isFinished: finished, error } = player;
      return withoutUndefined({
        ok: finished && differences.length + missing.length + unexpected.length === 0,
        finished,
        compared,
        differences: [...differences],
        missing,
        unexpected: [...unexpected],
        error,
      });
    },
  };
}

async function* playPrompt(
  player: TapePlayer,
  { users }: TapeMatches,
): AsyncGenerator<SDKUserMessage, void, undefined> {
  for (const [index, { frame }] of users.entries()) {
    // The first message follows the handshake, as in the recording.
    if (index > 0) await player.userDue[index]?.promise;
    if (player.isOver) return;
    yield withoutMadeUpId(frame) as unknown as SDKUserMessage;
  }
  await player.userDue[users.length]?.promise;
}

/** The fields of a message that the program gave as a text. The session made the id of such a message. */
const TEXT_MESSAGE = ['client_composed', 'message', 'parent_tool_use_id', 'session_id', 'type', 'uuid'];

/**
 * Removes an id that the session made. Otherwise it would count as an id of the program, and the program would get
 * reports about it that it never got in the recording.
 */
function withoutMadeUpId(frame: WireObject): WireObject {
  const { uuid: _, ...rest } = frame;
  const isText =
    frame['session_id'] === '' && Object.keys(frame).every((name) => TEXT_MESSAGE.includes(name));
  return isText ? rest : frame;
}

/** The last recorded answer to each kind of read-only request. */
function findReplies({ steps }: Trace, script: TapeScript): Map<string, WireObject> {
  const replies = new Map<string, WireObject>();
  for (const step of steps) {
    if (step.type !== 'frame' || step.dir !== 'in' || !step.frame) continue;
    const answer = readWireAnswer(step.frame);
    const question = answer && script.requests.get(answer.requestId)?.question;
    if (question && isReadOnly(question.subtype)) replies.set(question.subtype, step.frame);
  }
  return replies;
}
