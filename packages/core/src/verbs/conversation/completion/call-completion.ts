// Completes the calls that were cut off with a CLI or its host, before the next CLI is started. Each call gets its true result,
// written into the transcript that the CLI reads. Only one process does so at a time, under a claim (`completion-claim`).
// `settle-call` finds out what becomes of each call.
import { AbortError, type LaunchError } from '../../../errors.js';
import { foldFacts, type KnownCalls } from '../../../record/calls/fold-facts.js';
import type { Options } from '../../../options/options.js';
import type { WarningReporter } from '../../../options/check/warning-reporter.js';
import { clock } from '../../../util/system/clock.js';
import type { CallIdentity } from '../../../wire/protocol/call-identity.js';
import type { CallClaim, CallRecords } from '../../../wire/protocol/config/call-records.js';
import type { PermissionUpdate } from '../../../wire/protocol/control/permissions.js';
import { runAfterHooks } from './after-hooks.js';
import { AskedAgain, type QuestionedCalls } from './ask-again.js';
import type { SessionUser } from './await-no-cli.js';
import { CallRunner } from './call-runner.js';
import { NOTHING_COMPLETED, STOPPED_BEFORE, type Completion } from './completion.js';
import { CompletionClaim, refuseRunning } from './completion-claim.js';
import { matchRecords } from './match-records.js';
import type { Patience } from './patience.js';
import type { PermissionChanges } from './permission-changes.js';
import type { RecordedCalls } from './recorded-calls.js';
import { findSettingsHooks } from './settings-hooks.js';
import { CallSettler, type SettledCall } from './settle-call.js';
import type { CutTranscript, TranscriptPlace, TranscriptResult } from './transcript-place.js';

export interface CompletionInput {
  readonly sessionId: string;
  /** The options of the conversation, with the servers it has now. */
  readonly options: Options;
  readonly warnings: WarningReporter;
  readonly records: CallRecords;
  /** Undefined where this process only reads the records. */
  readonly recorder: RecordedCalls | undefined;
  readonly place: TranscriptPlace;
  /** The name of this process in facts. */
  readonly owner: string;
  /** Ends every wait when the session is closed or the turn is stopped. */
  readonly patience: Patience;
  /** The questions of a CLI that was let go; undefined where the CLI ended in another way. */
  readonly held?: AskedAgain | undefined;
  /** Gets the permissions that people changed with their answers. */
  readonly changes: PermissionChanges;
  /** Called with the hooks of settings files that a CLI would have run after a call. */
  readonly onHooksMissed: (hooks: readonly string[]) => void;
}

/** How long a turn that was stopped waits for its records and its transcript. */
const STOP_MS = 10_000;

/** The calls of a transcript, without its entries. */
type CutCalls = Omit<CutTranscript, 'write'>;

/** Completes the calls of one session, once. Its maker closes it, and releases it once a CLI has the session. */
export class CallCompletion {
  readonly #input: CompletionInput;
  readonly #records: CallRecords;
  readonly #runner: CallRunner;
  readonly #asked: AskedAgain;
  readonly #settler: CallSettler;
  readonly #claim: CompletionClaim;
  /** The permissions that people changed with their answers, by the keys of the calls. */
  readonly #updates = new Map<string, readonly PermissionUpdate[]>();
  #identities: ReadonlyMap<string, CallIdentity> = new Map();
  #isWriting = false;
  /** The message of the turn, if records cover that turn. */
  #covered: string | undefined;

