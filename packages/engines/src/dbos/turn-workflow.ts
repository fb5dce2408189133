// The workflow of one turn. Its steps are attempts, and between them it waits for answers, for completed calls, or for a while. It is
// replayed from its recorded steps, so it does nothing by itself that could come out otherwise a second time.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { AttemptEnd } from '@inboard/durable/attempt/attempt-end.js';
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { MakeAttempt } from '../turn/engine-agents.js';
import type { EngineTurn } from '../turn/engine-turn.js';
import { readKeptOutcome } from '../turn/stored-outcome.js';
import type { AttemptPlaces } from './attempt-places.js';
import type { DbosLibrary } from './dbos-library.js';
import {
  nameStop,
  readMessage,
  TOPIC,
  WAITING_EVENT,
  type TurnMessage,
  type WaitingTurn,
} from './turn-messages.js';

/** How often an attempt is made again after an error, and when. */
export interface DbosRetries {
  /** How many attempts there are at most, with the first. Default 10. */
  maxAttempts?: number | undefined;
  /** Seconds before the second attempt. Default 1. */
  intervalSeconds?: number | undefined;
  /** How much longer each pause is than the one before. Default 2. */
  backoffRate?: number | undefined;
}

/** What a workflow works with. */
export interface TurnWork {
  readonly library: DbosLibrary;
  readonly attempt: MakeAttempt;
  readonly places: AttemptPlaces;
  readonly retries: DbosRetries;
  /** How long a turn with pending calls waits before it looks by itself whether they are completed. */
  readonly lookAgainMs: number;
}

/**
 * The end of an attempt, as the record of a step. `waitMs` is how long to wait if nothing comes. Records of earlier versions have no
 * `turnCostUsd`.
 */
type StepEnd =
  | { state: 'ended'; outcome: AttemptOutcome }
  | ({ state: 'waiting'; waitMs: number; turnCostUsd?: number } & WaitingTurn)
  | { state: 'again'; waitMs: number };

/** A turn that waits only for people has nothing to look for. DBOS wants a limit all the same. */
const FOR_PEOPLE_MS = 24 * 60 * 60 * 1000;
/** How long to leave the conversation to an attempt that something outside of DBOS has made. */
const LOST_MS = 1000;
/** How often a running attempt looks whether its turn was stopped. */
const LOOK_EVERY_MS = 1000;

/** Works on a turn until it ends. */
export async function workOnTurn(turn: EngineTurn, work: TurnWork): Promise<AttemptOutcome> {
  const { DBOS } = work.library;
  const answers: QuestionAnswer[] = [];
  let turnCostUsd = 0;
  for (;;) {
    const end = await DBOS.runStep(() => makeAttempt(turn, answers, work), {
      name: 'attempt',
      retriesAllowed: true,
      maxAttempts: work.retries.maxAttempts ?? 10,
      intervalSeconds: work.retries.intervalSeconds ?? 1,
      backoffRate: work.retries.backoffRate ?? 2,
      shouldRetry: (error) => !(error instanceof InvalidOptionsError),
    });
    if (end.state === 'ended') {
      const outcome = readKeptOutcome(end.outcome);
      return { ...outcome, turnCostUsd: turnCostUsd + outcome.turnCostUsd };
    }
    if (end.state === 'again') {
      await DBOS.sleep(end.waitMs);
      continue;
    }
    const { questions, pending } = end;
    turnCostUsd += end.turnCostUsd ?? 0;
    await DBOS.setEvent(WAITING_EVENT, { questions, pending, askings: countAnswers(questions, answers) });
    const given = await receive(work, end, answers);
    answers.push(...given);
    // What was answered is no longer asked, although it takes an attempt until the tool runs.
    const isOpen = ({ id }: { id: string }): boolean => !given.some((answer) => answer.id === id);
    const open = questions.filter(isOpen);
    await DBOS.setEvent(WAITING_EVENT, { questions: open, pending, askings: countAnswers(open, answers) });
  }
}

