// What a chat does with each request. A chat with a running answer does it from memory. For any other chat, the records say what
// was cut off: reading needs no session, and an answer of a person opens one only if its question is open.
import { warnOnce } from '@inboard/core/util/warn-once.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { ListedQuestion } from '../history/listed-question.js';
import type { CutOffAnswer } from '../history/recorded-answer.js';
import { withAnswers } from '../history/answered-parts.js';
import { toCutOffMessage, toUiMessages } from '../history/to-ui-messages.js';
import type { UiMessage } from '../history/ui-message.js';
import type { UiStreamOptions } from '../stream/ui-stream-options.js';
import type { WebStream } from '../stream/web-stream.js';
import { alreadyAnswered, noSuchApproval, type AnswerOutcome, type InputCheck } from './chat-answers.js';
import type { ChatRecords, FoundChat } from './chat-records.js';
import { approvalWaits, nothingToContinue } from './chat-refusal.js';
import type { OpenChat } from './open-chat.js';
import type { OpenChats } from './open-chats.js';
import type { ApprovalDecision, ContinuePost, UserPost } from './read-post.js';
import { readRecorded } from './recorded-stream.js';

export interface ChatActionsInput {
  chats: OpenChats;
  records: ChatRecords;
  options: UiStreamOptions;
  checkInput: InputCheck;
  /** Whether a request that only reads may let an answer go on. */
  mayGoOn: (to: ChatRequest) => Promise<boolean>;
}

/** A request to one chat. */
export interface ChatRequest {
  chatId: string;
  /** Undefined for a call of the program. */
  request: Request | undefined;
}

/** The actions of all chats of a server. */
export class ChatActions {
  readonly #input: ChatActionsInput;
  /** The readers that wait for a chat to go on, by its id. */
  readonly #followers = new Map<string, Set<() => void>>();

  constructor(input: ChatActionsInput) {
    this.#input = input;
  }