  constructor(input: CompletionInput) {
    this.#input = input;
    const { options, warnings, sessionId, recorder, records, owner, patience } = input;
    this.#records = {
      readOnly: records.readOnly,
      add: (fact) => records.add(fact),
      load: () => patience.try(() => records.load()),
      claim: (wanted) => records.claim(wanted),
      ...(records.watch && { watch: records.watch.bind(records) }),
    };
    this.#claim = new CompletionClaim({
      records,
      owner,
      patience,
      onLost: () => this.close(this.#lost()),
    });
    const identify = ({ toolUseId }: { toolUseId: string | undefined }): CallIdentity =>
      this.#identities.get(String(toolUseId)) ?? { callKey: String(toolUseId), attempt: 1 };
    const ownRecorder = recorder?.identifiedBy(identify);
    this.#runner = new CallRunner({ options, warnings, sessionId, identify, recorder: ownRecorder });
    const questioned: QuestionedCalls = {
      identify,
      findInputProblem: (toolName, given) => this.#runner.findInputProblem(toolName, given),
    };
    this.#asked = input.held ?? new AskedAgain({ options, warnings, sessionId, ...questioned });
    this.#asked.serve(questioned);
    const { signal, ending } = patience;
    this.#settler = new CallSettler({
      review: (call, result) => runAfterHooks({ options, warnings, sessionId, signal: ending }, call, result),
      records: this.#records,
      recorder,
      owner,
      runner: this.#runner,
      asked: this.#asked,
      signal,
      isInterrupted: () => patience.isInterrupted,
      onAllowed: (callKey, updates) => this.#updates.set(callKey, updates),
    });
  }

  /** The questions that wait for an answer. */
  get questions(): AskedAgain['questions'] {
    return this.#asked.questions;
  }

  /**
   * Completes what can be completed. Calls `onFound` before anything is asked or run. Keeps the claim until
   * `release`, so that no other process goes on meanwhile. Rejects with the reason of `close`, with the error of the
   * records or the transcript, and with a LaunchError where another process has the session and keeps it.
   */
  async run(onFound: () => void = () => {}): Promise<Completion> {
    try {
      return await this.#run(onFound);
    } catch (error) {
      await this.release();
      if (!this.#input.patience.isInterrupted) throw error;
      const stopped = this.#isWriting ? STOPPED_BEFORE : await this.#runStopped(onFound);
      await this.#input.recorder?.pending.withdrawForgotten();
      return stopped;
    }
  }

  /**
   * Begins again after the turn was stopped while its calls were being read, so that the transcript says so. If that takes too
   * long, or another process has the session, the turn is over nevertheless.
   */
  async #runStopped(onFound: () => void): Promise<Completion> {
    const { patience } = this.#input;
    const timer = clock.setTimeout(() => patience.end(new AbortError('The turn was interrupted')), STOP_MS);
    try {
      return await this.#run(onFound);
    } catch {
      await this.release();
      return STOPPED_BEFORE;
    } finally {
      clock.clearTimeout(timer);
    }
  }

  async #run(onFound: () => void): Promise<Completion> {
    const { place, patience, records } = this.#input;
    const claim = await this.#claim.take();
    const known = foldFacts(await this.#records.load());
    this.#remember(known);
    // Records that are only read here belong to a program that fences its sessions itself.
    if (records.readOnly !== true) {
      const user = await place.free(known, patience);
      if (user) throw this.#describeUser(user);
    }
    const cut = await this.#readCut();
    // Once the session is closed, another process may go on with it: ask its questions and run its calls. This one must not.
    patience.ending.throwIfAborted();
    if (!cut || cut.calls.length === 0) return NOTHING_COMPLETED;
    onFound();
    return await this.#complete(cut, claim);
  }

  /** Reads which calls were cut off. The entries of the transcript are not held, because a person may take days. */
  async #readCut(): Promise<CutCalls | undefined> {
    const { place, patience } = this.#input;
    const transcript = await patience.try(() => place.open());
    return transcript && { calls: transcript.calls, keys: transcript.keys, messages: transcript.messages };
  }

  #describeUser({ who, isCertain }: SessionUser): Error {
    const { sessionId } = this.#input;
    return isCertain
      ? refuseRunning(sessionId, who)
      : new Error(`Nothing can be written into the transcript: ${who}`);
  }

  /** Records the process id of the CLI that goes on, so that other processes find it, and gives up the claim. */
  async noteCli(pid: number | undefined): Promise<void> {
    if (pid !== undefined) await this.#input.recorder?.noteCli(this.#covered ?? '', pid);
    await this.release();
  }

  /** Gives up the claim: another process may complete the calls of the session. Never rejects. */
  release(): Promise<void> {
    return this.#claim.release();
  }

  /** Ends the questions that wait and the calls that run. Nothing is written after that. */
  close(reason: Error): void {
    this.#input.patience.end(reason);
    this.#runner.close(reason);
    this.#asked.close(reason);
  }

  /** Passes what is known of each call to the recorder, so that a repeated call gets what its tool's `onRepeat` wants. */
  #remember(known: KnownCalls): void {
    for (const { callKey, begun, isWaiting, ended } of known.list())
      if (begun)
        this.#input.recorder?.earlier.remember(callKey, {
          begunAt: begun.at,
          isWaiting,
          result: ended?.result,
        });
  }

  async #complete(cut: CutCalls, claim: CallClaim): Promise<Completion> {
    const { patience, changes } = this.#input;
    const known = foldFacts(await this.#records.load());
    patience.ending.throwIfAborted();
    const calls = matchRecords(cut.calls, cut.keys, known);
    this.#identities = countAttempts(calls, known, (toolUseId) => this.#asked.isHeld(toolUseId));
    this.#covered = cut.messages.find((message) => known.covers(message));
    const isCovered = this.#covered !== undefined;
    const settled = await Promise.all(
      calls.map((call) => this.#settler.settle({ ...call, isCovered }, known)),
    );
    patience.ending.throwIfAborted();
    // The permissions come before the results, so that none is lost if this process ends between the two steps.
    await changes.take([...this.#updates.values()].flat());
    // This process may have been suspended for a while, and another may have taken the claim.
    if (!(await patience.try(() => claim.renew()))) throw this.#lost();
    return await this.#write(settled);
  }

  async #write(settled: readonly SettledCall[]): Promise<Completion> {
    const results = settled.flatMap(({ call, told }) =>
      told ? [{ call, told, tool: this.#runner.find(call.toolName) }] : [],
    );
    // The turn may have been stopped while no call of it waited.
    const isStopped = this.#input.patience.isInterrupted || settled.some((each) => each.isStopped === true);
    const outcome = results.length === 0 ? { written: [] } : await this.#append(results, isStopped);
    const written = 'refused' in outcome ? [] : outcome.written;
    if (written.length > 0) await this.#nameHooks(settled);
    const delivered = new Set(written.map(({ toolUseId }) => toolUseId));
    const reason = 'refused' in outcome ? outcome.refused : undefined;
    const calls = settled.map(({ call }) => {
      const isDelivered = delivered.has(call.toolUseId);
      return {
        ...call,
        delivered: isDelivered,
        ...(!isDelivered && reason !== undefined && call.reason === undefined && { reason }),
      };
    });
    const allowed = new Map(
      settled.flatMap(({ call, allowed: answer }) => (answer ? [[call.callKey, answer] as const] : [])),
    );
    return { calls, written, isStopped, allowed };
  }

  async #append(
    results: readonly TranscriptResult[],
    isStopped: boolean,
  ): ReturnType<CutTranscript['write']> {
    const { place, patience } = this.#input;
    this.#isWriting = true;
    const transcript = await patience.try(() => place.open());
    if (!transcript) return { refused: 'The transcript has changed since its calls were found.' };
    return await patience.try(() => transcript.write(results, { isStopped }));
  }

  /** Reports the hooks of settings files, which only a CLI runs. The program's own hooks have run. */
  async #nameHooks(settled: readonly SettledCall[]): Promise<void> {
    const { options, onHooksMissed } = this.#input;
    const ended = settled.flatMap(({ call: { how, toolName }, told }) =>
      told && 'result' in told && (how === 'ran' || how === 'recorded')
        ? [{ toolName, isError: told.result.isError === true }]
        : [],
    );
    const hooks = ended.length === 0 ? [] : await findSettingsHooks(options, ended).catch(() => []);
    if (hooks.length > 0) onHooksMissed(hooks);
  }

  #lost(): LaunchError {
    return refuseRunning(this.#input.sessionId, 'another process has taken over its calls');
  }
}

/**
 * Counts the attempts. A call that has records was asked about or begun before, so it gets the next number. A call whose
 * question was never closed is still in its attempt.
 */
function countAttempts(
  calls: CutTranscript['calls'],
  known: KnownCalls,
  isHeld: (toolUseId: string) => boolean,
): Map<string, CallIdentity> {
  return new Map(
    calls.map(({ toolUseId, callKey, attempt }) => {
      const isKnown = (known.findByToolUseId(toolUseId) ?? known.get(callKey)) !== undefined;
      return [toolUseId, { callKey, attempt: isKnown && !isHeld(toolUseId) ? attempt + 1 : attempt }];
    }),
  );
}
