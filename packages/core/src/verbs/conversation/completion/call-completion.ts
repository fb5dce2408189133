// Completes the calls that were cut off with a CLI or its host, before the next CLI is started. Each call gets its true result,
// written into the transcript that the CLI reads. Only one process does so at a time, under a claim. `settle-call` finds out
// what becomes of each call.
import { LaunchError } from '../../../errors.js';
import { foldFacts, type KnownCalls } from '../../../record/calls/fold-facts.js';
import type { Options } from '../../../options/options.js';
import type { WarningReporter } from '../../../options/check/warning-reporter.js';
import { clock } from '../../../util/system/clock.js';
import type { CallIdentity } from '../../../wire/protocol/call-identity.js';
import type { CallClaim, CallRecords } from '../../../wire/protocol/config/call-records.js';
import type { PermissionUpdate } from '../../../wire/protocol/control/permissions.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';
import { runAfterHooks } from './after-hooks.js';
import { AskedAgain } from './ask-again.js';
import type { SessionUser } from './await-no-cli.js';
import { CallRunner } from './call-runner.js';
import type { CompletedCall } from '../../../wire/protocol/messages/completed-call.js';
import { matchRecords } from './match-records.js';
import type { Patience } from './patience.js';
import type { PermissionChanges } from './permission-changes.js';
import type { RecordedCalls } from './recorded-calls.js';
import { findSettingsHooks } from './settings-hooks.js';
import { CallSettler, type SettledCall } from './settle-call.js';
import type { CutTranscript, TranscriptPlace, WrittenResult } from './transcript-place.js';

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
  /** Gets the permissions that people changed with their answers. */
  readonly changes: PermissionChanges;
  /** Called with the hooks of settings files that a CLI would have run after a call. */
  readonly onHooksMissed: (hooks: readonly string[]) => void;
}

/** What a completion did. */
export interface Completion {
  readonly calls: readonly CompletedCall[];
  /** The results that were written, in order. */
  readonly written: readonly WrittenResult[];
  /** Whether the turn ends, because an answer or a hook asked for that or because the turn was interrupted. */
  readonly isStopped: boolean;
  /** Answers about calls that the CLI has to make again, by the keys of the calls. */
  readonly allowed: ReadonlyMap<string, PermissionResult>;
}

const NOTHING: Completion = {
  calls: [],
  written: [],
  isStopped: false,
  allowed: new Map(),
};
/** How long a claim lasts. It is renewed after each third of this time. */
const CLAIM_MS = 30_000;
const LOOK_EVERY_MS = 100;

/** Completes the calls of one session, once. Its maker closes it, and releases it once a CLI has the session. */
export class CallCompletion {
  readonly #input: CompletionInput;
  readonly #records: CallRecords;
  readonly #runner: CallRunner;
  readonly #asked: AskedAgain;
  readonly #settler: CallSettler;
  /** The permissions that people changed with their answers, by the keys of the calls. */
  readonly #updates = new Map<string, readonly PermissionUpdate[]>();
  #identities: ReadonlyMap<string, CallIdentity> = new Map();
  #claim: CallClaim | undefined;
  #renewing: NodeJS.Timeout | undefined;
  /** The message of the turn, if records cover that turn. */
  #covered: string | undefined;

