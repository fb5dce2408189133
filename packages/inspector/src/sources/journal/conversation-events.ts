// Converts the events of a journal to events of the inspector: messages and prompts to frames of the wire, questions and
// answers to questions, and most others to marks. Each is made from one journal event alone, so that any part can be read
// without the events before it.
import type { ClusterEvent, TurnOutcome } from '@inboard/cluster/journal/records.js';
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { cutEvent } from '../../stream/cut-event.js';
import { numberLine } from '../../stream/event-codec.js';
import type { InspectorEvent, SessionWarning } from '../../stream/inspector-event.js';
import type { Question } from '../../stream/question.js';

/** The number of the event that opens a conversation. The number of a journal event is its id plus this. */
const OPENING_NUMBER = 1;

/** The journal id of the event with a number; 0 for the opening. */
export function idOfNumber(n: number): number {
  return Math.max(0, n - OPENING_NUMBER);
}

/** What the conversion needs to know about the conversation. */
export interface EventTeller {
  key: string;
  createdAt: number;
  redactor: Redactor;
}

/** The line that opens a conversation. */
export function openingLine({ key, createdAt }: EventTeller): string {
  const startedAt = new Date(createdAt).toISOString();
  const opened: InspectorEvent = { type: 'opened', t: 0, kind: 'conversation', startedAt, title: key };
  return numberLine(OPENING_NUMBER, key, JSON.stringify(opened));
}

/** The line of an event, with long texts cut. */
export function eventLineOf(event: ClusterEvent, teller: EventTeller): string {
  const { json, isCut } = cutEvent(wholeEventOf(event, teller));
  // Events that the journal has shortened are marked too, so that the page can read them whole.
  const isShort = isCut || (event.type === 'message' && event.shortened !== undefined);
  return numberLine(event.id + OPENING_NUMBER, teller.key, json, isShort);
}

/** The JSON of a whole event, without its number. */
export function wholeEventOf(event: ClusterEvent, { key, createdAt, redactor }: EventTeller): string {
  const told = tell(event, Math.max(0, event.at - createdAt), key);
  return stringifyDeep(redactor.redactValue(told)) as string;
}

function tell(event: ClusterEvent, t: number, session: string): InspectorEvent {
  const mark = (what: SessionWarning['what'], code: string, message: string): SessionWarning => ({
    type: 'warning',
    t,
    code,
    message,
    what,
  });
  switch (event.type) {
    case 'message':
      return { type: 'frame', t, dir: 'in', frame: event.message as unknown as WireObject };
    case 'text':
      return {
        type: 'pieces',
        t,
        parent: null,
        index: 0,
        kind: 'text',
        text: event.text,
        count: 1,
        isLoose: true,
      };
    case 'question':
      return { type: 'asked', t, question: questionOf(event, session) };
    case 'answer':
      return withoutUndefined({
        type: 'settled' as const,
        t,
        id: event.question,
        outcome: event.behavior === 'allow' ? ('allowed' as const) : ('denied' as const),
        by: event.by,
      });
    default:
  }
  switch (event.state) {
    case 'queued':
      return {
        type: 'frame',
        t,
        dir: 'out',
        frame: {
          type: 'user',
          message: { role: 'user', content: event.content ?? '' },
          parent_tool_use_id: null,
        },
      };
    case 'running':
      // Epoch 0: the process that gave the answer wrote this event, and no worker has the lease yet.
      if (event.epoch === 0)
        return mark('task', 'TURN_READY', 'Answered: the next worker continues the turn');
      return event.attempt <= 1
        ? mark('start', 'TURN_BEGUN', `The turn ${event.turn} begins (lease ${event.epoch})`)
        : mark(
            'restart',
            'TURN_TAKEN_UP',
            `The turn continues: attempt ${event.attempt} (lease ${event.epoch})`,
          );
    case 'parked':
      return mark(
        'task',
        'TURN_PARKED',
        'Parked: its CLI has ended, and an answer or a result lets the turn continue',
      );
    default:
      return tellEnd(event.outcome, t);
  }
}

/** The end of a turn. If the turn failed without a CLI, no result shows that, so it becomes a fault. */
function tellEnd(outcome: TurnOutcome | undefined, t: number): InspectorEvent {
  const { ok, kind = 'ended', text = '', error, recovered } = outcome ?? {};
  if (recovered === true)
    return {
      type: 'warning',
      t,
      code: 'TURN_FOUND_FINISHED',
      message: `The answer was already in the transcript: ${text}`,
      what: 'end',
    };
  if (ok === false && (error !== undefined || FAILED_BESIDE_THE_CLI.has(kind)))
    return { type: 'fault', t, code: error?.code ?? kind.toUpperCase(), message: error?.message ?? text };
  return { type: 'warning', t, code: 'TURN_ENDED', message: `The turn ended: ${kind}`, what: 'end' };
}

const FAILED_BESIDE_THE_CLI: ReadonlySet<string> = new Set(['refused', 'failed', 'lost']);

// The event has names but no input. The input is stored with the question, which is deleted once it is settled.
function questionOf(event: Extract<ClusterEvent, { type: 'question' }>, session: string): Question {
  const { toolName: subject = 'A program', title, attempt, at, pending } = event;
  return {
    id: event.question,
    session,
    kind: pending ? 'held' : 'permission',
    subject,
    title: pending ? `${subject} is pending` : (title ?? `${subject} wants to run`),
    ...(pending && title !== undefined && { description: title }),
    input: {},
    hidden: [],
    suggestions: [],
    askedAt: at,
    attempt,
    canAnswer: false,
  };
}
