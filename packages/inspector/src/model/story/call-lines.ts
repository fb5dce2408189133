// Describes a call in short lines: its input, its output, who allowed it, and how long it took.
import { toOneLine } from '@inboard/core/util/bounded-text.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { formatBytes, formatDuration } from '../format.js';
import { describeCompleted } from '@inboard/core/wire/protocol/messages/completed-call.js';
import type { QuestionOutcome } from '../../stream/inspector-event.js';
import type { CallItem, OutputPart, PendingStep, PermissionStep } from './story-item.js';

const LINE_CHARACTERS = 240;
/** The input fields that say most about a call, the best first. */
const TELLING = [
  'command',
  'file_path',
  'path',
  'pattern',
  'query',
  'url',
  'subject',
  'description',
  'prompt',
];
/** Begins the list of used tools that the CLI puts before a subagent's answer. The list is for the model, not for a person. */
const TOOLS_USED = '<tools-used-before-summary>';
/** How many lines of an output are shown before it is unfolded. */
const OUTPUT_LINES = 3;

const STATE_WORDS: Readonly<Record<CallItem['state'], string>> = {
  streaming: 'being written',
  asking: 'waits for an answer',
  running: 'running',
  pending: 'waits for its result',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  cut: 'cut off',
};

const OUTCOME_WORDS: Readonly<Record<QuestionOutcome, string>> = {
  allowed: 'allowed',
  'allowed-always': 'allowed for good',
  denied: 'denied',
  answered: 'answered',
  declined: 'declined',
  withdrawn: 'withdrawn',
  completed: 'completed',
  failed: 'failed',
  over: 'no longer pending',
};

export function stateWord(call: CallItem): string {
  if (call.state === 'running' && call.isBackground) return 'running in the background';
  if (call.state === 'cut' && call.completed)
    return call.completed.how === 'notRun' ? 'did not run' : 'outcome unknown';
  return call.state === 'denied' && call.blockedBy ? 'blocked' : STATE_WORDS[call.state];
}

/** The input that ran on one line. For a tool of the CLI, that is the field that says most, if there is one. */
export function inputLine({ input: asked, ranInput, inputText, server, agent }: CallItem): string {
  const input = ranInput ?? asked;
  if (input === undefined) return shorten(inputText);
  if (agent !== undefined && typeof input['description'] === 'string') return shorten(input['description']);
  const telling = server === undefined ? TELLING.find((name) => typeof input[name] === 'string') : undefined;
  if (telling !== undefined) return shorten(input[telling] as string);
  return shorten(fieldsLine(input));
}

/** The first lines of the output; empty if there is none. */
export function outputLines({ output, report }: Pick<CallItem, 'output' | 'report'>): string {
  const texts = report === undefined ? output.map(shortPart) : [report];
  return texts
    .join('\n')
    .slice(0, LINE_CHARACTERS * OUTPUT_LINES * 2)
    .split('\n')
    .map(shorten)
    .filter((line) => line !== '' && !line.startsWith('[Image: ') && !line.startsWith(TOOLS_USED))
    .slice(0, OUTPUT_LINES)
    .join('\n');
}

/** Who decided whether the call may run, and after how long: "allowed by you after 1.5 s, edited". */
export function permissionLine(step: PermissionStep): string {
  const { outcome, by, askedT, settledT, isEdited } = step;
  if (outcome === undefined || settledT === undefined) return 'asks to run';
  const who = outcome === 'withdrawn' ? '' : whoLine(by);
  const edited = isEdited ? ', edited' : '';
  return `${OUTCOME_WORDS[outcome]}${who} after ${formatDuration(settledT - askedT)}${edited}`;
}

/**
 * How a call that was cut off got its result: "completed later: it ran, allowed by anna". The line says who decided
 * only if no question of the call says it.
 */
export function completedLine({ completed, permission }: CallItem): string | undefined {
  if (!completed) return undefined;
  const { by: _by, ranInput: _ran, ...facts } = completed;
  return `completed later: ${describeCompleted(permission?.outcome === undefined ? completed : facts)}`;
}

/** How the result of a pending call came, and after how long: "completed by you after 2 h". */
export function pendingLine({ note, t, settledT, outcome = 'over', by }: PendingStep): string {
  const how =
    settledT === undefined ? 'pending' : `${outcomeLine(outcome, by)} after ${formatDuration(settledT - t)}`;
  return note === undefined ? how : `${how}: ${note}`;
}

/** How a question that belongs to no call ended. */
export function outcomeLine(outcome: QuestionOutcome, by: string | undefined): string {
  return `${OUTCOME_WORDS[outcome]}${outcome === 'withdrawn' ? '' : whoLine(by)}`;
}

/** The parts of a call's time, in milliseconds; a part is undefined if no event shows it. */
export interface CallTimes {
  /** The wait for a permission. */
  waited: number | undefined;
  /** The run of the tool itself. */
  ran: number | undefined;
  /** From the whole call to its result, as in all views. While the model writes it, the time is the model's. */
  whole: number | undefined;
}

/** Where the time of a call went. */
export function callTimes(call: CallItem): CallTimes {
  const { t, permission, handlerMs, runsHere, madeT, endT, state } = call;
  const settledT = permission?.settledT;
  const hasRun = state === 'done' || state === 'failed';
  return {
    waited: permission && settledT !== undefined ? settledT - permission.askedT : undefined,
    ran: runsHere ? handlerMs : hasRun && endT !== undefined ? endT - (settledT ?? madeT ?? t) : undefined,
    whole: endT === undefined || madeT === undefined ? undefined : endT - madeT,
  };
}

function whoLine(by: string | undefined): string {
  if (by === undefined) return '';
  return by === 'inspector' ? ' by you' : by === 'callback' ? ' by the program' : ` by ${by}`;
}

function shortPart(part: OutputPart): string {
  if (part.type === 'text') return part.text.trim();
  if (part.type === 'json') return isRecord(part.value) ? fieldsLine(part.value) : shortValue(part.value);
  return `${part.mediaType}${part.bytes > 0 ? `, ${formatBytes(part.bytes)}` : ''}`;
}

function fieldsLine(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .slice(0, 8)
    .map(([name, value]) => `${name}: ${shortValue(value)}`)
    .join(', ');
}

function shortValue(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, LINE_CHARACTERS);
  if (Array.isArray(value)) return value.length === 1 ? '[1 item]' : `[${value.length} items]`;
  if (!isRecord(value)) return String(value);
  const names = Object.keys(value);
  if (names.length === 0) return '{}';
  return `{ ${names.slice(0, 6).join(', ')}${names.length > 6 ? ', …' : ''} }`;
}

function shorten(text: string): string {
  return toOneLine(text, LINE_CHARACTERS);
}
