// Keeps the open elicitations and dialogs of a live CLI. If a callback returns null, its question stays open here, and the
// inspector can answer it.
import type { InboardError } from '../../errors.js';
import { onAbort } from '../../util/on-abort.js';
import { OpenTable } from '../../util/open-table.js';
import { clock } from '../../util/system/clock.js';
import { LEFT_OPEN, type AnswerContext, type Answerer } from '../../wire/protocol/answer.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { OnElicitation, OnUserDialog } from '../../wire/protocol/config/user-questions.js';
import { createElicitationAnswerer, createUserDialogAnswerer } from './answer-dialog.js';
import { answeredElsewhere } from './question-errors.js';
import { QuestionWatchers, type QuestionWatcher } from './question-watchers.js';

/** A question in the table. */
export interface OpenDialog {
  readonly kind: 'elicitation' | 'dialog';
  readonly asked: WireObject;
  readonly askedAt: number;
}

/** Connects the questions with their live CLI. */
export interface DialogQuestionsOptions {
  onElicitation: OnElicitation | undefined;
  onUserDialog: OnUserDialog | undefined;
  /** Tells the program why a callback gave no answer. */
  onFailure: (error: InboardError) => void;
  /**
   * Sends the answer to an open request. False if the request is no longer open. If a callback still works on the request,
   * its signal aborts with `notice` as the reason.
   */
  write(requestId: string, response: unknown, notice?: Error): boolean;
}

/** The open elicitations and dialogs of one live CLI. The CLI's owner calls `close`. */
export class DialogQuestions {
  readonly #options: DialogQuestionsOptions;
  readonly #open = new OpenTable<string, OpenDialog>();
  readonly #watchers = new QuestionWatchers<OpenDialog>();
  /** The answerer for `elicitation`. */
  readonly elicitation: Answerer;
  /** The answerer for `request_user_dialog`. */
  readonly dialog: Answerer;

  constructor(options: DialogQuestionsOptions) {
    this.#options = options;
    const { onElicitation, onUserDialog, onFailure } = options;
    const elicit = createElicitationAnswerer(onElicitation, onFailure);
    this.elicitation = (request, context) => this.#ask('elicitation', elicit, request, context);
    const show = createUserDialogAnswerer(onUserDialog, onFailure);
    // Without a callback the dialog belongs to another client of the session.
    this.dialog = onUserDialog ? (request, context) => this.#ask('dialog', show, request, context) : show;
  }

  /** Answers an open question, in the form that its callback would use. False if the question is no longer open. */
  settle(requestId: string, answer: unknown, by: string): boolean {
    if (!this.#open.delete(requestId)) return false;
    const isWritten = this.#options.write(requestId, answer, answeredElsewhere(by));
    this.#watchers.settled(requestId, isWritten ? answer : undefined, by);
    return isWritten;
  }

  /** Tells the watcher of open questions, and of every later one. The returned function removes the watcher. */
  watch(watcher: QuestionWatcher<OpenDialog>): () => void {
    return this.#watchers.add(watcher, this.#open.entries());
  }

  /** Forgets all questions, because none can be answered once the CLI has ended. */
  close(): void {
    for (const [requestId] of this.#open.entries()) this.#forget(requestId, undefined);
  }

  async #ask(
    kind: OpenDialog['kind'],
    answerer: Answerer,
    request: WireObject,
    context: AnswerContext,
  ): Promise<unknown> {
    const { requestId } = context;
    const question: OpenDialog = { kind, asked: request, askedAt: clock.Date.now() };
    this.#open.set(requestId, question);
    if (!this.#watchers.isEmpty)
      onAbort(context.signal, () => {
        // The signal also aborts when the question is answered from outside. Then it is already settled.
        if (this.#open.get(requestId) === question) this.#watchers.settled(requestId, undefined);
      });
    this.#watchers.asked(requestId, question);
    if (!this.#open.get(requestId)) return LEFT_OPEN;
    try {
      const answer = await answerer(request, context);
      if (answer === LEFT_OPEN) onAbort(context.signal, () => this.#forget(requestId, undefined));
      else this.#forget(requestId, answer, 'callback');
      return answer;
    } catch (error) {
      this.#forget(requestId, undefined);
      throw error;
    }
  }

  #forget(requestId: string, answer: unknown, by?: string): void {
    if (this.#open.delete(requestId)) this.#watchers.settled(requestId, answer, by);
  }
}
