// Keeps the summary of a session while its events come, for the fleet on the server and for the header on the page. The
// time for an event does not depend on the length of the session.
import { toOneLine } from '@inboard/core/util/bounded-text.js';
import { asString } from '@inboard/core/util/guards.js';
import { ShareClock } from '@inboard/core/record/trace/timeline/time-shares.js';
import { readStep, TimeReader } from '@inboard/core/record/trace/timeline/readable-step.js';
import { isInterruption, isSuccess } from '@inboard/core/record/trace/timeline/tool-outcome.js';
import { describeEnd } from '@inboard/core/record/trace/timeline/timeline-row.js';
import type { TraceEnd, TraceHeader } from '@inboard/core/record/trace/trace-event.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { bodyOf, textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { InspectorEvent, NumberedEvent, SessionOpened, WaitedFor } from '../stream/inspector-event.js';
import { describeWaits, NO_CLI } from './describe-waits.js';
import type { SessionActivity, SessionSummary } from './session-summary.js';
import { useFacts, type KnownFacts } from './facts/known-facts.js';
import { QuestionTitles } from './summary/question-titles.js';
import { splitToolName } from './story/tool-name.js';

const SHORT_CHARACTERS = 200;

/** The summary of one session. */
export class SummaryLedger {
  readonly #facts: SessionSummary;
  readonly #clock: ShareClock;
  readonly #known: KnownFacts;
  readonly #pushFacts: (event: InspectorEvent) => void;
  readonly #titles = new QuestionTitles();
  readonly #times = new TimeReader();
  /** What is known of the CLI. While one runs, the clock says whether something goes on. */
  #phase: 'running' | 'suspended' | 'ended' | 'failed' | 'cut' = 'running';
  /** What the turn waits for while there is no CLI. */
  #waitsFor: readonly WaitedFor[] = [];
  /** How the session or its last CLI ended. */
  #ending = '';
  #isTitled = false;
  #isTerminated = false;
  #isInterrupted = false;
  /** The error of the last turn; undefined if it did not fail. */
  #failure: string | undefined;

