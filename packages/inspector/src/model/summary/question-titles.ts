// Keeps what the open questions of a session are called. Which are open, and which calls run, is decided where the time is counted.
import { readWireQuestion } from '@inboard/core/record/trace/timeline/wire-question.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { QuestionAsked } from '../../stream/inspector-event.js';
import { splitToolName } from '../story/tool-name.js';

/** The titles of questions, by their ids. */
export class QuestionTitles {
  readonly #titles = new Map<string, string>();

  titleOf(id: string): string {
    return this.#titles.get(id) ?? 'a question';
  }

  /** Takes a question of a live source. */
  asked({ question }: QuestionAsked): void {
    const { id, kind, subject, title } = question;
    this.#titles.set(id, kind === 'permission' ? wantsToRun(subject) : title);
  }

  /** Takes a frame of the CLI. */
  take(frame: WireObject): void {
    if (frame['type'] !== 'control_request') return;
    const question = readWireQuestion(frame);
    if (question?.kind !== 'permission' && question?.kind !== 'dialog') return;
    const { requestId, kind, name } = question;
    if (this.#titles.has(requestId)) return;
    this.#titles.set(requestId, kind === 'permission' ? wantsToRun(name) : `${name} asks`);
  }

  /** Forgets the titles of all questions but the open ones. */
  keep(open: readonly { id: string }[]): void {
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.#titles.keys()) if (!ids.has(id)) this.#titles.delete(id);
  }
}

function wantsToRun(toolName: string): string {
  return `${splitToolName(toolName).name} wants to run`;
}
