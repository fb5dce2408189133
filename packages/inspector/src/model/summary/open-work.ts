// Keeps the open questions and running calls of a session.
import {
  readWireAnswer,
  readCancel,
  readWireQuestion,
} from '@inboard/core/record/trace/timeline/wire-question.js';
import { readOutcomes } from '@inboard/core/record/trace/timeline/tool-outcome.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { completedOf } from '@inboard/core/wire/protocol/messages/completed-call.js';
import { blocksOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { QuestionAsked, QuestionSettled } from '../../stream/inspector-event.js';
import { splitToolName } from '../story/tool-name.js';

/** The open work of one session. */
export class OpenWork {
  /** Questions from the wire, by the id of the request. */
  readonly #requests = new Map<string, string>();
  /** Questions from a live source, by their ids. The live source knows whether a person is really asked. */
  readonly #asked = new Map<string, { title: string; isPending: boolean }>();
  #isTold = false;
  readonly #calls = new Map<string, string>();

  /** The questions that wait for a person, each in a few words. */
  get waiting(): readonly string[] {
    if (this.#isTold) return [...this.#asked.values()].map(({ title }) => title);
    return this.#requests.size === 0 ? [] : [...this.#requests.values()];
  }

  /** Whether nothing but results of pending calls is waited for. */
  get isOnlyPending(): boolean {
    const asked = [...this.#asked.values()];
    return asked.length > 0 && asked.every(({ isPending }) => isPending);
  }

  /** The names of the calls that run. */
  get running(): readonly string[] {
    return [...this.#calls.values()];
  }

  asked({ question }: QuestionAsked): void {
    this.#isTold = true;
    const { kind, subject, title } = question;
    const isPending = kind === 'pending';
    this.#asked.set(question.id, { title: kind === 'permission' ? wantsToRun(subject) : title, isPending });
  }

  settled({ id }: QuestionSettled): void {
    this.#asked.delete(id);
  }

  /** Takes a frame of any type. */
  take(dir: 'in' | 'out', frame: WireObject): void {
    switch (frame['type']) {
      case 'control_request':
        if (dir === 'in') this.#ask(frame);
        break;
      case 'control_response':
        if (dir === 'out') this.#answer(frame);
        break;
      case 'control_cancel_request':
        if (dir === 'in') this.#requests.delete(readCancel(frame) ?? '');
        break;
      case 'assistant':
        for (const { type, id, name } of blocksOf(frame))
          if (type === 'tool_use' && typeof id === 'string')
            this.#calls.set(id, splitToolName(typeof name === 'string' ? name : '').name);
        break;
      case 'user':
        if (dir === 'in') this.#takeResults(frame);
        break;
      default:
    }
  }

  /**
   * Is called when the turn has ended or, with `isGone`, the CLI. A live source tells which of its questions end with the CLI;
   * the others wait without one, unless the session `isOver`.
   */
  clear({ isGone, isOver = false }: { isGone: boolean; isOver?: boolean }): void {
    this.#calls.clear();
    if (!isGone) return;
    this.#requests.clear();
    if (isOver) this.#asked.clear();
  }

  #ask(frame: WireObject): void {
    const question = readWireQuestion(frame);
    if (question?.kind !== 'permission' && question?.kind !== 'dialog') return;
    const { requestId, kind, name } = question;
    const title = kind === 'permission' ? wantsToRun(name) : `${name} asks`;
    this.#requests.set(requestId, title);
  }

  #answer(frame: WireObject): void {
    this.#requests.delete(readWireAnswer(frame)?.requestId ?? '');
  }

  #takeResults(frame: WireObject): void {
    const completed = completedOf(frame);
    if (completed) this.#calls.delete(completed.toolUseId);
    for (const { toolUseId } of readOutcomes(frame, blocksOf(frame))) this.#calls.delete(toolUseId);
  }
}

function wantsToRun(toolName: string): string {
  return `${splitToolName(toolName).name} wants to run`;
}