  /** With `facts`, the caller gives each event to them first. */
  constructor(id: string, facts?: KnownFacts) {
    const use = useFacts(facts);
    this.#known = use.facts;
    this.#pushFacts = use.push;
    this.#clock = new ShareClock({}, use.facts.calls);
    this.#facts = {
      id,
      kind: 'trace',
      title: id,
      state: 'starting',
      stateText: '',
      sessionId: undefined,
      model: undefined,
      permissionMode: undefined,
      cwd: undefined,
      claudeCodeVersion: undefined,
      startedAt: '',
      durationMs: 0,
      current: 'overhead',
      turns: 0,
      tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      costUsd: undefined,
      errors: 0,
      waiting: 0,
      events: 0,
      shares: { model: 0, permission: 0, code: 0, cliTools: 0, overhead: 0, idle: 0 },
      prompt: '',
      answer: '',
      can: { send: false, interrupt: false, setModel: false, setMode: false, rewind: false },
    };
  }

  push({ n, event }: NumberedEvent): void {
    this.#facts.events += 1;
    this.#pushFacts(event);
    this.#clock.push(event, n);
    switch (event.type) {
      case 'opened':
        this.#open(event);
        break;
      case 'header':
        this.#begin(event);
        break;
      case 'frame': {
        const step = readStep(event, this.#times);
        if (step.type === 'frame' && step.frame) this.#frame(step.dir, step.frame);
        break;
      }
      case 'asked':
        this.#titles.asked(event);
        break;
      case 'settled':
        // What the turn waited for has come. Then only what runs without the CLI is left.
        if (this.#clock.questions.length === 0)
          this.#waitsFor = this.#waitsFor.filter((what) => what === 'detached');
        break;
      case 'terminate':
        this.#isTerminated = true;
        break;
      case 'end':
        this.#end(event);
        break;
      case 'suspended':
        this.#phase = 'suspended';
        this.#waitsFor = event.waitsFor;
        break;
      case 'over':
        if (event.error && this.#phase !== 'failed') this.#fail(event.error.message);
        else if (this.#phase !== 'failed') this.#finish('ended', this.#ending || 'over');
        break;
      default:
    }
  }

  /** Ends the summary of a recording. If the recording has no end, it counts as cut off. */
  cutOff(): void {
    if (this.#phase === 'ended' || this.#phase === 'failed') return;
    this.#finish('cut', describeEnd(undefined));
  }

  /** The summary as of the last event. */
  read(): SessionSummary {
    // A recording that is cut off waits for nobody.
    const questions = this.#phase === 'cut' ? [] : this.#clock.questions;
    const { turns, tokens, errors } = this.#known;
    const waitsFor = this.#readWaits(questions);
    const state = this.#readState(waitsFor);
    return {
      ...this.#facts,
      ...(waitsFor.length > 0 && { waitsFor }),
      ...(this.#phase === 'suspended' && { isSuspended: true }),
      state,
      stateText: this.#readStateText(state, questions),
      durationMs: this.#clock.durationMs,
      current: this.#clock.currentKey,
      turns: turns.begun,
      tokens: tokens.read(),
      costUsd: tokens.costUsd,
      errors: errors.count,
      waiting: questions.length,
      shares: this.#clock.read(),
    };
  }

  #readWaits(questions: readonly { isPending: boolean }[]): readonly WaitedFor[] {
    if (this.#phase === 'cut') return [];
    // What is shown as a card is known best.
    if (questions.length > 0) return questions.every(({ isPending }) => isPending) ? ['pending'] : ['person'];
    return this.#phase === 'suspended' ? this.#waitsFor : [];
  }

  /** The state. A session starts, works or waits exactly while its time goes on. */
  #readState(waitsFor: readonly WaitedFor[]): SessionActivity {
    if (this.#phase === 'cut') return 'cut';
    if (waitsFor.some((what) => what !== 'detached')) return 'waiting';
    if (this.#clock.isStarting) return 'starting';
    if (this.#clock.current !== 'idle') return 'working';
    return this.#phase === 'running' || this.#phase === 'suspended' ? 'idle' : this.#phase;
  }

  #readStateText(state: SessionActivity, questions: readonly { id: string }[]): string {
    const [first, ...others] = questions;
    if (first !== undefined) {
      const title = this.#titles.titleOf(first.id);
      const what = others.length === 0 ? title : `${title}, and ${others.length} more`;
      return this.#phase === 'suspended' ? `${what}; ${NO_CLI}` : what;
    }
    if (this.#phase === 'suspended') return `${describeWaits(this.#waitsFor)}; ${NO_CLI}`;
    switch (state) {
      case 'starting':
        return 'Claude Code is starting';
      case 'working':
        return this.#describeWork();
      case 'idle':
        return 'ready for the next message';
      default:
        return this.#ending;
    }
  }

  #describeWork(): string {
    const { calls } = this.#known;
    const [id, ...more] = calls.running;
    if (id === undefined) return this.#isTerminated ? 'Claude Code is ending' : 'the model answers';
    const { name } = splitToolName(calls.toolNameOf(id) ?? '');
    return more.length === 0 ? `${name} runs` : `${name} and ${more.length} more run`;
  }

  #open({ kind, startedAt, title }: SessionOpened): void {
    this.#facts.kind = kind;
    this.#facts.startedAt = startedAt;
    if (title === undefined) return;
    this.#facts.title = title;
    this.#isTitled = true;
  }

  #begin(header: TraceHeader): void {
    const facts = this.#facts;
    facts.startedAt ||= asString(header.startedAt) ?? '';
    facts.cwd ??= asString(header.cwd);
    facts.claudeCodeVersion = asString(header.claudeCodeVersion) ?? facts.claudeCodeVersion;
    this.#titles.keep(this.#clock.questions);
    this.#isTerminated = false;
    this.#phase = 'running';
  }

  #frame(dir: 'in' | 'out', frame: WireObject): void {
    if (dir === 'in') this.#titles.take(frame);
    if (dir === 'out') {
      if (frame['type'] === 'user') this.#prompt(frame);
      const { request } = frame as { request?: WireObject };
      if (request?.['subtype'] === 'interrupt') this.#isInterrupted = true;
      return;
    }
    switch (frame['type']) {
      case 'system':
        this.#system(frame);
        break;
      case 'result':
        this.#endTurn(frame);
        break;
      default:
    }
  }

  #prompt(frame: WireObject): void {
    const facts = this.#facts;
    if (facts.prompt !== '') return;
    facts.prompt = shorten(textOf(bodyOf(frame)['content']));
    if (!this.#isTitled && facts.prompt !== '') facts.title = facts.prompt;
  }

  #system(frame: WireObject): void {
    const facts = this.#facts;
    facts.permissionMode = asString(frame['permissionMode']) ?? facts.permissionMode;
    if (frame['subtype'] === 'init') {
      facts.sessionId = asString(frame['session_id']) ?? facts.sessionId;
      facts.model = asString(frame['model']) ?? facts.model;
      facts.cwd = asString(frame['cwd']) ?? facts.cwd;
      facts.claudeCodeVersion = asString(frame['claude_code_version']) ?? facts.claudeCodeVersion;
    }
  }

  #endTurn(frame: WireObject): void {
    const isInterrupted = isInterruption(frame, this.#isInterrupted);
    const hasFailed = !isSuccess(frame) && !isInterrupted;
    this.#failure = hasFailed ? describeFailure(frame) : undefined;
    this.#isInterrupted = false;
    this.#facts.answer = shorten(asString(frame['result']) ?? this.#failure ?? '') || this.#facts.answer;
    this.#titles.keep(this.#clock.questions);
  }

  #end(end: TraceEnd): void {
    const how = describeEnd(end);
    const isOdd = end.signal !== null || (end.exitCode ?? 0) !== 0;
    if (end.error) this.#fail(end.error.message);
    else if (isOdd && !this.#isTerminated) this.#fail(how);
    else if (this.#failure !== undefined) this.#finish('failed', this.#failure);
    else this.#finish('ended', how);
  }

  #fail(why: string): void {
    // After a failed turn, a failed end only repeats the error of the turn.
    this.#finish('failed', this.#failure ?? shorten(why));
  }

  #finish(phase: 'ended' | 'failed' | 'cut', how: string): void {
    this.#phase = phase;
    this.#ending = how;
  }
}

function describeFailure(frame: WireObject): string {
  const { errors, result, subtype } = frame;
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  return shorten(asString(result) || asString(first) || asString(subtype) || 'the turn failed');
}

function shorten(text: string): string {
  return toOneLine(text, SHORT_CHARACTERS);
}
