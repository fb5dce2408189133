// Completes the calls that were cut off with a CLI or its host, before the next CLI is started: each gets its true result, which is
// written where the CLI reads its conversation. One process does so at a time, under a claim. What becomes of each call is found out
// in `settle-call`.
import { AbortError } from '../../../errors.js';
import { foldFacts, type KnownCalls } from '../../../record/calls/fold-facts.js';
import type { Options } from '../../../options/options.js';
import type { WarningReporter } from '../../../options/check/warning-reporter.js';
import { sleep } from '../../../util/timers.js';
import type { CallIdentity } from '../../../wire/protocol/call-identity.js';
import type { CallClaim, CallRecords } from '../../../wire/protocol/config/call-records.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';
import { runAfterHooks } from './after-hooks.js';
import { AskedAgain } from './ask-again.js';
import { CallRunner } from './call-runner.js';
import type { CompletedCall } from '../../../wire/protocol/messages/completed-call.js';
import { matchRecords } from './match-records.js';
import type { RecordedCalls } from './recorded-calls.js';
import { CallSettler, type SettledCall } from './settle-call.js';
import type { CutTranscript, TranscriptPlace, WrittenResult } from './transcript-place.js';

export interface CompletionInput {
  readonly sessionId: string;
  /** With the servers that the conversation has now. */
  readonly options: Options;
  readonly warnings: WarningReporter;
  readonly records: CallRecords;
  /** Undefined where the records are only read here. */
  readonly recorder: RecordedCalls | undefined;
  readonly place: TranscriptPlace;
  /** This process, as facts name it. */
  readonly owner: string;
}

/** What was done. */
export interface Completion {
  readonly calls: readonly CompletedCall[];
  /** What was written, in order. */
  readonly written: readonly WrittenResult[];
  /** Somebody denied a call and wanted the turn to end. */
  readonly isStopped: boolean;
  /** Answers to questions about calls that the CLI has to make again, by their keys. */
  readonly allowed: ReadonlyMap<string, PermissionResult>;
}

const NOTHING: Completion = { calls: [], written: [], isStopped: false, allowed: new Map() };
/** Renewed three times as often. */
const CLAIM_MS = 30_000;
const LOOK_EVERY_MS = 100;

/** Completes the calls of one session, once. Whoever makes one closes it. */
export class CallCompletion {
  readonly #input: CompletionInput;
  readonly #runner: CallRunner;
  readonly #asked: AskedAgain;
  readonly #settler: CallSettler;
  readonly #ending = new AbortController();
  readonly #interrupting = new AbortController();
  #identities: ReadonlyMap<string, CallIdentity> = new Map();

  constructor(input: CompletionInput) {
    this.#input = input;
    const { options, warnings, sessionId, recorder, records, owner } = input;
    const identify = ({ toolUseId }: { toolUseId: string | undefined }): CallIdentity =>
      this.#identities.get(String(toolUseId)) ?? { callKey: String(toolUseId), attempt: 1 };
    this.#runner = new CallRunner({ options, warnings, sessionId, identify, recorder });
    this.#asked = new AskedAgain({
      options,
      warnings,
      sessionId,
      identify,
      findInputProblem: (toolName, given) => this.#runner.findInputProblem(toolName, given),
    });
    const { signal } = this.#ending;
    this.#settler = new CallSettler({
      review: (call, result) => runAfterHooks({ options, warnings, sessionId, signal }, call, result),
      records,
      recorder,
      owner,
      runner: this.#runner,
      asked: this.#asked,
      signal: AbortSignal.any([this.#ending.signal, this.#interrupting.signal]),
      isInterrupted: () => this.#interrupting.signal.aborted && !this.#ending.signal.aborted,
    });
  }

  /** The questions that wait for an answer. */
  get questions(): AskedAgain['questions'] {
    return this.#asked.questions;
  }

  /** Completes what can be completed; tells before anything is asked or run, and once nobody else has the session. Rejects with the reason of `close`, and with what records or transcript fail with. */
  async run(onFree: () => void = () => {}): Promise<Completion> {
    const claim = await this.#claim();
    const renewing = setInterval(() => void this.#renew(claim), CLAIM_MS / 3);
    try {
      const known = foldFacts(await this.#input.records.load());
      this.#remember(known);
      const user = await this.#input.place.free(known, this.#ending.signal);
      if (user !== undefined) throw new Error(`${user} Nothing can be written into its transcript.`);
      onFree();
      const transcript = await this.#input.place.open();
      if (!transcript || transcript.calls.length === 0) return NOTHING;
      return await this.#complete(transcript, claim);
    } finally {
      clearInterval(renewing);
      await claim.release().catch(() => {});
    }
  }

  /** The turn is stopped: calls that have not ended are told so, and what is known is written. */
  interrupt(): void {
    this.#interrupting.abort(new AbortError('The turn was interrupted'));
  }

  /** Ends what waits and runs; nothing is written after that. */
  close(reason: Error): void {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort(reason);
    this.#runner.close(reason);
    this.#asked.close();
  }

  /** A call that the model makes again gets what its tool wants, whichever process began it. */
  #remember(known: KnownCalls): void {
    for (const { callKey, begun, isWaiting, ended } of known.list())
      if (begun)
        this.#input.recorder?.remember(callKey, { begunAt: begun.at, isWaiting, result: ended?.result });
  }

  async #complete(transcript: CutTranscript, claim: CallClaim): Promise<Completion> {
    const known = foldFacts(await this.#input.records.load());
    const calls = matchRecords(transcript.calls, transcript.keys, known);
    this.#identities = countAttempts(calls, known);
    const isCovered = transcript.messages.some((message) => known.covers(message));
    const settled = await Promise.all(
      calls.map((call) => this.#settler.settle({ ...call, isCovered }, known)),
    );
    this.#ending.signal.throwIfAborted();
    // A process that was stopped for a while may no longer be the one that writes.
    if (!(await claim.renew())) throw claimLost();
    return await this.#write(transcript, settled);
  }

  async #write(transcript: CutTranscript, settled: readonly SettledCall[]): Promise<Completion> {
    const results = settled.flatMap(({ call, told }) =>
      told ? [{ call, told, tool: this.#runner.find(call.toolName) }] : [],
    );
    const isStopped = settled.some((each) => each.isStopped === true);
    const outcome = results.length === 0 ? { written: [] } : await transcript.write(results, { isStopped });
    const written = 'refused' in outcome ? [] : outcome.written;
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

  async #claim(): Promise<CallClaim> {
    const { records, owner } = this.#input;
    const { signal } = this.#ending;
    for (;;) {
      const claim = await records.claim({ owner, ttlMs: CLAIM_MS });
      if ('release' in claim) return claim;
      signal.throwIfAborted();
      await sleep(LOOK_EVERY_MS);
      signal.throwIfAborted();
    }
  }

  async #renew(claim: CallClaim): Promise<void> {
    // A place that does not answer for a moment is asked again before anything is written.
    const isHeld = await claim.renew().catch(() => true);
    if (!isHeld) this.close(claimLost());
  }
}

/** A call of which something is known was asked about, or has begun: this is one attempt more. */
function countAttempts(calls: CutTranscript['calls'], known: KnownCalls): Map<string, CallIdentity> {
  return new Map(
    calls.map(({ toolUseId, callKey, attempt }) => {
      const isKnown = (known.findByToolUseId(toolUseId) ?? known.get(callKey)) !== undefined;
      return [toolUseId, { callKey, attempt: isKnown ? attempt + 1 : attempt }];
    }),
  );
}

function claimLost(): AbortError {
  return new AbortError('Another process has taken over the calls of this session');
}
