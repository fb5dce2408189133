// A call in short lines: what it was given, what came of it, who allowed it, how long it took.
import { toOneLine } from '@inboard/core/util/bounded-text.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { formatBytes, formatDuration } from '../format.js';
import { describeCompleted } from '@inboard/core/wire/protocol/messages/completed-call.js';
import type { QuestionOutcome } from '../../stream/inspector-event.js';
import type { CallItem, OutputPart, PermissionStep } from './story-item.js';

const LINE_CHARACTERS = 240;
/** Of a tool's input, the field that says most, where it has one of these. */
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
/** Where the CLI lists the tools of a subagent before its answer: for the model, not for a person. */
const TOOLS_USED = '<tools-used-before-summary>';
/** Lines of an output that are shown without unfolding it. */
const OUTPUT_LINES = 3;

const STATE_WORDS: Readonly<Record<CallItem['state'], string>> = {
  streaming: 'being written',
  asking: 'waits for an answer',
  running: 'running',
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
};

/** What a call's state is called. */
export function stateWord(call: CallItem): string {
  if (call.state === 'running' && call.isBackground) return 'running in the background';
  if (call.state === 'cut' && call.completed)
    return call.completed.how === 'notRun' ? 'did not run' : 'outcome unknown';
  return call.state === 'denied' && call.blockedBy ? 'blocked' : STATE_WORDS[call.state];
}

/** The input on one line. */
export function inputLine({ input, inputText, server, agent }: CallItem): string {
  if (input === undefined) return shorten(inputText);
  if (agent !== undefined && typeof input['description'] === 'string') return shorten(input['description']);
  const telling = server === undefined ? TELLING.find((name) => typeof input[name] === 'string') : undefined;
  if (telling !== undefined) return shorten(input[telling] as string);
  return shorten(fieldsLine(input));
}

/** What came of it, in its first lines; empty where there is nothing to say. */
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

/** Who decided whether it may run, after how long: "allowed by you after 1.5 s, edited". */
export function permissionLine(step: PermissionStep): string {
  const { outcome, by, askedT, settledT, isEdited } = step;
  if (outcome === undefined || settledT === undefined) return 'asks to run';
  const who = outcome === 'withdrawn' ? '' : whoLine(by);
  const edited = isEdited ? ', edited' : '';
  return `${OUTCOME_WORDS[outcome]}${who} after ${formatDuration(settledT - askedT)}${edited}`;
}

/** How a call that was cut off got its result, and who decided where no question tells that: "completed later: it ran, allowed by anna". */
export function completedLine({ completed, permission }: CallItem): string | undefined {
  if (!completed) return undefined;
  const { by: _by, ranInput: _ran, ...facts } = completed;
  return `completed later: ${describeCompleted(permission?.outcome === undefined ? completed : facts)}`;
}

/** How a question that belongs to no call ended. */
export function outcomeLine(outcome: QuestionOutcome, by: string | undefined): string {
  return `${OUTCOME_WORDS[outcome]}${outcome === 'withdrawn' ? '' : whoLine(by)}`;
}

/** The parts of a call's time, in milliseconds. What nobody saw is undefined. */
export interface CallTimes {
  /** Somebody was asked. */
  waited: number | undefined;
  /** The tool itself. */
  ran: number | undefined;
  /** From the model's first word of it to the result. */
  whole: number | undefined;
}

/** Where the time of a call went. */
export function callTimes({ t, permission, handlerMs, runsHere, endT, state }: CallItem): CallTimes {
  const settledT = permission?.settledT;
  const hasRun = state === 'done' || state === 'failed';
  return {
    waited: permission && settledT !== undefined ? settledT - permission.askedT : undefined,
    ran: runsHere ? handlerMs : hasRun && endT !== undefined ? endT - (settledT ?? t) : undefined,
    whole: endT === undefined ? undefined : endT - t,
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