  /** Notes that an answer of a chat begins. */
  noteBegun(chatId: string): void {
    for (const wake of this.#followers.get(chatId) ?? []) wake();
  }

  /** Sends a message of the visitor. */
  async send(to: ChatRequest, post: UserPost): Promise<WebStream<string>> {
    const cutOff = await this.#findCutOff(to);
    if (cutOff && cutOff.open.length > 0) throw approvalWaits();
    return (await this.#open(to, cutOff)).send(post);
  }

  /** Takes the decisions of a page, and streams the rest of its answer. */
  async continue(to: ChatRequest, post: ContinuePost): Promise<WebStream<string>> {
    const { chatId, request } = to;
    if (this.#findOpen(chatId)?.hasAnswer(post.messageId) === true)
      return await (await this.#input.chats.open(chatId, request)).continue(post);
    const found = await this.#read(to);
    if (!found.isCertain) return await (await this.#input.chats.open(chatId, request)).continue(post);
    const cutOff = found.recorded?.cutOff;
    if (cutOff?.messageId !== post.messageId) throw nothingToContinue();
    const given = post.decisions.filter(({ approvalId }) => isOpen(cutOff, approvalId));
    for (const decision of given) await this.#check(cutOff, decision);
    const chat = await this.#open(to, cutOff);
    chat.expectContinued(cutOff.messageId);
    return await chat.continue(post);
  }

  /** Takes one decision. An answer without an open question opens nothing. */
  async answer(to: ChatRequest, decision: ApprovalDecision): Promise<AnswerOutcome> {
    const { chatId, request } = to;
    const { approvalId } = decision;
    const chat = this.#findOpen(chatId);
    if (chat && chat.state !== 'idle')
      return await (await this.#input.chats.open(chatId, request)).take(decision);
    const found = await this.#read(to);
    const cutOff = found.recorded?.cutOff;
    if (!cutOff || chat?.hasAnswer(cutOff.messageId) === true) {
      if (chat?.isOpen === true) return await chat.take(decision);
      if (found.isCertain) throw noSuchApproval();
      return await (await this.#input.chats.open(chatId, request)).take(decision);
    }
    const asked = cutOff.find(approvalId);
    if (!asked) throw noSuchApproval();
    if (asked.answer) throw alreadyAnswered(asked.answer);
    await this.#check(cutOff, decision);
    const open = await this.#open(to, cutOff);
    open.expectContinued(cutOff.messageId);
    return await open.take(decision);
  }

  /**
   * The running answer, or the one that waits for people. An answer that was cut off and waits for nobody goes on. Undefined if
   * there is none.
   */
  async read(to: ChatRequest, follow: boolean): Promise<WebStream<string> | undefined> {
    const running = this.#findOpen(to.chatId)?.replay(follow);
    if (running) return running;
    const cutOff = await this.#findCutOff(to);
    if (!cutOff) return undefined;
    if (await this.#goesOn(to, cutOff)) return (await this.#open(to, cutOff)).replay(follow);
    if (!cutOff.isReadable) return undefined;
    return readRecorded(cutOff, this.#input.options, follow ? this.#follow(to, cutOff) : undefined);
  }

  /** The open questions. */
  async list(to: ChatRequest): Promise<ListedQuestion[]> {
    const chat = this.#findOpen(to.chatId);
    if (chat && chat.state !== 'idle') return chat.questions.list();
    return (await this.#findCutOff(to))?.open ?? [];
  }

  /** Stops the running answer, or the one that waits for people. */
  async stop(to: ChatRequest): Promise<boolean> {
    const { chatId } = to;
    const chat = this.#findOpen(chatId);
    if (chat && chat.state !== 'idle') return await chat.stop();
    const cutOff = await this.#findCutOff(to);
    if (!cutOff?.isReadable && !(cutOff && (await this.#isLeft(to)))) return false;
    return await (await this.#open(to, cutOff)).stop();
  }

  /** What was said so far. Without `whole`, an answer that `read` gives is left out. */
  async messages(to: ChatRequest, whole: boolean): Promise<UiMessage[]> {
    const { recorded } = await this.#read(to);
    if (!recorded) return [];
    const { reasoning } = this.#input.options;
    const messages = await recorded.messages();
    const chat = this.#findOpen(to.chatId);
    const isRunning = chat !== undefined && chat.state !== 'idle';
    const isKnownHere = !isRunning && chat?.hasAnswer(recorded.cutOff?.messageId ?? '') === true;
    const cutOff = isKnownHere ? undefined : recorded.cutOff;
    const isGiven = isRunning || (cutOff && (cutOff.isReadable || (await this.#goesOn(to, cutOff))));
    const past = withAnswers(
      toUiMessages(messages, { reasoning, running: isGiven === true }),
      await recorded.answers(),
    );
    return whole && cutOff && isGiven ? [...past, toCutOffMessage(cutOff, reasoning)] : past;
  }

  #findOpen(chatId: string): OpenChat | undefined {
    return this.#input.chats.find(chatId);
  }

  async #read({ chatId, request }: ChatRequest): Promise<FoundChat> {
    return await this.#input.records.read(chatId, request);
  }

  /** Whether an answer that was cut off goes on when it is read, because it waits for nobody. */
  async #goesOn(to: ChatRequest, { isWaiting }: CutOffAnswer): Promise<boolean> {
    return !isWaiting && (await this.#input.mayGoOn(to)) && (await this.#isLeft(to));
  }

  async #isLeft({ chatId, request }: ChatRequest): Promise<boolean> {
    return await this.#input.records.isLeft(chatId, request);
  }

  /** The answer that was cut off. Undefined if there is none, or if this process knows more about it than the records. */
  async #findCutOff(to: ChatRequest): Promise<CutOffAnswer | undefined> {
    const chat = this.#findOpen(to.chatId);
    if (chat && chat.state !== 'idle') return undefined;
    const { recorded } = await this.#read(to);
    const cutOff = recorded?.cutOff;
    return cutOff && this.#findOpen(to.chatId)?.hasAnswer(cutOff.messageId) !== true ? cutOff : undefined;
  }

  async #open({ chatId, request }: ChatRequest, cutOff: CutOffAnswer | undefined): Promise<OpenChat> {
    const { chats } = this.#input;
    // Another process may have gone on with the conversation since the session here was opened.
    if (cutOff) await chats.drop(chatId, (chat) => chat.hasAnswer(cutOff.messageId));
    return await chats.open(chatId, request);
  }

  /** Refuses a changed input that is not accepted, before anything is opened. */
  async #check(cutOff: CutOffAnswer, decision: ApprovalDecision): Promise<void> {
    const { input, approvalId } = decision;
    const asked = cutOff.find(approvalId);
    if (input && asked) await this.#input.checkInput({ ...decision, input }, asked.question);
  }

  #follow(to: ChatRequest, { messageId, questions }: CutOffAnswer): Parameters<typeof readRecorded>[2] {
    const { chatId } = to;
    const ids = questions.map(({ question }) => question.approvalId);
    return {
      findRest: () => this.#findOpen(chatId)?.follow(messageId, ids),
      watch: (onChange) => {
        const watching = this.#followers.get(chatId) ?? new Set();
        this.#followers.set(chatId, watching.add(onChange));
        return () => {
          watching.delete(onChange);
          if (watching.size === 0) this.#followers.delete(chatId);
        };
      },
      isWaiting: async () => {
        try {
          return (await this.#findCutOff(to))?.isReadable === true;
        } catch (error) {
          warnOnce(`A chat could not be read: ${messageOf(error)}`, 'CHAT_FAILED', messageOf(error));
          return true;
        }
      },
    };
  }
}

function isOpen(cutOff: CutOffAnswer, approvalId: string): boolean {
  const asked = cutOff.find(approvalId);
  return asked !== undefined && !asked.answer;
}
