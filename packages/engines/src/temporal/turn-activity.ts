// What the workflow hands the activity that makes an attempt. Types alone: the workflow's side imports no code of this one.
import type { AttemptEnd } from '@inboard/durable/attempt/attempt-end.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { EngineTurn } from '../turn/engine-turn.js';

/** The input of an attempt. */
export interface TurnActivityInput {
  turn: EngineTurn;
  /** All answers of people to questions of this turn. */
  answers: QuestionAnswer[];
  /** A person has stopped the turn: the attempt ends it. */
  stop?: true;
}

/** The activities that `turnActivities` makes. */
export interface TurnActivities {
  /** Makes one attempt at a turn. */
  inboardAttempt(input: TurnActivityInput): Promise<AttemptEnd>;
}
