// One chat: its session, its questions, and the answer that is being given or was given last.
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import type { LogFiles } from '@inboard/core/util/queues/numbered-log.js';
import type { UserContent } from '@inboard/core/live/input/user-message.js';
import { userMessageOf } from '@inboard/core/live/input/user-message.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { UiChunk } from '../stream/ui-chunk.js';
import type { UiStreamOptions } from '../stream/ui-stream-options.js';
import { ChatAnswers, type AnswerOutcome, type InputCheck } from './chat-answers.js';
import { ChatQuestions } from './chat-questions.js';
import { ChatRun } from './chat-run.js';
import type { ApprovalDecision, ContinuePost, UserPost } from './read-post.js';
import { ChatRefusal } from './chat-refusal.js';
import { readRun } from './run-reader.js';
import type { WebStream } from '../stream/web-stream.js';

/** What every chat of a server shares. */
export interface OpenChatSetup {
  approvals: Approvals;
  settleMs: number;
  folder: LogFiles;
  options: UiStreamOptions;
  onLost: (cause: unknown) => void;
  checkInput: InputCheck;
}

/** What a page can see of a chat without reading it. */
export type UiChatState = 'idle' | 'running' | 'waiting';

const RESTARTED = 'The call was cut off by a restart, and is being made again.';

/** One chat, which `OpenChats` closes. */
export class OpenChat {
  readonly questions: ChatQuestions;
  readonly #answers: ChatAnswers;
  readonly #setup: OpenChatSetup;
  #session: Session | undefined;
  #run: ChatRun | undefined;

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

  /** Whether its session can be sent something; another one is opened where it cannot. */
  get isOpen(): boolean {
    return this.#session !== undefined && this.#session.state !== 'closed';
  }

  get state(): UiChatState {
    if (!this.#run || this.#run.isOver) return 'idle';
    return this.#run.isWaiting ? 'waiting' : 'running';
  }

  /** Takes the session, and goes on with the turn that a restart had cut off. */
  async start(session: Session): Promise<void> {
    this.#session = session;
    const turn = await session.continued;
    if (turn) this.#begin(turn, undefined, () => void session.interrupt().catch(() => {}));
  }

  /** Sends what the visitor wrote, and gives the answer as it comes. */
  send({ messageId, content }: UserPost): WebStream<string> {
    const run = this.#run;
    // A page that lost its connection before the answer began sends the same again.
    if (run && run.userMessageId === messageId) return readRun(run);
    if (run && !run.isOver) {
      throw new ChatRefusal(
        409,
        run.isWaiting ? 'APPROVAL_WAITS' : 'TURN_RUNNING',
        run.isWaiting
          ? 'The agent is waiting for an approval: answer it, or stop the answer, before you send another message.'
          : 'The agent is still answering: wait for it, or stop it, before you send another message.',
      );
    }
    return readRun(this.#send(messageId, content));
  }

  /** Takes the decisions of a page and gives the rest of the answer, behind what that page has. */
  async continue(post: ContinuePost): Promise<WebStream<string>> {
    const run = this.#run;
    if (run?.messageId !== post.messageId) {
      throw new ChatRefusal(
        409,
        'NOTHING_TO_CONTINUE',
        'This answer is no longer waiting for anything. Reload the conversation, or send a new message.',
      );
    }
    let isCompleting = false;
    // Of the other outcomes, the page reads in the log.
    for (const decision of post.decisions) {
      if ((await this.take(decision)) === 'kept') isCompleting = true;
    }
    // A call whose question is asked again is completed under its own id.
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

  /** The running answer from its start; undefined where there is none. */
  replay(follow: boolean): WebStream<string> | undefined {
    return this.#run && !this.#run.isOver ? readRun(this.#run, { follow }) : undefined;
  }

  /** Takes a decision, whichever request brought it. */
  async take(decision: ApprovalDecision): Promise<AnswerOutcome> {
    return await this.#answers.take(decision, this.#run);
  }

  /** Stops the running answer; whether there was one. */
  async stop(): Promise<boolean> {
    const run = this.#run;
    if (!run || run.isOver) return false;
    run.stop();
    await run.over;
    return true;
  }

  async close(abandon: boolean): Promise<void> {
    this.questions.close();
    const session = this.#session;
    if (session) await (abandon ? session.abandon() : session.close());
    // Its turn has failed with the session.
    await this.#run?.over;
    this.#run?.remove();
  }

  #send(messageId: string, content: UserContent): ChatRun {
    const session = this.#session as Session;
    const stopping = new AbortController();
    // Used literally: a visitor's "/clear" is no command, and "@/etc/passwd" attaches no file.
    const message = {
      ...userMessageOf(''),
      message: { role: 'user' as const, content },
      client_composed: true as const,
    };
    const turn = session.send(message, { signal: stopping.signal });
    return this.#begin(turn, messageId, () => stopping.abort());
  }

  #begin(turn: Turn, userMessageId: string | undefined, stop: () => void): ChatRun {
    this.#run?.remove();
    this.questions.forgetEndings();
    this.#answers.forget();
    const { settleMs, folder, onLost, options } = this.#setup;
    this.#run = new ChatRun({ turn, userMessageId, stop, settleMs, folder, onLost, options });
    for (const question of this.questions.list()) this.#run.ask(question);
    return this.#run;
  }
}
