// Describes an event for a row of the wire view. Frames are described as in timelines. This file adds the events that did
// not pass the wire, short names of tools, and the colours of rows.
import { readEnd, readStep, type TimeReader } from '@inboard/core/record/trace/timeline/readable-step.js';
import { rowOf, rowOfEnd, type AskedQuestions } from '@inboard/core/record/trace/timeline/timeline-row.js';
import {
  shortenToSummary,
  type TimelineLayer,
} from '@inboard/core/record/trace/timeline/frame-description.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { blocksOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { JoinedPieces, InspectorEvent } from '../../stream/inspector-event.js';
import { describeWaits } from '../describe-waits.js';
import type { WireRow } from './wire-row.js';

/** The fields of a row that describe its event. */
export type EventDescription = Pick<
  WireRow,
  't' | 'layer' | 'direction' | 'event' | 'summary' | 'ids' | 'isError' | 'answers'
>;

const PERMISSION_EVENTS = new Set(['asked', 'settled', 'can_use_tool', 'elicitation', 'request_user_dialog']);

/** Describes an event that is not a piece of a streamed answer. `questions` links answers to their questions, by number. */
export function describeEvent(
  n: number,
  event: Exclude<InspectorEvent, JoinedPieces>,
  { times, questions }: { times: TimeReader; questions: AskedQuestions },
): EventDescription {
  switch (event.type) {
    case 'header': {
      const { claudeCodeVersion, cwd } = event;
      const version = claudeCodeVersion ? `CLI ${claudeCodeVersion}` : 'CLI of unknown version';
      return beside(
        times.readOf(event),
        'header',
        [version, cwd].filter((part) => typeof part === 'string').join(' · '),
      );
    }
    case 'opened':
      return beside(times.readOf(event), 'opened', event.title ?? event.kind);
    case 'asked': {
      const { question } = event;
      const ids = [question.id, question.toolUseId].filter((id) => id !== undefined);
      return { ...beside(times.readOf(event), 'asked', question.title), ids };
    }
    case 'settled': {
      const parts = [event.outcome, event.isEdited && 'edited', event.by && `by ${event.by}`, event.message];
      const summary = parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');
      return { ...beside(times.readOf(event), 'settled', summary), ids: [event.id] };
    }
    case 'warning':
      return beside(times.readOf(event), 'warning', `${event.code}: ${event.message}`);
    case 'suspended':
      return beside(times.readOf(event), 'suspended', describeWaits(event.waitsFor));
    case 'over': {
      const { error } = event;
      const summary = error ? `${error.code}: ${error.message}` : '';
      return { ...beside(times.readOf(event), 'over', summary), isError: error !== undefined };
    }
    case 'end': {
      const { t, event: name, summary, isError } = rowOfEnd(readEnd(event, times), n);
      return { ...beside(t, name, summary), isError };
    }
    default: {
      const step = readStep(event, times);
      const row = rowOf(step, n, questions);
      return {
        t: row.t,
        layer: row.layer,
        direction: row.direction === 'none' ? 'none' : row.direction === 'cli-to-host' ? 'in' : 'out',
        event: row.event,
        summary: namesTools(row.event) ? withoutServers(row.summary) : row.summary,
        ids: listIds(row.id, step.type === 'frame' ? step.frame : undefined),
        isError: row.isError,
        answers: row.answers,
      };
    }
  }
}

function beside(t: number, event: string, summary: string): EventDescription {
  return {
    t,
    layer: 'process',
    direction: 'none',
    event,
    summary: shortenToSummary(summary),
    ids: [],
    isError: false,
    answers: undefined,
  };
}

function namesTools(event: string): boolean {
  return event === 'assistant (tool_use)' || event === 'can_use_tool' || event === 'hook_callback';
}

/** Removes `mcp__server__` from the names of tools in a text. */
function withoutServers(text: string): string {
  return text.replaceAll(/\bmcp__[\w-]{1,64}?__(?=[\w-])/g, '');
}

/** The ids of a row. A message may have several calls or results, a question has one. */
function listIds(id: string | undefined, frame: WireObject | undefined): string[] {
  const ids = new Set(id === undefined ? [] : [id]);
  if (frame?.['type'] === 'assistant' || frame?.['type'] === 'user')
    for (const block of blocksOf(frame)) {
      const of = block['type'] === 'tool_use' ? block['id'] : block['tool_use_id'];
      if (typeof of === 'string') ids.add(of);
    }
  return [...ids];
}

/** The colour of a row. `isOwnTool` says whether a call ran in this program. */
export function toneOf(
  { layer, direction, event, ids }: EventDescription,
  isOwnTool: (id: string) => boolean,
): WireRow['tone'] {
  const asked = event.replace(/ (?:reply|answer)$/, '').replace(/^cancel /, '');
  if (PERMISSION_EVENTS.has(asked)) return 'permission';
  if (asked === 'hook_callback' || asked === 'tools/call' || asked === 'completed') return 'code';
  if (layer !== 'message') return 'overhead';
  if (event.startsWith('assistant')) return 'model';
  if (event === 'user (tool_result)') return ids.some(isOwnTool) ? 'code' : 'cli';
  if (event.startsWith('result/') || (event === 'user' && direction === 'out')) return 'plain';
  return 'overhead';
}

/** The names of the layers, in the order in which they are listed. */
export const LAYER_NAMES: Readonly<Record<TimelineLayer, string>> = {
  message: 'messages',
  control: 'control',
  mcp: 'MCP',
  process: 'session',
};
