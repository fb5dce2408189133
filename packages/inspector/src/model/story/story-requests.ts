// Reads the requests between the CLI and this process that belong to the story: permissions, handlers, hooks, elicitations,
// dialogs, and control requests of the program.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import { readMcpAnswer, type WireQuestion } from '@inboard/core/record/trace/timeline/wire-question.js';
import type { QuestionAsked, QuestionOutcome, QuestionSettled } from '../../stream/inspector-event.js';
import type { KnownFacts } from '../facts/known-facts.js';
import { notice, type Notice } from './read-notice.js';
import type { StoryCalls } from './story-calls.js';
import type { CallItem, PendingStep, PermissionStep, QuestionItem } from './story-item.js';
import type { EventPlace } from './story-list.js';

type Open =
  | { kind: 'permission'; call: CallItem; step: PermissionStep }
  | { kind: 'handler'; call: CallItem; t: number }
  | { kind: 'pending'; call: CallItem; step: PendingStep }
  | { kind: 'hook'; hook: string; call: CallItem | undefined }
  | { kind: 'question'; item: QuestionItem }
  | { kind: 'model' | 'mode'; value: string };

/** Receives what the requests add to the story. */
export interface RequestListener {
  /** Adds a call that no message announced, for example because the recording began in the middle of the call. */
  beginCall(toolUseId: string, toolName: string, input: unknown, place: EventPlace): CallItem;
  question(item: QuestionItem): void;
  notice(notice: Notice, place: EventPlace): void;
  interrupted(place: EventPlace): void;
  /** The CLI has accepted a new model or permission mode. */
  changed(what: 'model' | 'mode', value: string, place: EventPlace): void;
}

/** The requests of a session that wait for their answer. */
export class StoryRequests {
  readonly #facts: KnownFacts;
  readonly #calls: StoryCalls;
  readonly #listener: RequestListener;
  readonly #open = new Map<string, Open>();
  /** Open questions of a live source, by their id, which may differ from the id of the request. */
  readonly #asked = new Map<string, Extract<Open, { kind: 'permission' | 'question' | 'pending' }>>();
  readonly #byProgress = new Map<string, CallItem>();

  constructor(calls: StoryCalls, facts: KnownFacts, listener: RequestListener) {
    this.#facts = facts;
    this.#calls = calls;
    this.#listener = listener;
  }

  /** Takes a request. `side` is the side that asks. */
  ask(side: 'in' | 'out', question: WireQuestion, place: EventPlace): void {
    const open = side === 'in' ? this.#askHere(question, place) : this.#askCli(question, place);
    if (open) this.#open.set(`${side} ${question.requestId}`, open);
  }

  /** Takes the answer to a request. `side` is the side that asked. */
  answer(side: 'in' | 'out', requestId: string, value: unknown, place: EventPlace): void {
    const key = `${side} ${requestId}`;
    const open = this.#open.get(key);
    this.#open.delete(key);
    switch (open?.kind) {
      case 'permission':
        this.#calls.answer(open.call, open.step, value, place.t);
        break;
      case 'handler':
        this.#endHandler(open, value, place.t);
        break;
      case 'hook':
        this.#endHook(open, value, place);
        break;
      case 'question':
        open.item.settledT ??= place.t;
        open.item.outcome ??= readAction(value);
        break;
      case 'model':
      case 'mode':
        // If the CLI refused, the value has an error.
        if (isRecord(value) && value['error'] !== undefined) break;
        this.#listener.changed(open.kind, readChange(value, open), place);
        break;
      default:
    }
  }

