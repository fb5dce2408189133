// The last answer of a chat that has no session at the moment, if it was cut off. It is read from the transcript and the call
// records. Reading starts, claims and writes nothing.
import type { Approval } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import { loadPart } from '@inboard/core/util/load-part.js';
import type { readAnsweredCalls } from '@inboard/core/verbs/conversation/completion/read-answered-calls.js';
import type { UnfinishedCall } from '@inboard/core/verbs/conversation/completion/read-unfinished-turn.js';
import type { SessionMessage } from '@inboard/core/wire/protocol/config/past-sessions.js';
import type { PermissionResult } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { AnswerTranslator } from '../stream/answer-translator.js';
import { answerFactsOf } from '../stream/answer-facts.js';
import { answerIdOf } from '../stream/to-ui-stream.js';
import { describeHeld, describePermission, type ListedQuestion } from './listed-question.js';
import { pastOptionsOf, type UiChatPlace } from './chat-place.js';
import { readPastPrompt } from './read-prompt.js';
import { tellMessages } from './tell-messages.js';

/** The answer that was given to a question. */
export interface GivenAnswer {
  result: PermissionResult;
  by?: string | undefined;
  /** Milliseconds since 1970. */
  at: number;
}

/** A question of the last turn, and its answer if there is one. */
export interface RecordedQuestionState {
  question: ListedQuestion;
  answer?: GivenAnswer | undefined;
}

/** The conversation of a chat, as it was saved. */
export interface RecordedChat {
  /** Reads the past messages, oldest first. */
  messages: () => Promise<SessionMessage[]>;
  /** Reads which calls were decided about, by the ids that the model gave them. */
  answers: () => ReturnType<typeof readAnsweredCalls>;
  /** The last answer, if it was cut off. */
  cutOff?: CutOffAnswer | undefined;
}

/** Reads a chat. Undefined if its session has no transcript. Rejects with the error of the file system or the store. */
export async function readRecordedChat(
  place: UiChatPlace,
  approvals: Approvals,
): Promise<RecordedChat | undefined> {
  const { sessionId } = place;
  const past = pastOptionsOf(place);
  const { readLastTurn } = await loadPart(
    () => import('@inboard/core/record/history/sessions/transcript-state.js'),
  );
  const last = await readLastTurn(sessionId, past);
  if (!last) return undefined;
  const readMessages = async (): Promise<SessionMessage[]> => {
    const { getSessionMessages } = await loadPart(
      () => import('@inboard/core/record/history/sessions/session-messages.js'),
    );
    return await getSessionMessages(sessionId, past);
  };
  const answers: RecordedChat['answers'] = async () => {
    const part = await loadPart(
      () => import('@inboard/core/verbs/conversation/completion/read-answered-calls.js'),
    );
    return await part.readAnsweredCalls({ sessionId, options: place });
  };
  if (last.text !== undefined || last.stopped) return { messages: readMessages, answers };
  const messages = await readMessages();
  const { readUnfinishedTurn } = await loadPart(
    () => import('@inboard/core/verbs/conversation/completion/read-unfinished-turn.js'),
  );
  const turn = await readUnfinishedTurn({ sessionId, options: place });
  const calls = turn?.calls ?? [];
  const questions = calls.length === 0 ? [] : await listQuestions(sessionId, calls, approvals);
  const cutOff = new CutOffAnswer(last.uuid, { messages, calls, questions });
  return { messages: async () => messages, answers, cutOff };
}

/** An answer that was cut off, as far as it was saved. */
export class CutOffAnswer {
  /** The uuid of the user's message. */
  readonly turn: string;
  readonly messageId: string;
  readonly questions: readonly RecordedQuestionState[];
  /** Whether a call of it is completed later, by another program. */
  readonly isPending: boolean;
  readonly #messages: readonly SessionMessage[];
  readonly #unfinished: ReadonlySet<string>;

