// One chat: its session, its questions, and its current or last answer.
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import type { LogFiles } from '@inboard/core/util/queues/numbered-log.js';
import type { UserContent } from '@inboard/core/live/input/user-message.js';
import { warnOnce } from '@inboard/core/util/warn-once.js';
import { userMessageOf } from '@inboard/core/live/input/user-message.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { CutOffAnswer } from '../history/recorded-answer.js';
import type { UiChunk } from '../stream/ui-chunk.js';
import type { UiStreamOptions } from '../stream/ui-stream-options.js';
import { ChatAnswers, type AnswerOutcome, type InputCheck } from './chat-answers.js';
import { ChatQuestions } from './chat-questions.js';
import { ChatRun } from './chat-run.js';
import type { ApprovalDecision, ContinuePost, UserPost } from './read-post.js';
import { approvalWaits, nothingToContinue, serverCloses, turnRuns } from './chat-refusal.js';
import { readRun } from './run-reader.js';
import type { WebStream } from '../stream/web-stream.js';

/** The parts that all chats of a server share. */
export interface OpenChatSetup {
  approvals: Approvals;
  settleMs: number;
  folder: LogFiles;
  options: UiStreamOptions;
  onLost: (cause: unknown) => void;
  checkInput: InputCheck;
  /** Called when an answer of the chat begins. */
  onBegin: () => void;
}

/** The state of a chat. A page can show it without reading the answer. */
export type UiChatState = 'idle' | 'running' | 'waiting';

/** How long an answer waits until its question is asked again, after the session was opened, in milliseconds. */
const ASKED_WITHIN_MS = 10_000;
const NOT_CONTINUED =
  'A question of a chat cannot be answered: its session was opened without interrupted: \'continue\', or is another session than the one of the option "place"';
const RESTARTED = 'The call was cut off by a restart, and is being made again.';

/** One chat. `OpenChats` closes it. */
export class OpenChat {
  readonly questions: ChatQuestions;
  readonly #answers: ChatAnswers;
  readonly #setup: OpenChatSetup;
  #session: Session | undefined;
  #run: ChatRun | undefined;
  /** The answer that was cut off before the session was opened, if the session does not go on with it. */
  #leftTurn: string | undefined;
  /** The questions of the current answer that were open before a restart. */
  #askedBefore: ReadonlySet<string> = new Set();
  #isClosed = false;

  constructor(setup: OpenChatSetup) {
    this.#setup = setup;
    this.questions = new ChatQuestions(setup.approvals, {
      listener: {
        asked: (facts) => {
          this.#run?.ask(facts);
          this.#answers.asked(facts.approvalId);
        },
        answered: (facts) => this.#run?.answered(facts),
        withdrawn: (id) => this.#run?.withdrawn(id),
      },
      isOurs: ({ context }) =>
        context?.sessionId !== undefined && context.sessionId === this.#session?.sessionId,
    });
    this.#answers = new ChatAnswers(this.questions, setup);
  }

  /** Whether the session can take messages. If it cannot, `OpenChats` opens another one. */
  get isOpen(): boolean {
    return this.#session !== undefined && this.#session.state !== 'closed';
  }

