// Keeps the open questions and running calls of a session, and counts the failed calls, each once.
import { isRecord } from '@inboard/core/util/guards.js';
import {
  readWireAnswer,
  readCancel,
  readWireQuestion,
} from '@inboard/core/record/trace/timeline/wire-question.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { completedOf, hasRun } from '@inboard/core/wire/protocol/messages/completed-call.js';
import { blocksOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { QuestionAsked, QuestionSettled } from '../../stream/inspector-event.js';
import { readOutcomes } from '../story/read-output.js';
import { splitToolName } from '../story/tool-name.js';

/** The open work of one session. */
export class OpenWork {
  failedCalls = 0;
  /** Questions from the wire, by the id of the request. */
  readonly #requests = new Map<string, { title: string; toolUseId: string | undefined }>();
  /** Questions from a live source, by their ids. The live source knows whether a person is really asked. */
  readonly #asked = new Map<string, { title: string; isPending: boolean }>();
  #isTold = false;
  readonly #calls = new Map<string, string>();
  readonly #denied = new Set<string>();

  /** The questions that wait for a person, each in a few words. */
  get waiting(): readonly string[] {
    if (this.#isTold) return [...this.#asked.values()].map(({ title }) => title);
    return this.#requests.size === 0 ? [] : [...this.#requests.values()].map(({ title }) => title);
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
    this.#denied.clear();
    if (!isGone) return;
    this.#requests.clear();
    if (isOver) this.#asked.clear();
  }

  #ask(frame: WireObject): void {
    const question = readWireQuestion(frame);
    if (question?.kind !== 'permission' && question?.kind !== 'dialog') return;
    const { requestId, toolUseId, kind, name } = question;
    const title = kind === 'permission' ? wantsToRun(name) : `${name} asks`;
    this.#requests.set(requestId, { title, toolUseId });
  }

  #answer(frame: WireObject): void {
    const answer = readWireAnswer(frame);
    const asked = answer && this.#requests.get(answer.requestId);
    if (!asked) return;
    this.#requests.delete(answer.requestId);
    const isDenied = isRecord(answer.value) && answer.value['behavior'] === 'deny';
    if (isDenied && asked.toolUseId !== undefined) this.#denied.add(asked.toolUseId);
  }

  #takeResults(frame: WireObject): void {
    const completed = completedOf(frame);
    // A call that was completed later is not among the open ones, because its CLI has ended.
    const hasRunLater = completed !== undefined && hasRun(completed);
    if (completed && !hasRunLater) {
      this.#calls.delete(completed.toolUseId);
      return;
    }
    for (const { toolUseId, isError, isRefused, isCut } of readOutcomes(frame, blocksOf(frame))) {
      // A result that is repeated, as after a restart, is not counted again.
      const isOpen = this.#calls.delete(toolUseId) || hasRunLater;
      if (isError && isOpen && !isRefused && !isCut && !this.#denied.has(toolUseId)) this.failedCalls += 1;
    }
  }
}

function wantsToRun(toolName: string): string {
  return `${splitToolName(toolName).name} wants to run`;
}
