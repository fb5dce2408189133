// Brings one call that was cut off to its end. Finds out what is known of it, and then does what `decide-call` says: waits,
// asks a person, runs the call, or chooses a text for the model. Writes nothing into the transcript.
import { errorResult } from '../../../answer/mcp/result/content-helpers.js';
import type { Denial } from '../../../calls/result/show-failure.js';
import type { KnownCalls, KnownCallState } from '../../../record/calls/fold-facts.js';
import { foldFacts, isOpenPending } from '../../../record/calls/fold-facts.js';
import { createQuietDeferred } from '../../../util/deferred.js';
import { isRecord } from '../../../util/guards.js';
import { onAbort } from '../../../util/on-abort.js';
import { clock } from '../../../util/system/clock.js';
import { sleep } from '../../../util/timers.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { isProcessGone } from '../../../wire/process/process-name.js';
import type {
  CallRecords,
  RecordedQuestion,
  RecordedResult,
} from '../../../wire/protocol/config/call-records.js';
import type { PermissionUpdate } from '../../../wire/protocol/control/permissions.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';
import type { EndedCall, ReviewedResult } from './after-hooks.js';
import type { AskedAgain } from './ask-again.js';
import type { CallRunner, ToolPlace } from './call-runner.js';
import type { CompletedCall, CompletionKind } from '../../../wire/protocol/messages/completed-call.js';
import { decideCall, type CallSituation } from './decide-call.js';
import { findCall, findEdit } from './match-records.js';
import { PendingCalls } from './pending-calls.js';
import type { RecordedCalls } from './recorded-calls.js';
import { describeAllowed, describeUnknown, PENDING_WITHDRAWN, TURN_INTERRUPTED } from './result-texts.js';
import { runningCalls } from './running-calls.js';

/** A call of the transcript without a true result. */
export interface CutCall {
  readonly callKey: string;
  readonly toolUseId: string;
  readonly toolName: string;
  readonly input: Record<string, unknown>;
  /** How often the model had made the call when it was cut off. */
  readonly attempt: number;
  /** Whether records cover the turn of the call. */
  readonly isCovered: boolean;
}

/** How a call ended. */
export interface SettledCall {
  readonly call: CompletedCall;
  /** What the model gets: a tool's result, or a denial in a person's words. Undefined where nothing is written. */
  readonly told?: { result: RecordedResult } | { denial: Denial };
  /** Whether the turn ends after this call. */
  readonly isStopped?: boolean;
  /** The answer for the CLI when the model makes the call again, so that nobody is asked twice. */
  readonly allowed?: PermissionResult;
}

export interface CallSettlerInput {
  readonly records: CallRecords;
  readonly recorder: RecordedCalls | undefined;
  readonly runner: CallRunner;
  readonly asked: AskedAgain;
  /** The name of this process in facts. */
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Runs the hooks that follow a call, with its result. */
  readonly review: (call: EndedCall, result: RecordedResult) => Promise<ReviewedResult>;
  /** Whether the signal aborted because the turn was stopped. The transcript has to say so. */
  readonly isInterrupted: () => boolean;
  /** Called when the call is allowed, with the permissions that the answer changes. */
  readonly onAllowed: (callKey: string, updates: readonly PermissionUpdate[]) => void;
}

/** How often to look for a result that another process recorded. Each look reads the records as a whole. */
const LOOK_EVERY_MS = 500;

/** Settles the calls of one completion. */
export class CallSettler {
  readonly #input: CallSettlerInput;

  constructor(input: CallSettlerInput) {
    this.#input = input;
  }

