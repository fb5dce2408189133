// Goes on with turns that were cut off: those of a CLI that died, and the one that a session finds when it is opened
// again. The CLI does so by itself where its version can; an older one is asked to by a message.
import { LaunchError } from '../../errors.js';
import { loadPart } from '../../util/load-part.js';
import { randomUUID } from '../../util/random-uuid.js';
import type { LastTurn } from '../../record/history/transcript/transcript-state.js';
import { chooseProjectKey } from '../../options/elsewhere.js';
import { userMessageOf } from '../../live/input/user-message.js';
import { nameTurn } from '../../live/tooling/call-key.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import type { Completion } from './completion/call-completion.js';
import { describeCut, nameUndelivered, notCompleted } from './continuation-words.js';
import type { RecordingParts } from './recording-parts.js';
import { withdrawalError, type OpenTurn } from './turns/turn.js';

/** Make a resumed CLI go on by itself, and tell the model of the calls whose outcome is unknown. Those that do not know them ignore them. */
const VARIABLES = {
  CLAUDE_CODE_RESUME_INTERRUPTED_TURN: '1',
  CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS: '1',
};

const NOTHING_COMPLETED: Completion = {
  calls: [],
  written: [],
  isStopped: true,
  allowed: new Map(),
};

/** What is known once the CLI is ready. */
export interface ReadyFacts {
  conversation: 'resumed' | 'new';
  /** Whether the CLI has begun to work without being asked. */
  isRunning: boolean;
}

/** One per conversation; asked before and after each start of its CLI. */
export class Continuation {
  readonly #parts: RecordingParts;
  readonly #createTurn: (uuid: string) => OpenTurn;
  /** Whether the session was opened to go on with what its transcript has open, and has not been started yet. */
  #isOpening: boolean;
  #opening: Promise<void> | undefined;
  #lastTurn: LastTurn | undefined;
  #found: OpenTurn | undefined;
  /** Of the last CLI: the next one is the same, unless somebody installs another meanwhile. */
  #cliVersion: string | undefined;
  /** What became of the calls of the turn to continue, since the last start. */
  #completed: Completion | undefined;
  /** Somebody stopped the turn while there was no CLI, and perhaps nothing to write that to. */
  #isStopped = false;
  #failure: Error | undefined;
  #hasNamedObstacle = false;

  constructor(parts: RecordingParts, createTurn: (uuid: string) => OpenTurn) {
    this.#parts = parts;
    this.#createTurn = createTurn;
    this.#isOpening = parts.interrupted === 'continue';
  }

  /** Whether the next CLI may have to go on with a turn. */
  get isDue(): boolean {
    return this.#isOpening || this.#parts.turns.continuing.length > 0;
  }

  /** Whether what the transcript has open is still to be taken up. */
  get isOpening(): boolean {
    return this.#isOpening;
  }

  /** The turn that the transcript has open, as far as is known, until the CLI goes on with it. */
  get found(): OpenTurn | undefined {
    return this.#found;
  }