  cancel(side: 'in' | 'out', requestId: string, t: number): void {
    const key = `${side} ${requestId}`;
    const open = this.#open.get(key);
    this.#open.delete(key);
    // What a live source has reported is withdrawn when the source says so.
    const asked = [...this.#asked.values()];
    if (
      open?.kind === 'permission' &&
      !asked.some((one) => one.kind === 'permission' && one.step === open.step)
    )
      this.#calls.withdraw(open.call, open.step, t);
    if (open?.kind === 'question' && !asked.some((one) => one.kind === 'question' && one.item === open.item))
      withdraw(open.item, t);
  }

  /** Takes a question from a live source. The wire reports the request for it separately. */
  asked({ question }: QuestionAsked, place: EventPlace): void {
    const { id, kind, toolUseId, subject, input } = question;
    if ((kind === 'permission' || kind === 'ask-user') && toolUseId !== undefined) {
      const call = this.#calls.find(toolUseId) ?? this.#listener.beginCall(toolUseId, subject, input, place);
      this.#asked.set(id, { kind: 'permission', call, step: this.#calls.ask(call, id, place.t) });
      return;
    }
    if (kind === 'pending' && toolUseId !== undefined) {
      const call = this.#calls.find(toolUseId) ?? this.#listener.beginCall(toolUseId, subject, input, place);
      this.#asked.set(id, { kind, call, step: this.#calls.pend(call, question, place.t) });
      return;
    }
    const item =
      this.#findQuestion(kind, id, this.#open, this.#asked) ??
      this.#addQuestion(id, kind, question.title, place);
    item.title = question.title;
    this.#asked.set(id, { kind: 'question', item });
  }

  settled(event: QuestionSettled, t: number): void {
    const asked = this.#asked.get(event.id);
    this.#asked.delete(event.id);
    if (asked?.kind === 'permission') this.#calls.settle(asked.call, asked.step, event, t);
    if (asked?.kind === 'pending') this.#calls.settlePending(asked.call, asked.step, event, t);
    if (asked?.kind !== 'question') return;
    const { item } = asked;
    item.settledT ??= t;
    item.outcome = event.outcome;
    item.by = event.by;
    item.message = event.message;
  }

  /**
   * Withdraws the open questions that belong to no call, because the CLI has ended. A live source tells which of its questions
   * end with the CLI; the others wait without one, unless the session `isOver`.
   */
  cutAll(t: number, isOver: boolean): void {
    if (isOver) {
      for (const open of this.#asked.values()) if (open.kind === 'question') withdraw(open.item, t);
      this.#asked.clear();
    }
    const waiting = new Set(
      Array.from(this.#asked.values(), (asked) => (asked.kind === 'question' ? asked.item : undefined)),
    );
    for (const open of this.#open.values())
      if (open.kind === 'question' && !waiting.has(open.item)) withdraw(open.item, t);
    this.#open.clear();
    this.#byProgress.clear();
  }

  #askHere(question: WireQuestion, place: EventPlace): Open | undefined {
    const { kind, toolUseId, requestId, name, request, mcp } = question;
    switch (kind) {
      case 'permission': {
        const known = this.#calls.find(toolUseId);
        const call = known ?? this.#listener.beginCall(toolUseId ?? requestId, name, request['input'], place);
        return { kind, call, step: this.#calls.ask(call, requestId, place.t) };
      }
      case 'tool': {
        const id = this.#facts.calls.handlerOf(requestId);
        if (!mcp || id === undefined) return undefined;
        const call = this.#calls.find(id) ?? this.#beginHandled(id, mcp.message['params'], place);
        this.#calls.setRanInput(call, readArguments(mcp.message['params']));
        call.handlerT = place.t;
        call.runsHere = true;
        this.#calls.run(call);
        const token = readProgressToken(mcp?.message['params']);
        if (token !== undefined) this.#byProgress.set(`${mcp?.server} ${token}`, call);
        return { kind: 'handler', call, t: place.t };
      }
      case 'hook':
        return { kind, hook: name, call: this.#calls.find(toolUseId) };
      case 'dialog': {
        const asked = question.subtype === 'elicitation' ? 'elicitation' : 'dialog';
        const title = asString(request['message']) ?? `${name} asks`;
        const item =
          this.#findQuestion(asked, requestId, this.#asked, this.#open) ??
          this.#addQuestion(requestId, asked, title, place);
        return { kind: 'question', item };
      }
      default:
        return undefined;
    }
  }

  /** Adds a call that only its request shows, as if the inspector was opened in the middle of a turn. */
  #beginHandled(id: string, params: unknown, place: EventPlace): CallItem {
    return this.#listener.beginCall(id, this.#facts.calls.toolNameOf(id) ?? '', readArguments(params), place);
  }

  #askCli({ subtype, request, mcp }: WireQuestion, place: EventPlace): Open | undefined {
    switch (subtype) {
      case 'interrupt':
        this.#listener.interrupted(place);
        return undefined;
      case 'set_model':
        return { kind: 'model', value: asString(request['model']) ?? 'the default model' };
      case 'set_permission_mode':
        return { kind: 'mode', value: asString(request['mode']) ?? '' };
      case 'mcp_message': {
        const params = mcp?.message['params'];
        if (mcp?.message['method'] !== 'notifications/progress' || !isRecord(params)) return undefined;
        const call = this.#byProgress.get(`${mcp.server} ${String(params['progressToken'])}`);
        if (call && call.endT === undefined) call.progress = readProgress(params);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  #endHandler({ call, t: start }: Extract<Open, { kind: 'handler' }>, value: unknown, t: number): void {
    call.handlerMs = Math.max(0, t - start);
    call.progress = undefined;
    const body = readMcpAnswer(value);
    // The handler's error is shown until the result of the CLI comes.
    const failure = isRecord(body) ? body['error'] : undefined;
    if (isRecord(failure) && call.output.length === 0)
      call.output = [{ type: 'text', text: asString(failure['message']) ?? 'It failed' }];
  }

  #endHook({ hook, call }: Extract<Open, { kind: 'hook' }>, value: unknown, place: EventPlace): void {
    const special =
      isRecord(value) && isRecord(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
    if (call && special['updatedInput'] !== undefined) this.#calls.setRanInput(call, special['updatedInput']);
    const reason = readBlock(value);
    if (reason === undefined) return;
    if (call) call.blockedBy = { hook, reason };
    else this.#listener.notice(notice('hook', `The hook ${hook} blocked`, { detail: reason }), place);
  }

  /**
   * The wire and a live source both report a question, mostly by the same id. This finds the item that the first of them made:
   * by its id, else one of its kind that only the `other` has reported.
   */
  #findQuestion(
    kind: QuestionItem['questionKind'],
    id: string,
    other: ReadonlyMap<string, Open>,
    own: ReadonlyMap<string, Open>,
  ): QuestionItem | undefined {
    if (kind === 'held' || kind === 'pending') return undefined;
    const items = (map: ReadonlyMap<string, Open>): QuestionItem[] =>
      [...map.values()].flatMap((open) => (open.kind === 'question' ? open.item : []));
    const known = new Set(items(own));
    const found = items(other).filter((item) => item.questionKind === kind && !known.has(item));
    return [...known, ...found].find((item) => item.id === id) ?? found[0];
  }

  #addQuestion(
    id: string,
    questionKind: QuestionItem['questionKind'],
    title: string,
    place: EventPlace,
  ): QuestionItem {
    const item: QuestionItem = {
      kind: 'question',
      key: `question ${place.n}`,
      n: place.n,
      t: place.t,
      depth: 0,
      questionKind,
      id,
      title,
      settledT: undefined,
      outcome: undefined,
      by: undefined,
      message: undefined,
    };
    this.#listener.question(item);
    return item;
  }
}

function withdraw(item: QuestionItem, t: number): void {
  item.settledT ??= t;
  item.outcome ??= 'withdrawn';
}

/** The reason for which a hook refuses; undefined if it does not. */
function readBlock(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const special = isRecord(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  const isDenied = special['permissionDecision'] === 'deny';
  if (value['decision'] !== 'block' && value['continue'] !== false && !isDenied) return undefined;
  return (
    asString(value['reason'] ?? special['permissionDecisionReason'] ?? value['stopReason']) ??
    'no reason given'
  );
}

function readAction(value: unknown): QuestionOutcome {
  if (!isRecord(value) || value['error'] !== undefined) return 'declined';
  return value['action'] === 'decline' || value['action'] === 'cancel' ? 'declined' : 'answered';
}

function readChange(
  value: unknown,
  { kind, value: asked }: { kind: 'model' | 'mode'; value: string },
): string {
  return (isRecord(value) ? asString(value[kind]) : undefined) ?? asked;
}

function readArguments(params: unknown): unknown {
  return isRecord(params) ? params['arguments'] : undefined;
}

function readProgressToken(params: unknown): string | undefined {
  const meta = isRecord(params) && isRecord(params['_meta']) ? params['_meta'] : {};
  const token = meta['progressToken'];
  return typeof token === 'string' || typeof token === 'number' ? String(token) : undefined;
}

function readProgress({ message, progress, total }: Record<string, unknown>): string | undefined {
  const share =
    typeof progress === 'number' && typeof total === 'number' && total > 0
      ? `${Math.round((progress / total) * 100)} %`
      : undefined;
  return [asString(message), share].filter((part) => part !== undefined).join(', ') || undefined;
}