  /** Rejects only when the signal aborts without an interruption, or the records fail. */
  async settle(call: CutCall, known: KnownCalls): Promise<SettledCall> {
    try {
      return await this.#review(await this.#settle(call, known));
    } catch (error) {
      if (!this.#input.isInterrupted()) throw error;
      const state = findCall(foldFacts(await this.#input.records.load()), call);
      if (state && isOpenPending(state)) return await this.#withdraw(call, state);
      const how = state?.begun ? 'unknown' : 'notRun';
      const text = state?.begun ? describeUnknown(state.begun.at) : TURN_INTERRUPTED;
      return { ...this.#tell(call, how, errorResult(text), state), isStopped: true };
    }
  }

  /** Runs the hooks that follow a call, as a CLI would. Only the result of a handler is passed to them. */
  async #review(settled: SettledCall): Promise<SettledCall> {
    const { call, told } = settled;
    if (!told || !('result' in told) || (call.how !== 'ran' && call.how !== 'recorded')) return settled;
    const { toolUseId, toolName, ranInput } = call;
    const input = ranInput ?? (call.input as Record<string, unknown>);
    const { result, isStopped } = await this.#input.review({ toolUseId, toolName, input }, told.result);
    return { ...settled, told: { result }, isStopped: settled.isStopped === true || isStopped };
  }

  async #settle(call: CutCall, known: KnownCalls): Promise<SettledCall> {
    const place = this.#input.runner.find(call.toolName);
    const state = findCall(known, call);
    if (state?.answered) this.#noteChanges(call, state.answered.answer, state.begun !== undefined);
    const decision = decideCall(this.#describe(call, place, state));
    switch (decision.do) {
      case 'deliver':
        return this.#tell(call, 'recorded', decision.result, state);
      case 'awaitHere':
        return await this.#awaitHere(call, state);
      case 'awaitOwner':
        await this.#awaitOwner(call, state?.begun?.owner ?? '');
        return await this.#settle(call, foldFacts(await this.#input.records.load()));
      case 'awaitPending':
        return await this.#awaitPending(call, state as KnownCallState);
      case 'ask':
        return await this.#ask(call, place, decision.question, state?.input ?? call.input);
      case 'obey':
        return await this.#obey(call, place, decision.answer, { by: decision.by, input: state?.input });
      case 'run':
        // The call runs with the input of its earlier run, because a person may have changed what the model asked for.
        return await this.#run(call, place, state?.begun?.ranInput ?? state?.input, state?.answered?.by);
      case 'tell':
        return this.#tell(call, decision.how, errorResult(decision.text), state);
      default:
        return { call: this.#complete(call, 'unknown', state, { reason: decision.reason }) };
    }
  }

  /** Passes on the permissions that an answer changes. If a CLI began the call, it has already saved those for files. */
  #noteChanges({ callKey }: CutCall, answer: PermissionResult, hasBegun: boolean): void {
    if (answer.behavior !== 'allow' || !Array.isArray(answer.updatedPermissions)) return;
    const updates = answer.updatedPermissions.filter(
      (update) =>
        isRecord(update) &&
        (!hasBegun || update.destination === 'session' || update.destination === 'cliArg'),
    );
    this.#input.onAllowed(callKey, updates);
  }

  #describe(call: CutCall, place: ToolPlace | undefined, known: KnownCallState | undefined): CallSituation {
    const name = call.toolName;
    const { records, owner } = this.#input;
    const isOurs = place !== undefined && (place.compiled !== undefined || place.isForeign);
    const wasAskedAs = known?.asked?.question.mcpServer?.source;
    const wasOurs = place !== undefined || known?.begun !== undefined || wasAskedAs === 'sdk';
    // A program that keeps the records itself does not record the calls of foreign servers.
    const isCovered = call.isCovered && !(records.readOnly === true && place?.isForeign === true);
    const begunBy = known?.isLeft === true ? undefined : known?.begun?.owner;
    return {
      known,
      isCovered,
      tool: isOurs
        ? { kind: 'ours', name, onRepeat: place.compiled?.onRepeat }
        : { kind: wasOurs ? 'gone' : 'theirs', name },
      runsHere: runningCalls.find(call.callKey) !== undefined,
      isRepeated: call.attempt > 1,
      ownerLives:
        records.readOnly !== true && begunBy !== undefined && begunBy !== owner && !isProcessGone(begunBy),
    };
  }

  async #awaitHere(call: CutCall, state: KnownCallState | undefined): Promise<SettledCall> {
    const result = await this.#unlessOver(runningCalls.find(call.callKey));
    if (result) return this.#tell(call, 'ran', result, state);
    // The handler was cancelled, so its call is settled like one that has begun and has no end.
    return await this.#settle(call, foldFacts(await this.#input.records.load()));
  }

  /** Waits until the process that runs the handler has recorded how it ended, or is gone. */
  async #awaitOwner(call: CutCall, owner: string): Promise<void> {
    const { records, signal } = this.#input;
    while (!isProcessGone(owner)) {
      signal.throwIfAborted();
      const known = findCall(foldFacts(await records.load()), call);
      if (known?.ended || known?.isLeft === true) return;
      await this.#unlessOver(sleep(LOOK_EVERY_MS));
    }
  }