  /** Why no CLI may be started: another process has the session, or whoever started this one tries again. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Reads how the conversation stands, before a CLI changes that; of one that is being opened once. Never rejects. */
  prepare(sessionId: string | undefined, cliVersion?: string): Promise<void> {
    this.#cliVersion = cliVersion;
    if (!this.#isOpening) return this.#prepare(sessionId);
    this.#opening ??= this.#prepare(sessionId);
    return this.#opening;
  }

  async #prepare(sessionId: string | undefined): Promise<void> {
    this.#isStopped = false;
    await this.#readLastTurn(sessionId);
    if (this.#isStopped) this.#stop(sessionId ?? '', NOTHING_COMPLETED);
    if (this.#isOpening) this.#announce();
    if (sessionId !== undefined && this.#isCutOff && this.#lastTurn) await this.#completeCalls(sessionId);
    this.#expectCalls();
  }

  /** Before a CLI is started: it finds the results of calls that were cut off in its transcript. */
  async #completeCalls(sessionId: string): Promise<void> {
    const { recording, turns, onCompleted, warnings } = this.#parts;
    if (this.#lastTurn?.calls.length === 0) return;
    this.#completed = undefined;
    try {
      const completion = await recording.complete(sessionId, this.#cliVersion);
      if (!completion) return;
      this.#completed = completion;
      this.#isStopped = completion.isStopped;
      const { calls } = completion;
      if (completion.isStopped) this.#stop(sessionId, completion);
      else if (calls.length > 0) onCompleted({ ...completion, sessionId }, [...turns.continuing]);
      nameUndelivered(calls, warnings);
      // It has results now; or another process has completed them, and perhaps gone on with the turn to its end.
      await this.#readLastTurn(sessionId);
    } catch (cause) {
      // A conversation that is over completes nothing, and has nobody to tell.
      if (!turns.isClosed) this.#noteFailure(cause);
    }
  }

  /** Nobody goes on with these turns. */
  #stop(sessionId: string, completion: Completion): void {
    const { turns, onCompleted } = this.#parts;
    const cut = turns.continuing.splice(0);
    if (cut.length > 0 || completion.calls.length > 0) onCompleted({ ...completion, sessionId }, cut);
  }

  #noteFailure(cause: unknown): void {
    const { recording, warnings } = this.#parts;
    if (cause instanceof LaunchError) {
      this.#failure = cause;
      return;
    }
    const failure = notCompleted('their outcome is unknown', cause);
    if (recording.isFollowed) this.#failure = failure;
    else warnings.report(failure);
  }

  /** The turn is there before its CLI, so that it can wait for a place among others. */
  #announce(): void {
    const { turns } = this.#parts;
    if (!this.#isCutOff || turns.isClosed) return;
    this.#found = this.#createTurn(this.#lastTurn?.uuid ?? randomUUID());
    // Its words are not known here, so it cannot be sent another time.
    this.#found.resent = true;
    turns.continuing.push(this.#found);
  }

  async #readLastTurn(sessionId: string | undefined): Promise<void> {
    this.#lastTurn = undefined;
    if (sessionId === undefined) return;
    const { cwd, env, extendEnv, sessionStore } = this.#parts.options;
    const projectKey = chooseProjectKey(this.#parts.options);
    try {
      const history = await loadPart(() => import('../../record/history/sessions/transcript-state.js'));
      const read = (): Promise<LastTurn | undefined> =>
        history.readLastTurn(sessionId, {
          ...(sessionStore ? { sessionStore, projectKey, dir: cwd } : {}),
          env: env ?? { ...process.env, ...extendEnv },
        });
      this.#lastTurn = await this.#parts.recording.patiently(read);
    } catch (cause) {
      this.#isStopped ||= this.#parts.recording.wasStopped;
      if (this.#isStopped || this.#parts.turns.isClosed) return;
      const message = 'The transcript could not be read, so only the CLI knows whether a turn was cut off';
      this.#parts.warnings.report(new Error(message, { cause }));
    }
  }

  /** The CLI may make calls before it counts as ready. */
  #expectCalls(): void {
    const { calls, turns } = this.#parts;
    const last = this.#lastTurn;
    if (!this.#isCutOff) return;
    if (!this.#isOpening) calls.names.expect(turns.continuing.map(({ uuid }) => calls.names.nameOf(uuid))[0]);
    else if (last) {
      calls.restore({ message: nameTurn(last), calls: last.calls });
      calls.names.expect(nameTurn(last));
    }
  }

  /** The options of a start: with what makes the CLI go on by itself, where that is wanted. */
  apply(planned: QueryOptions): QueryOptions {
    const options = this.#parts.recording.apply(planned);
    if (!this.isDue || !this.#isCutOff) return options;
    return this.#allowAgain(this.#goOnByItself(options));
  }

  /** Calls that were allowed while there was no CLI are not asked about another time. */
  #allowAgain(options: QueryOptions): QueryOptions {
    const allowed = new Map(this.#completed?.allowed);
    const { canUseTool } = options;
    if (allowed.size === 0 || !canUseTool) return options;
    return {
      ...options,
      canUseTool: async (toolName, input, question) => {
        const answer = allowed.get(question.callKey ?? '');
        allowed.delete(question.callKey ?? '');
        return answer ?? (await canUseTool(toolName, input, question));
      },
    };
  }

  #goOnByItself(options: QueryOptions): QueryOptions {
    // It may ask the model before the handshake has told it of in-process servers: then the model had none of their tools.
    const early: QueryOptions = { ...options, sdkServerRegistration: 'argv' };
    return options.env
      ? { ...early, env: { ...options.env, ...VARIABLES } }
      : { ...early, extendEnv: { ...options.extendEnv, ...VARIABLES } };
  }

  /** Whether the turn to continue is the last one; as far as is known. */
  get #isCutOff(): boolean {
    const last = this.#lastTurn;
    if (this.#isStopped) return false;
    if (!last) return true;
    if (last.text !== undefined || last.stopped) return false;
    return this.#isOpening || this.#parts.turns.continuing.some(({ message }) => message.uuid === last.uuid);
  }

  /** The CLI is ready: turns that it goes on with count as written, others wait to be written, or are lost. Gives the turn that a session found when it was opened. */
  takeUp({ conversation, isRunning }: ReadyFacts): OpenTurn | undefined {
    const { turns, calls } = this.#parts;
    if (!isRunning) calls.names.expect(undefined);
    const last = conversation === 'resumed' ? this.#lastTurn : undefined;
    this.#lastTurn = undefined;
    if (!this.#isOpening) {
      this.#continueCut(turns.continuing.splice(0), last, isRunning);
      return undefined;
    }
    this.#isOpening = false;
    const turn = this.#found;
    this.#found = undefined;
    turns.continuing.length = 0;
    // Stopped while there was no CLI: it is over, and whoever waits for it reads how.
    if (!turn || turn.isOver) return turn;
    // Without a transcript the CLI knows best.
    if (last ? last.text !== undefined || last.stopped : !isRunning) {
      turn.fail(withdrawalError());
      return undefined;
    }
    this.#goOn([turn], { name: last ? nameTurn(last) : turn.uuid, last, isRunning });
    return turn;
  }

  /** Turns of a CLI that died: their calls are still known here. */
  #continueCut(cut: readonly OpenTurn[], last: LastTurn | undefined, isRunning: boolean): void {
    const { turns, calls } = this.#parts;
    const [first] = cut;
    if (!first) return;
    const isSaved = isRunning || cut.some(({ message }) => message.uuid === last?.uuid);
    if (isSaved && (isRunning || (last?.text === undefined && last?.stopped === false))) {
      this.#goOn(cut, { name: calls.names.nameOf(first.uuid), last, isRunning });
      return;
    }
    for (const turn of cut.toReversed()) {
      // What was answered, or may have done something, is not asked once more.
      if (isSaved || turn.toolsUsed) turns.lose(turn);
      else turns.sendAgain(turn);
    }
  }

  /** Where nothing can be written, the model does not get the results of calls that were cut off. */
  #nameObstacle(cut: readonly OpenTurn[], last: LastTurn | undefined): void {
    const { recording, warnings } = this.#parts;
    const { obstacle } = recording;
    const hadCalls = last ? last.calls.length > 0 : cut.some(({ toolsUsed }) => toolsUsed);
    if (obstacle === undefined || !hadCalls || this.#hasNamedObstacle) return;
    this.#hasNamedObstacle = true;
    warnings.report(notCompleted(`there is nothing to write their results to, because ${obstacle}`));
  }

  #goOn(
    cut: readonly OpenTurn[],
    { name, last, isRunning }: { name: string; last: LastTurn | undefined; isRunning: boolean },
  ): void {
    const { turns, calls } = this.#parts;
    this.#nameObstacle(cut, last);
    if (isRunning) {
      for (const turn of cut) turns.written.resume(turn);
      return;
    }
    const [first, ...others] = cut;
    if (!first) return;
    // Messages that were answered together: one of them stands for all.
    for (const turn of others) turns.lose(turn);
    first.message = { ...userMessageOf(describeCut(last)), uuid: randomUUID() };
    calls.names.rename(first.message.uuid, name);
    turns.waiting.unshift(first);
  }
}
