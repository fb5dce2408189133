// Goes on with turns that were cut off: those of a CLI that died, and the one that a session finds when it is opened again.
// Prepares the start of a CLI for them: `call-recording` completes their calls. `turn-resumption` resumes them once the CLI is ready.
import { LaunchError } from '../../errors.js';
import { loadPart } from '../../util/load-part.js';
import { randomUUID } from '../../util/random-uuid.js';
import type { LastTurn } from '../../record/history/transcript/transcript-state.js';
import { chooseProjectKey } from '../../options/elsewhere.js';
import { askToGoOn } from '../../options/launch/go-on-variables.js';
import { nameTurn } from '../../live/tooling/call-key.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import { STOPPED_BEFORE, type Completion } from './completion/completion.js';
import type { LostCall } from './completion/lost-calls.js';
import { nameUndelivered, notCompleted } from './continuation-words.js';
import type { RecordingParts } from './recording-parts.js';
import { TurnResumption } from './turn-resumption.js';
import { withdrawalError, type OpenTurn } from './turns/turn.js';

/** What is known once the CLI is ready. */
export interface ReadyFacts {
  conversation: 'resumed' | 'new';
  /** Whether the CLI has begun to work before it was sent a message. */
  isRunning: boolean;
}

/** One per conversation. It is called before and after each start of a CLI. */
export class Continuation {
  readonly #parts: RecordingParts;
  readonly #createTurn: (uuid: string) => OpenTurn;
  readonly #resumption: TurnResumption;
  /** Whether the session was opened with `interrupted: 'continue'`, and no CLI has been ready yet. */
  #isOpening: boolean;
  #opening: Promise<void> | undefined;
  #lastTurn: LastTurn | undefined;
  /** The calls of that turn which only the records know. */
  #lost: readonly LostCall[] = [];
  #found: OpenTurn | undefined;
  /** The version of the last CLI. The next one has the same, unless another is installed meanwhile. */
  #cliVersion: string | undefined;
  /** What became of the calls of the turn to continue, since the last start. */
  #completed: Completion | undefined;
  /** Whether the turn was stopped while there was no CLI. The transcript may not show that. */
  #isStopped = false;
  #failure: Error | undefined;

  constructor(parts: RecordingParts, createTurn: (uuid: string) => OpenTurn) {
    this.#parts = parts;
    this.#createTurn = createTurn;
    this.#resumption = new TurnResumption(parts);
    this.#isOpening = parts.interrupted === 'continue';
  }

  /** Whether the next CLI may have to go on with a turn. */
  get isDue(): boolean {
    return this.#isOpening || this.#parts.turns.continuing.length > 0;
  }

  /** Whether the open turn of the transcript still has to be continued. */
  get isOpening(): boolean {
    return this.#isOpening;
  }

  /** The open turn of the transcript, as far as it is known, until the CLI goes on with it. */
  get found(): OpenTurn | undefined {
    return this.#found;
  }