  /** Waits until the call is completed, in this process or another one. */
  async #awaitPending(call: CutCall, state: KnownCallState): Promise<SettledCall> {
    const { records, recorder } = this.#input;
    const pending = recorder?.pending ?? new PendingCalls(records);
    const { callKey } = state;
    const { toolUseId, toolName, input } = call;
    const { note, at: since } = state.pending ?? { at: 0 };
    try {
      await this.#unlessOver(pending.follow({ callKey, toolUseId, toolName, input, note, since }));
    } finally {
      pending.end(callKey);
    }
    return await this.#settle(call, foldFacts(await records.load()));
  }

  /** The turn was stopped, so a result that comes later is not taken. */
  async #withdraw(call: CutCall, state: KnownCallState): Promise<SettledCall> {
    const { records } = this.#input;
    const { callKey } = state;
    if (records.readOnly !== true) await records.add({ type: 'withdrawn', callKey, at: clock.Date.now() });
    return { ...this.#tell(call, 'unknown', errorResult(PENDING_WITHDRAWN), state), isStopped: true };
  }

  /** `input` is the input that the question was about. A hook may have changed what the model asked for. */
  async #ask(
    call: CutCall,
    place: ToolPlace | undefined,
    question: RecordedQuestion,
    input: Record<string, unknown>,
  ): Promise<SettledCall> {
    const { asked, signal, recorder } = this.#input;
    const given = await asked.ask({ ...call, input, question }, signal);
    signal.throwIfAborted();
    if (!given) throw signal.reason;
    const { answer, by } = given;
    recorder?.questions.noteAnswer(call.callKey, answer, by);
    this.#noteChanges(call, answer, false);
    return await this.#obey(call, place, answer, { by, input });
  }

  async #obey(
    call: CutCall,
    place: ToolPlace | undefined,
    answer: PermissionResult,
    { by, input }: { by: string | undefined; input: Record<string, unknown> | undefined },
  ): Promise<SettledCall> {
    if (answer.behavior === 'deny') {
      const denied = this.#complete(call, 'denied', undefined, withoutUndefined({ allowed: false, by }));
      return { call: denied, told: { denial: answer }, isStopped: answer.interrupt === true };
    }
    if (place) return await this.#run(call, place, answer.updatedInput ?? input, by);
    const allowed = withoutUndefined({ allowed: true, by, reason: 'The CLI has to make the call again.' });
    return {
      call: this.#complete(call, 'notRun', undefined, allowed),
      told: { result: errorResult(describeAllowed(by)) },
      allowed: answer,
    };
  }

  async #run(
    call: CutCall,
    place: ToolPlace | undefined,
    changed: Record<string, unknown> | undefined,
    by: string | undefined,
  ): Promise<SettledCall> {
    const { runner, signal } = this.#input;
    signal.throwIfAborted();
    const input = changed ?? call.input;
    const result = await this.#unlessOver(
      runner.run(place as ToolPlace, { toolUseId: call.toolUseId, input, signal }),
    );
    const ranInput = findEdit(call, changed);
    const ran = this.#complete(call, 'ran', undefined, withoutUndefined({ allowed: true, by, ranInput }));
    return { call: ran, told: { result } };
  }

  #tell(
    call: CutCall,
    how: CompletionKind,
    result: object | undefined,
    state: KnownCallState | undefined,
  ): SettledCall {
    return { call: this.#complete(call, how, state), told: { result: result as RecordedResult } };
  }

  #complete(
    { callKey, toolUseId, toolName, input }: CutCall,
    how: CompletionKind,
    state: KnownCallState | undefined,
    more: Partial<CompletedCall> = {},
  ): CompletedCall {
    const answer = state?.answered?.answer;
    const facts = withoutUndefined({
      allowed: answer && answer.behavior === 'allow',
      by: state?.answered?.by,
      ranInput: state?.begun && findEdit({ input }, state.begun.ranInput ?? state.input),
    });
    return { callKey, toolUseId, toolName, input, how, delivered: false, ...facts, ...more };
  }

  async #unlessOver<T>(work: Promise<T> | undefined): Promise<T> {
    const { signal } = this.#input;
    // The work may fail after the signal aborts, when nobody waits for its result.
    work?.catch(() => {});
    signal.throwIfAborted();
    const over = createQuietDeferred<never>();
    const forget = onAbort(signal, () => over.reject(signal.reason as Error));
    try {
      return await Promise.race([work as Promise<T>, over.promise]);
    } finally {
      forget();
    }
  }
}