function countAnswers(
  questions: readonly { id: string }[],
  answers: readonly QuestionAnswer[],
): Record<string, number> {
  const counts = questions.map(({ id }): [string, number] => [
    id,
    answers.filter((answer) => answer.id === id).length,
  ]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/**
 * Waits for a message that counts, and takes those that have come with it. The first answer to a question counts. A question that is
 * asked again under its id is a new one, although it was answered in an earlier wait. An answer to a question that is not open now is kept
 * if it is the first, because an attempt does not always come to all questions of the one before. Answers that `answer()` sent say which
 * asking they are for; others may be sent by hand.
 */
async function receive(
  { library: { DBOS } }: TurnWork,
  { waitMs, questions }: { waitMs: number; questions: readonly { id: string }[] },
  earlier: readonly QuestionAnswer[],
): Promise<QuestionAnswer[]> {
  const given: QuestionAnswer[] = [];
  const isFirst = ({ answer: { id }, asking }: Extract<TurnMessage, { answer: unknown }>): boolean =>
    asking === undefined
      ? !given.some((each) => each.id === id) &&
        (questions.some((each) => each.id === id) || !earlier.some((each) => each.id === id))
      : asking === [...earlier, ...given].filter((each) => each.id === id).length;
  for (let timeoutSeconds = waitMs / 1000; ;) {
    const value = await DBOS.recv(TOPIC, { timeoutSeconds });
    if (value === null) return given;
    const message = readMessage(value);
    if (!message || ('answer' in message && !isFirst(message))) continue;
    if ('answer' in message) given.push(message.answer);
    timeoutSeconds = 0;
  }
}

async function makeAttempt(
  turn: EngineTurn,
  answers: readonly QuestionAnswer[],
  { library, attempt, places, lookAgainMs }: TurnWork,
): Promise<StepEnd> {
  const { DBOS, assertStillOwnsWorkflow } = library;
  // What belongs to this step is not to be had once other code has run.
  const { workflowID } = DBOS;
  const cancelled = DBOS.stepStatus?.cancelSignal;
  const own = async (): Promise<void> => {
    if (workflowID !== undefined) await assertStillOwnsWorkflow(workflowID);
  };
  const end = await places.within(async () => {
    // An execution that DBOS has given up must not take the conversation away from the one that has the workflow now.
    await own();
    const stop = await watchStop(library, workflowID);
    try {
      // That look may have taken long, and nothing else keeps this execution from taking the conversation.
      await own();
      return await attempt(turn, {
        answers,
        interrupt: cancelled ? AbortSignal.any([cancelled, stop.signal]) : stop.signal,
      });
    } finally {
      stop.end();
    }
  });
  // Ends this execution if DBOS has given the workflow to another one.
  if (end.state === 'lost') await own();
  return describeEnd(end, lookAgainMs);
}

function describeEnd(end: AttemptEnd, lookAgainMs: number): StepEnd {
  switch (end.state) {
    case 'ended':
      return end;
    case 'waiting': {
      const { questions, pending, turnCostUsd } = end;
      const waitMs = pending.length > 0 ? lookAgainMs : FOR_PEOPLE_MS;
      return { state: 'waiting', waitMs, questions, pending, turnCostUsd };
    }
    case 'busy':
      return { state: 'again', waitMs: Math.max(0, end.until - clock.Date.now()) };
    default:
      return { state: 'again', waitMs: LOST_MS };
  }
}

/**
 * Looks from time to time whether a person has stopped the turn. This is not told by DBOS's own cancelling: a workflow that is cancelled
 * gives its place to the next turn at once, before the CLI has ended and the transcript was told.
 */
async function watchStop(
  { DBOS }: DbosLibrary,
  workflowID: string | undefined,
): Promise<{ signal: AbortSignal; end: () => void }> {
  const stop = new AbortController();
  const look = async (): Promise<void> => {
    if (workflowID === undefined) return;
    if ((await DBOS.getWorkflowStatus(nameStop(workflowID))) !== null) stop.abort();
  };
  await look();
  // The database may be away for a moment. The next look finds out.
  const timer = clock.setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS);
  return { signal: stop.signal, end: () => clock.clearInterval(timer) };
}