  constructor(input: CompletionInput) {
    this.#input = input;
    const { options, warnings, sessionId, recorder, records, owner, patience } = input;
    this.#records = {
      readOnly: records.readOnly,
      add: (fact) => records.add(fact),
      load: () => patience.try(() => records.load()),
      claim: (wanted) => patience.try(() => this.#claimOnce(wanted)),
    };
    const identify = ({ toolUseId }: { toolUseId: string | undefined }): CallIdentity =>
      this.#identities.get(String(toolUseId)) ?? { callKey: String(toolUseId), attempt: 1 };
    const ownRecorder = recorder?.identifiedBy(identify);
    this.#runner = new CallRunner({ options, warnings, sessionId, identify, recorder: ownRecorder });
    this.#asked = new AskedAgain({
      options,
      warnings,
      sessionId,
      identify,
      findInputProblem: (toolName, given) => this.#runner.findInputProblem(toolName, given),
    });
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
      // The turn was stopped before anything could be written. The turn is over nevertheless.
      if (!this.#input.patience.isInterrupted) throw error;
      await this.#input.recorder?.pending.withdrawForgotten();
      return { ...NOTHING, isStopped: true };
    }
  }

  async #run(onFound: () => void): Promise<Completion> {
    const { place, patience, records } = this.#input;
    const claim = await this.#takeClaim();
    this.#claim = claim;
    this.#renewing = clock.setInterval(() => void this.#renew(claim), CLAIM_MS / 3);
    const known = foldFacts(await this.#records.load());
    this.#remember(known);
    // Records that are only read here belong to a program that fences its sessions itself.
    if (records.readOnly !== true) {
      const user = await place.free(known, patience);
      if (user) throw this.#describeUser(user);
    }
    const transcript = await patience.try(() => place.open());
    // Once the session is closed, another process may go on with it: ask its questions and run its calls. This one must not.
    patience.ending.throwIfAborted();
    if (!transcript || transcript.calls.length === 0) return NOTHING;
    onFound();
    return await this.#complete(transcript, claim);
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
  async release(): Promise<void> {
    clock.clearInterval(this.#renewing);
    const claim = this.#claim;
    this.#claim = undefined;
    await claim?.release().catch(() => {});
  }

  /** Ends the questions that wait and the calls that run. Nothing is written after that. */
  close(reason: Error): void {
    this.#input.patience.end(reason);
    this.#runner.close(reason);
    this.#asked.close();
  }

  /** Passes what is known of each call to the recorder, so that a repeated call gets what its tool's `onRepeat` wants. */
  #remember(known: KnownCalls): void {
    for (const { callKey, begun, isWaiting, ended } of known.list())
      if (begun)
        this.#input.recorder?.remember(callKey, { begunAt: begun.at, isWaiting, result: ended?.result });
  }

  async #complete(transcript: CutTranscript, claim: CallClaim): Promise<Completion> {
    const { patience, changes } = this.#input;
    const known = foldFacts(await this.#records.load());
    patience.ending.throwIfAborted();
    const calls = matchRecords(transcript.calls, transcript.keys, known);
    this.#identities = countAttempts(calls, known);
    this.#covered = transcript.messages.find((message) => known.covers(message));
    const isCovered = this.#covered !== undefined;
    const settled = await Promise.all(
      calls.map((call) => this.#settler.settle({ ...call, isCovered }, known)),
    );
    patience.ending.throwIfAborted();
    // The permissions come before the results, so that none is lost if this process ends between the two steps.
    await changes.take([...this.#updates.values()].flat());
    // This process may have been suspended for a while, and another may have taken the claim.
    if (!(await patience.try(() => claim.renew()))) throw this.#lost();
    return await this.#write(transcript, settled);
  }

  async #write(transcript: CutTranscript, settled: readonly SettledCall[]): Promise<Completion> {
    const results = settled.flatMap(({ call, told }) =>
      told ? [{ call, told, tool: this.#runner.find(call.toolName) }] : [],
    );
    const isStopped = settled.some((each) => each.isStopped === true);
    const outcome =
      results.length === 0
        ? { written: [] }
        : await this.#input.patience.try(() => transcript.write(results, { isStopped }));
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

  async #claimOnce(wanted: { owner: string; ttlMs: number }): ReturnType<CallRecords['claim']> {
    const { records, patience } = this.#input;
    const claim = await records.claim(wanted);
    // The completion has ended while the claim was being taken.
    if (patience.signal.aborted && 'release' in claim) await claim.release();
    return claim;
  }

  async #takeClaim(): Promise<CallClaim> {
    const { owner, patience } = this.#input;
    for (;;) {
      const claim = await this.#records.claim({ owner, ttlMs: CLAIM_MS });
      if ('release' in claim) return claim;
      await patience.pause(LOOK_EVERY_MS);
    }
  }

  async #renew(claim: CallClaim): Promise<void> {
    // A store that fails for a moment is asked again before anything is written.
    const isHeld = await claim.renew().catch(() => true);
    if (!isHeld) this.close(this.#lost());
  }
}

/** Counts the attempts. A call that has records was asked about or begun before, so it gets the next number. */
function countAttempts(calls: CutTranscript['calls'], known: KnownCalls): Map<string, CallIdentity> {
  return new Map(
    calls.map(({ toolUseId, callKey, attempt }) => {
      const isKnown = (known.findByToolUseId(toolUseId) ?? known.get(callKey)) !== undefined;
      return [toolUseId, { callKey, attempt: isKnown ? attempt + 1 : attempt }];
    }),
  );
}

function refuseRunning(sessionId: string, who: string): LaunchError {
  const message =
    `The session ${sessionId} cannot be continued here, because it is continued elsewhere: ${who}. ` +
    'Wait until that has ended, and open the session again.';
  return new LaunchError('SESSION_RUNNING', message, { retryable: true });
}
