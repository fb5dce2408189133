// Reads a trace as a script for a replay. It finds the frames of the host that must come before the tape continues, and
// the questions of the CLI that they answer.
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { ReplayItem } from './replay-report.js';
import type { Trace, TraceFrame } from '../trace-event.js';
import {
  readWireAnswer,
  readCancel,
  readWireQuestion,
  type WireQuestion,
} from '../timeline/wire-question.js';
import { withoutUndefined } from '../../../util/without-undefined.js';

/** Requests that change nothing. A run may send them more or less often, and may get the same answer again. */
const READ_ONLY = /^(?:get_|mcp_status$|list_|supported_)/;

/** A frame of the host on the tape. */
export interface ExpectedFrame {
  index: number;
  frame: WireObject;
  item: ReplayItem;
  /** Whether the tape waits for this frame. */
  isRequired: boolean;
  /** The content of a control request; undefined for other frames. */
  question: WireQuestion | undefined;
  /** For an answer, the question of the CLI that it answers; undefined for other frames. */
  answers: WireQuestion | undefined;
}

/** The frames that a replay expects. */
export interface TapeScript {
  /** The host's frames by the index of their step. */
  expected: Map<number, ExpectedFrame>;
  /** The CLI's questions by their id. */
  questions: Map<string, { question: WireQuestion; t: number; index: number }>;
  /** The host's requests by their id on the tape. */
  requests: Map<string, ExpectedFrame>;
}

/** Reads the script of a trace. */
export function readScript({ steps }: Trace): TapeScript {
  const script: TapeScript = { expected: new Map(), questions: new Map(), requests: new Map() };
  const cancelled = new Set<string>();
  steps.forEach((step, index) => {
    if (step.type !== 'frame' || !step.frame) return;
    if (step.dir === 'in') {
      const question = readWireQuestion(step.frame);
      if (question) script.questions.set(question.requestId, { question, t: step.t, index });
      const withdrawn = readCancel(step.frame) ?? findCancelledCall(question, script);
      if (withdrawn !== undefined) cancelled.add(withdrawn);
      return;
    }
    const expected = readExpected({ step, frame: step.frame, index, script, cancelled });
    if (!expected) return;
    // The host itself sends this interrupt when it closes a running turn. The program did not ask for it.
    if (expected.question?.subtype === 'interrupt' && steps[index + 1]?.type === 'terminate') {
      expected.isRequired = false;
    }
    script.expected.set(index, expected);
    if (expected.question) script.requests.set(expected.question.requestId, expected);
  });
  return script;
}

/** The id of the question whose MCP request the CLI cancels by `question`. It need not be answered any more. */
function findCancelledCall(question: WireQuestion | undefined, script: TapeScript): string | undefined {
  if (question?.mcp?.message['method'] !== 'notifications/cancelled') return undefined;
  const params = question.mcp.message['params'] as { requestId?: unknown } | undefined;
  for (const [id, { question: earlier }] of script.questions) {
    if (earlier.mcp?.server === question.mcp.server && earlier.mcp.message['id'] === params?.requestId) {
      if (earlier.mcp.message['method'] !== undefined) return id;
    }
  }
  return undefined;
}

interface Reading {
  step: TraceFrame;
  frame: WireObject;
  index: number;
  script: TapeScript;
  cancelled: ReadonlySet<string>;
}

function readExpected({ step, frame, index, script, cancelled }: Reading): ExpectedFrame | undefined {
  const { t } = step;
  const question = readWireQuestion(frame);
  if (question) {
    const isNotice = question.mcp !== undefined && question.mcp.message['id'] === undefined;
    return {
      index,
      frame,
      question,
      answers: undefined,
      isRequired: !isNotice && !READ_ONLY.test(question.subtype),
      item: { kind: 'request', name: question.mcp ? question.name : question.subtype, t },
    };
  }
  const answer = readWireAnswer(frame);
  if (answer) {
    const asked = script.questions.get(answer.requestId)?.question;
    if (!asked) return undefined;
    return {
      index,
      frame,
      question: undefined,
      answers: asked,
      isRequired: !cancelled.has(answer.requestId),
      item: itemOf(asked, t),
    };
  }
  if (frame['type'] !== 'user') return undefined;
  return {
    index,
    frame,
    question: undefined,
    answers: undefined,
    isRequired: true,
    item: { kind: 'prompt', name: 'user', t },
  };
}

/** A question of the CLI as a report names it. */
export function itemOf({ kind, name, toolUseId }: WireQuestion, t: number): ReplayItem {
  return withoutUndefined({ kind, name, t, toolUseId });
}

/** Whether a request of the host may be answered again from the tape. */
export function isReadOnly(subtype: string): boolean {
  return READ_ONLY.test(subtype);
}
