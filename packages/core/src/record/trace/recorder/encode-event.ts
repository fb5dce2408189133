// Makes the lines of a trace, which are events as JSON. Frames of the wire are redacted, and cut if they are too long.
import { stringifyDeep } from '../../../util/deep-json.js';
import { isRecord } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import { INBOARD_VERSION, TRACE_FORMAT, TRACE_VERSION } from '../trace-event.js';
import type { TraceDirection, TraceEvent, TraceFrame, TraceHeader } from '../trace-event.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { Redactor } from './redact.js';

/** The facts of this session for the header. */
export type HeaderFacts = Pick<TraceHeader, 'claudeCodeVersion' | 'pid' | 'cwd'>;

/** A line of the wire, and the time when it passed. */
export interface PassedLine {
  t: number;
  dir: TraceDirection;
  line: string;
  /** Set on a line that was not on the wire. The host made it for a call that it completed without a CLI. */
  isCompleted?: true;
}

/** The first fields of the event for a line. */
function beginEvent({
  t,
  dir,
  isCompleted,
}: PassedLine): { type: 'completed'; t: number } | Pick<TraceFrame, 'type' | 't' | 'dir'> {
  return isCompleted ? { type: 'completed', t } : { type: 'frame', t, dir };
}

/** An event, and its line without the line feed. */
export interface EncodedEvent {
  event: TraceEvent;
  line: string;
}

const HEAD_CHARACTERS = 2048;

/** The first event of a trace. */
export function createHeader({ claudeCodeVersion, pid, cwd }: HeaderFacts, redactor: Redactor): TraceHeader {
  return {
    type: 'header',
    format: TRACE_FORMAT,
    version: TRACE_VERSION,
    startedAt: new Date().toISOString(),
    inboard: INBOARD_VERSION,
    claudeCodeVersion,
    pid,
    hostPid: process.pid,
    cwd: cwd === null ? null : redactor.redactText(cwd),
    runtime: `node ${process.versions.node}`,
    platform: `${process.platform} ${process.arch}`,
  };
}

/** Encodes an event unchanged. */
export function encodeTraceEvent(event: TraceEvent): EncodedEvent {
  return { event, line: stringifyDeep(event) as string };
}

interface EncodeOptions {
  redactor: Redactor;
  maxFrameBytes: number;
}

/**
 * Encodes a line of the wire without its secrets. Never throws: a line that cannot be encoded becomes an event that
 * says so.
 */
export function encodeTraceFrame(passed: PassedLine, options: EncodeOptions): EncodedEvent {
  try {
    return encodeWhole(passed, options);
  } catch (error) {
    const { line } = passed;
    const truncated = { bytes: Buffer.byteLength(line), head: '', reason: describeFailure(error, options) };
    return encodeTraceEvent({ ...beginEvent(passed), truncated });
  }
}

/** Why a line could not be encoded. The message may quote the line, so it is redacted. The redactor itself may fail. */
function describeFailure(error: unknown, { redactor }: EncodeOptions): string {
  try {
    return `it could not be encoded: ${redactor.redactText(messageOf(error))}`;
  } catch {
    return 'it could not be encoded';
  }
}

function encodeWhole(passed: PassedLine, { redactor, maxFrameBytes }: EncodeOptions): EncodedEvent {
  const { t, dir, line } = passed;
  const value = parse(line);
  const isFrame = isRecord(value);
  const frame = isFrame && !redactor.isClean(line) ? redactor.redactValue(value) : value;
  // A line without secrets is used as it is, because encoding it again would be the most expensive part.
  const text =
    frame !== value ? (stringifyDeep(frame) as string) : isFrame ? line.trim() : redactor.redactText(line);
  // A UTF-16 unit has at most three bytes in UTF-8, so the bytes of most lines need not be counted.
  const isLong = line.length * 3 > maxFrameBytes && Buffer.byteLength(line) > maxFrameBytes;
  if (isLong) {
    const truncated = { bytes: Buffer.byteLength(line), head: text.slice(0, HEAD_CHARACTERS) };
    return encodeTraceEvent({ ...beginEvent(passed), truncated });
  }
  if (passed.isCompleted) return encodeTraceEvent({ type: 'completed', t, frame: frame as WireObject });
  if (!isFrame) return encodeTraceEvent({ type: 'frame', t, dir, text });
  return {
    event: { type: 'frame', t, dir, frame: frame as typeof value },
    line: `{"type":"frame","t":${t},"dir":"${dir}","frame":${text}}`,
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