  get state(): UiChatState {
    if (!this.#run || this.#run.isOver) return 'idle';
    return this.#run.isWaiting ? 'waiting' : 'running';
  }

  /** Whether the chat waits for people, and its session has no CLI. It can be left, because its questions are recorded. */
  get isLeavable(): boolean {
    return this.state === 'waiting' && (this.#session?.state as string | undefined) === 'waiting';
  }

  /** Whether a question is open, or was open before a restart and comes again. The answer need not count as waiting yet. */
  get isAsking(): boolean {
    if (!this.#run || this.#run.isOver || this.#run.isStopped) return false;
    const { questions } = this;
    const isDue = (id: string): boolean => questions.endingOf(id)?.how !== 'answered';
    return questions.list().length > 0 || [...this.#askedBefore].some(isDue);
  }

  /** Whether the last answer of this chat has this id. The chat then knows more of it than the records. */
  hasAnswer(messageId: string): boolean {
    return this.isOpen && (this.#run?.messageId ?? this.#leftTurn) === messageId;
  }

  /**
   * Takes the session. If it continues a turn that a restart has cut off, that turn becomes the current answer. `before` is what
   * was saved of it. Rejects with the reason of `lost`, if that comes first.
   */
  async start(session: Session, before: CutOffAnswer | undefined, lost: Promise<never>): Promise<void> {
    this.#session = session;
    const turn = await Promise.race([session.continued, lost]);
    if (!turn) this.#leftTurn = before?.messageId;
    else
      this.#begin(turn, undefined, {
        stop: () => void session.interrupt().catch(() => {}),
        before: before?.turn === turn.uuid ? before : undefined,
      });
  }

  /** Sends the visitor's message, and streams the answer. */
  send({ messageId, content }: UserPost): WebStream<string> {
    const run = this.#run;
    // A page that lost its connection before the answer began sends the same message again.
    if (run && run.userMessageId === messageId) return readRun(run);
    if (run && !run.isOver) {
      if (run.isWaiting) throw approvalWaits();
      throw turnRuns(run.isContinued);
    }
    return readRun(this.#send(messageId, content));
  }

  /** Takes the decisions of a page, and streams the part of the answer that the page does not have yet. */
  async continue(post: ContinuePost): Promise<WebStream<string>> {
    const run = this.#run;
    if (run?.messageId !== post.messageId) throw nothingToContinue();
    let isCompleting = false;
    // Only the outcome `kept` matters here. The page reads about the others in the log.
    for (const decision of post.decisions) {
      if ((await this.take(decision)) === 'kept') isCompleting = true;
    }
    // If a question will be asked again, its call is completed later under the same id. So no call is shown as failed here.
    const before = post.openCallIds
      .filter((id) => !isCompleting && !run.hasCall(id))
      .map((toolCallId): UiChunk => ({
        type: 'tool-output-error',
        toolCallId,
        errorText: RESTARTED,
        dynamic: true,
      }));
    return readRun(run, { after: run.placeBehind(post.approvalIds), before });
  }

  /** The running answer from its start. Undefined if no answer is running. */
  replay(follow: boolean): WebStream<string> | undefined {
    return this.#run && !this.#run.isOver ? readRun(this.#run, { follow }) : undefined;
  }

  /** The rest of the running answer, for a reader that follows and knows these questions. Undefined if none is running. */
  follow(messageId: string, approvalIds: readonly string[]): WebStream<string> | undefined {
    const run = this.#run;
    if (run?.messageId !== messageId) return undefined;
    return readRun(run, { follow: true, isBegun: true, after: run.placeBehind(approvalIds) });
  }

  /**
   * Takes a decision, from a message of the page or from the approvals route. A question of before a restart is asked again a
   * moment after the session was opened, so a decision about it waits for that.
   */
  async take(decision: ApprovalDecision): Promise<AnswerOutcome> {
    const { approvalId } = decision;
    const run = this.#run;
    if (run && this.#askedBefore.has(approvalId))
      await this.questions.whenAsked(approvalId, { withinMs: ASKED_WITHIN_MS, over: run.over });
    if (this.#isClosed) throw serverCloses();
    return await this.#answers.take(decision, this.#run);
  }

  /** Refuses if the session does not go on with an answer that was cut off. */
  expectContinued(messageId: string): void {
    if (this.#run?.messageId === messageId) return;
    warnOnce(NOT_CONTINUED, 'CHAT_FAILED', NOT_CONTINUED);
    throw nothingToContinue();
  }

  /** Stops the running answer. Returns whether there was one. */
  async stop(): Promise<boolean> {
    const run = this.#run;
    if (!run || run.isOver) return false;
    run.stop();
    await run.over;
    return true;
  }

  async close(abandon: boolean): Promise<void> {
    this.#isClosed = true;
    this.questions.close();
    const session = this.#session;
    if (abandon) this.#run?.leave();
    if (session) await (abandon ? session.abandon() : session.close());
    // The turn of the answer fails with the session, so this settles.
    await this.#run?.over;
    this.#run?.remove();
  }

  #send(messageId: string, content: UserContent): ChatRun {
    const session = this.#session as Session;
    const stopping = new AbortController();
    // The text is used literally: a visitor's "/clear" is no command, and "@/etc/passwd" attaches no file.
    const message = {
      ...userMessageOf(''),
      message: { role: 'user' as const, content },
      client_composed: true as const,
    };
    const turn = session.send(message, { signal: stopping.signal });
    return this.#begin(turn, messageId, { stop: () => stopping.abort() });
  }

  #begin(
    turn: Turn,
    userMessageId: string | undefined,
    { stop, before }: { stop: () => void; before?: CutOffAnswer | undefined },
  ): ChatRun {
    this.#run?.remove();
    this.questions.forgetEndings();
    this.#answers.forget();
    const { settleMs, folder, onLost, options } = this.#setup;
    this.#askedBefore = new Set(before?.open.map(({ approvalId }) => approvalId));
    this.#run = new ChatRun({ turn, userMessageId, stop, settleMs, before, folder, onLost, options });
    for (const question of this.questions.list()) this.#run.ask(question);
    this.#setup.onBegin();
    return this.#run;
  }
}