  /** Why no CLI may be started: another process has the session, or the program that keeps the records will try again. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /**
   * Reads the transcript and completes calls before a CLI changes it. Before the first CLI is ready, this is done only once.
   * Never rejects.
   */
  prepare(sessionId: string | undefined, cliVersion?: string): Promise<void> {
    this.#cliVersion = cliVersion;
    if (!this.#isOpening) return this.#prepare(sessionId);
    this.#opening ??= this.#prepare(sessionId);
    return this.#opening;
  }

  async #prepare(sessionId: string | undefined): Promise<void> {
    const { recording } = this.#parts;
    this.#isStopped = false;
    recording.expect();
    await this.#readLastTurn(sessionId);
    if (this.#isStopped) this.#stop(sessionId ?? '', STOPPED_BEFORE);
    if (this.#isOpening) this.#announce();
    const isRead =
      sessionId !== undefined &&
      this.#isCutOff &&
      this.#lastTurn !== undefined &&
      (await this.#completeCalls(sessionId));
    if (isRead) await this.#recallCalls(sessionId);
    recording.expectNothing();
    this.#expectCalls();
  }

  /**
   * Completes the calls that were cut off, so that the next CLI finds their results in its transcript. Returns false where that
   * has failed.
   */
  async #completeCalls(sessionId: string): Promise<boolean> {
    const { recording, turns, onCompleted, warnings } = this.#parts;
    if (this.#lastTurn?.calls.length === 0) return true;
    this.#completed = undefined;
    try {
      const completion = await recording.complete(sessionId, this.#cliVersion);
      if (!completion) return true;
      this.#completed = completion;
      this.#isStopped = completion.isStopped;
      const { calls } = completion;
      if (completion.isStopped) this.#stop(sessionId, completion);
      else if (calls.length > 0) onCompleted({ ...completion, sessionId }, [...turns.continuing]);
      // The model may make the other calls again, and they keep their keys then.
      for (const { toolUseId, delivered, how } of calls)
        if (delivered && how !== 'notRun' && how !== 'unknown') this.#parts.calls.complete(toolUseId);
      nameUndelivered(calls, warnings);
      // The transcript has changed: it has the results now, or another process has gone on with the turn.
      await this.#readLastTurn(sessionId);
      return true;
    } catch (cause) {
      // Once the conversation is over, nobody reads the error.
      if (!turns.isClosed) this.#noteFailure(cause);
      return false;
    }
  }

  /** Reads which calls of the turn have begun although its transcript does not show them. */
  async #recallCalls(sessionId: string): Promise<void> {
    const last = this.#lastTurn;
    if (!last || !this.#isCutOff) return;
    try {
      // In this process, a message may have a name that no other reads in the transcript.
      const message = this.#isOpening ? undefined : this.#nameOfCut;
      this.#lost = await this.#parts.recording.recall(sessionId, last, message);
    } catch (cause) {
      if (!this.#parts.turns.isClosed) this.#noteFailure(cause);
    }
  }

  /** The name of the message whose turn was cut off in this process. */
  get #nameOfCut(): string | undefined {
    const { calls, turns } = this.#parts;
    return turns.continuing.map(({ uuid }) => calls.names.nameOf(uuid))[0];
  }

  /** Ends the turns that were to be continued. */
  #stop(sessionId: string, completion: Completion): void {
    const { turns, onCompleted } = this.#parts;
    const cut = turns.continuing.splice(0).filter(({ isOver }) => !isOver);
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

  /** Creates the turn before its CLI is started, so that it can wait for a place in its group. */
  #announce(): void {
    const { turns } = this.#parts;
    if (!this.#isCutOff || turns.isClosed) return;
    this.#found = this.#createTurn(this.#lastTurn?.uuid ?? randomUUID());
    // The text of the turn's message is not known here, so the message counts as sent again already.
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

  /** Tells the call ledger which turn goes on, because the CLI may make calls before it is ready. */
  #expectCalls(): void {
    const { calls } = this.#parts;
    const last = this.#lastTurn;
    if (!this.#isCutOff) return;
    if (!this.#isOpening) {
      calls.names.expect(this.#nameOfCut);
      if (last) calls.keepSaved(new Set(last.calls.map(({ toolUseId }) => toolUseId)));
    } else if (last) {
      const lost = this.#lost.map(({ toolName, input }) => ({ toolName, input, hasEnded: false }));
      calls.restore({ message: nameTurn(last), calls: [...last.calls, ...lost] });
      calls.names.expect(nameTurn(last));
    }
  }

  /** The options for the next start. Where a turn was cut off, they make the CLI go on with it by itself. */
  apply(planned: QueryOptions): QueryOptions {
    const options = this.#parts.recording.apply(planned);
    if (!this.isDue || !this.#isCutOff) return options;
    return this.#allowAgain(this.#goOnByItself(options));
  }

  /** Answers the questions about calls that were allowed while there was no CLI, so that no person is asked twice. */
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
    // The CLI may ask the model before its handshake. Servers named only in the handshake would be missing from that request.
    return askToGoOn({ ...options, sdkServerRegistration: 'argv' });
  }

  /** Whether the last turn of the transcript is one to continue. True where the transcript could not be read. */
  get #isCutOff(): boolean {
    const last = this.#lastTurn;
    if (this.#isStopped) return false;
    if (!last) return true;
    if (last.text !== undefined || last.stopped) return false;
    return this.#isOpening || this.#parts.turns.continuing.some(({ message }) => message.uuid === last.uuid);
  }

  /**
   * Takes up the turns that were cut off, once the CLI is ready. Turns that the CLI goes on with count as written; the others
   * wait to be written, or are lost. Returns the turn that was open in the transcript when the session was opened.
   */
  takeUp({ conversation, isRunning }: ReadyFacts): OpenTurn | undefined {
    const { turns, calls } = this.#parts;
    if (!isRunning) calls.names.expect(undefined);
    const last = conversation === 'resumed' ? this.#lastTurn : undefined;
    this.#lastTurn = undefined;
    if (!this.#isOpening) {
      this.#resumption.resumeCut(turns.continuing.splice(0), last, isRunning);
      return undefined;
    }
    this.#isOpening = false;
    const turn = this.#found;
    this.#found = undefined;
    turns.continuing.length = 0;
    // A turn that was stopped while there was no CLI is over, and its readers learn how it ended.
    if (!turn || turn.isOver) return turn;
    // Where the transcript could not be read, the turn is open if the CLI has begun to work on it.
    if (last ? last.text !== undefined || last.stopped : !isRunning) {
      turn.fail(withdrawalError());
      return undefined;
    }
    this.#resumption.resume([turn], { name: last ? nameTurn(last) : turn.uuid, last, isRunning });
    return turn;
  }
}
