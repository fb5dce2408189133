// Makes a row of a timeline from a step of the trace. The row of an answer refers to the row of its question.
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { TraceCompleted, TraceEnd, TraceStep } from '../trace-event.js';
import { describeFrame } from './describe-frame.js';
import { describeMessage } from './describe-message.js';
import type { FrameDescription, TimelineLayer } from './frame-description.js';

/** One line of a timeline: a frame, or something that happened to the process. */
export interface TimelineRow {
  /** The number of the row, from 0. Rows refer to each other by it. */
  index: number;
  /** Milliseconds since the start. */
  t: number;
  layer: TimelineLayer;
  /** `none` for an event of the host alone. */
  direction: 'cli-to-host' | 'host-to-cli' | 'none';
  /** The name, as in `tools/call`, `can_use_tool`, `assistant`. */
  event: string;
  /** The content, in a few words on one line. */
  summary: string;
  /** The tool-use id, or the id of the request. Rows with the same id belong together. */
  id: string | undefined;
  /** Whether something went wrong. */
  isError: boolean;
  /** The number of the row with the question that this row answers. */
  answers: number | undefined;
  /** The frame, as it was recorded. */
  frame: WireObject | undefined;
  /** The recorded step, if there is no `frame`. It may be missing in a timeline that was assembled by hand. */
  step?: TraceStep | TraceEnd | undefined;
}

/** The requests so far, by the side that sent them and their id. */
export type AskedQuestions = Map<string, { index: number; description: FrameDescription }>;

/** Makes the row of a step. A question is added to `questions`, so that the row of its answer can refer to it. */
export function rowOf(step: TraceStep, index: number, questions: AskedQuestions): TimelineRow {
  if (step.type === 'completed') return rowOfCompleted(step, index);
  if (step.type !== 'frame') {
    return {
      ...plainRow(index, step.t),
      step,
      event: step.type,
      summary:
        step.type === 'fault' ? `${step.code}: ${step.message}` : step.type === 'gap' ? step.reason : '',
      direction: step.type === 'input-end' ? 'host-to-cli' : 'none',
      isError: step.type === 'fault' || step.type === 'gap',
    };
  }
  const direction = step.dir === 'in' ? 'cli-to-host' : 'host-to-cli';
  if (!step.frame) {
    const summary = step.truncated
      ? `${step.truncated.bytes} bytes, ${step.truncated.reason ?? 'too large to be recorded'}`
      : (step.text ?? '').slice(0, 200);
    return {
      ...plainRow(index, step.t),
      step,
      layer: 'message',
      direction,
      event: !step.truncated
        ? 'not a frame'
        : step.truncated.reason === undefined
          ? 'large frame'
          : 'missing frame',
      summary,
      isError: step.truncated?.reason !== undefined || !step.truncated,
    };
  }
  // Each side numbers its own questions, and answers the questions of the other side.
  const asked = (id: string): string => `${step.dir === 'in' ? 'out' : 'in'} ${id}`;
  const description = describeFrame(step.frame, (id) => questions.get(asked(id))?.description);
  const { requestId } = description;
  if (description.role === 'question' && requestId !== undefined) {
    questions.set(`${step.dir} ${requestId}`, { index, description });
  }
  return {
    index,
    t: step.t,
    direction,
    layer: description.layer,
    event: description.event,
    summary: description.summary,
    id: description.toolUseId ?? requestId,
    isError: description.isError,
    answers:
      description.role === 'answer' && requestId !== undefined
        ? questions.get(asked(requestId))?.index
        : undefined,
    frame: step.frame,
  };
}

/** The row of a call that was completed without a CLI. Nothing passed on the wire, so the row has no direction. */
function rowOfCompleted(step: TraceCompleted, index: number): TimelineRow {
  const row = { ...plainRow(index, step.t), step, layer: 'message' as const, event: 'completed' };
  if (step.frame) {
    const { summary, toolUseId, isError } = describeMessage(step.frame);
    return { ...row, summary, id: toolUseId, isError };
  }
  const { bytes = 0, reason = 'too large to be recorded' } = step.truncated ?? {};
  return { ...row, summary: `${bytes} bytes, ${reason}` };
}

/** The row of the last event. */
export function rowOfEnd(end: TraceEnd, index: number): TimelineRow {
  const how = describeEnd(end);
  return {
    ...plainRow(index, end.t),
    step: end,
    event: 'end',
    summary: end.error ? `${how}, ${end.error.code}: ${end.error.message}` : how,
    isError: end.error !== undefined || end.signal !== null || (end.exitCode ?? 0) !== 0,
  };
}

function plainRow(index: number, t: number): TimelineRow {
  return {
    index,
    t,
    layer: 'process',
    direction: 'none',
    event: '',
    summary: '',
    id: undefined,
    isError: false,
    answers: undefined,
    frame: undefined,
  };
}

/** How a recorded CLI ended, in a few words. */
export function describeEnd(end: TraceEnd | undefined): string {
  if (!end) return 'the recording was cut off';
  return end.signal === null ? `exit code ${end.exitCode}` : `ended by ${end.signal}`;
}

/** Whether a row is a question that tools or callbacks of the program answer. */
export function isForCallbacks(row: TimelineRow | undefined): boolean {
  if (row?.direction !== 'cli-to-host' || row.answers !== undefined) return false;
  return (
    row.layer === 'mcp' ||
    ['can_use_tool', 'hook_callback', 'elicitation', 'request_user_dialog'].includes(row.event)
  );
}