  constructor(
    turn: string,
    {
      messages,
      calls,
      questions,
    }: {
      messages: readonly SessionMessage[];
      calls: readonly UnfinishedCall[];
      questions: readonly RecordedQuestionState[];
    },
  ) {
    this.turn = turn;
    this.messageId = answerIdOf(turn);
    this.questions = questions;
    const prompt = messages.findLastIndex((message) => message.uuid === turn);
    const found = prompt < 0 ? messages.findLastIndex((message) => readPastPrompt(message)) : prompt;
    this.#messages = messages.slice(found + 1);
    this.#unfinished = new Set(calls.map(({ toolUseId }) => toolUseId));
    this.isPending = calls.some(({ state }) => state === 'pending');
  }

  /** The questions that wait for an answer, oldest first. */
  get open(): ListedQuestion[] {
    return this.questions.flatMap(({ question, answer }) => (answer ? [] : [question]));
  }

  /** Whether the answer goes on only after people have answered, or other programs have. */
  get isWaiting(): boolean {
    return this.open.length > 0 || this.isPending;
  }

  /** Whether a reader can get it without a session: it waits, or it has questions whose answers nothing was done with yet. */
  get isReadable(): boolean {
    return this.questions.length > 0 || this.isPending;
  }

  find(approvalId: string): RecordedQuestionState | undefined {
    return this.questions.find(({ question }) => question.approvalId === approvalId);
  }

  /** Tells what was said so far. The calls that are unfinished stay open. */
  tell(translator: AnswerTranslator): void {
    tellMessages(translator, this.#messages, this.#unfinished);
  }

  /** Tells the questions and their answers, after `tell`. */
  tellQuestions({ calls }: AnswerTranslator): void {
    for (const { question, answer } of this.questions) {
      calls.ask(question);
      if (!answer) continue;
      calls.answered(answerFactsOf(question, answer.result, answer.by));
    }
  }
}

async function listQuestions(
  sessionId: string,
  calls: readonly UnfinishedCall[],
  approvals: Approvals,
): Promise<RecordedQuestionState[]> {
  const queued = new Map((await approvals.list({ answered: true })).map((each) => [each.id, each]));
  const asked = calls.flatMap((call): RecordedQuestionState[] => {
    const answer = readAnswer(call, queued.get(call.callKey));
    const question = call.state === 'asked' || answer ? toQuestion(call) : undefined;
    return question ? [{ question, answer }] : [];
  });
  const held = [...queued.values()].flatMap((approval): RecordedQuestionState[] => {
    if (approval.kind !== 'tool' || approval.sessionId !== sessionId || approval.answer) return [];
    const call = calls.find((each) => each.state === 'waiting' && isAskedIn(approval, each));
    return call ? [{ question: describeHeld(approval, call.toolUseId) }] : [];
  });
  return [...asked, ...held].toSorted((one, other) => one.question.askedAt - other.question.askedAt);
}

/** The question about a call. Undefined for a call that has begun, because it is no longer asked about. */
function toQuestion(call: UnfinishedCall): ListedQuestion | undefined {
  const { callKey, toolUseId, toolName, asked, attempt, state } = call;
  if (!asked || state === 'begun' || state === 'waiting' || state === 'withdrawn') return undefined;
  const { question, input, at } = asked;
  return describePermission(
    { approvalId: callKey, toolCallId: toolUseId, toolName, input, attempt, askedAt: at },
    question,
  );
}

/** The answer in the records, or the one that a queue keeps for the next session. */
function readAnswer({ answered }: UnfinishedCall, queued: Approval | undefined): GivenAnswer | undefined {
  if (answered) return { result: answered.answer, by: answered.by, at: answered.at };
  return queued?.answer && { ...queued.answer, at: queued.answer.answeredAt };
}

function isAskedIn({ id, toolName }: Approval, call: UnfinishedCall): boolean {
  return id.startsWith(`${call.callKey}_ask_`) || toolName === call.toolName;
}
