// Reads those messages of the CLI that are not part of the conversation but matter to a reader of the story. Each becomes
// one sentence, which may be marked as an error.
import { asString, isRecord } from '@inboard/core/util/guards.js';
import { describeEnd } from '@inboard/core/record/trace/timeline/timeline-row.js';
import type { TraceEnd, TraceHeader } from '@inboard/core/record/trace/trace-event.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { SessionSuspended } from '../../stream/inspector-event.js';
import { describeWaits } from '../describe-waits.js';
import { formatCount, formatDuration } from '../format.js';
import type { MarkItem } from './story-item.js';

/** A mark without its place in the story. */
export type Notice = Pick<MarkItem, 'what' | 'text' | 'detail' | 'isError' | 'crash'>;

type Reader = (frame: WireObject) => Notice | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  api_retry: readRetry,
  compact_boundary: readCompaction,
  hook_response: readHook,
  model_refusal_fallback: (frame) =>
    notice('model', asString(frame['content']) ?? 'Another model takes over'),
  model_refusal_no_fallback: (frame) =>
    notice('warning', asString(frame['content']) ?? 'The model declined', { isError: true }),
  informational: (frame) =>
    frame['level'] === 'warning' ? notice('warning', asString(frame['content']) ?? '') : undefined,
  session_writes_lost: () =>
    notice('warning', 'The disk is full: parts of the transcript are lost', { isError: true }),
  worker_shutting_down: (frame) =>
    notice('note', `The CLI is about to exit: ${asString(frame['reason']) ?? ''}`),
};

// A recording may contain any subtype, even the name of a member that every object has, such as `constructor`.
function findReader(subtype: string): Reader | undefined {
  return Object.hasOwn(READERS, subtype) ? READERS[subtype] : undefined;
}

/** The notice for a message that is neither conversation nor result; undefined if the story does not show it. */
export function readNotice(frame: WireObject): Notice | undefined {
  switch (frame['type']) {
    case 'system':
      return findReader(asString(frame['subtype']) ?? '')?.(frame);
    case 'conversation_reset':
      return notice('note', 'The conversation was cleared');
    case 'rate_limit_event':
      return readLimit(frame);
    case 'auth_status':
      return typeof frame['error'] === 'string'
        ? notice('warning', frame['error'], { isError: true })
        : undefined;
    default:
      return undefined;
  }
}

/** How a CLI ended. With `isExpected`, it was told to end or its turn had failed, so no exit code or signal is an error. */
export function readEndNotice(end: TraceEnd, isExpected: boolean): Notice {
  const isOdd = end.signal !== null || (end.exitCode ?? 0) !== 0;
  const detail = end.error ? `${end.error.code}: ${end.error.message}` : end.stderrTail || undefined;
  const isError = end.error !== undefined || (isOdd && !isExpected);
  const how = `Claude Code ${end.signal === null ? 'ended:' : 'was'} ${describeEnd(end)}`;
  return notice('end', how, { detail, isError });
}

/** The notice that a CLI was ended because the session does not need it at the moment. */
export function readSuspendedNotice({ waitsFor }: SessionSuspended): Notice {
  return notice('note', `No CLI: ${describeWaits(waitsFor)}`);
}

/** The notice that a CLI was started, for the first time or again. */
export function readHeaderNotice(header: TraceHeader, isAgain: boolean): Notice {
  const version = asString(header.claudeCodeVersion);
  const name = version === undefined ? 'Claude Code' : `Claude Code ${version}`;
  const text = isAgain ? `${name} started again` : `${name} started`;
  return notice(isAgain ? 'restart' : 'start', text, { detail: asString(header.cwd) });
}

/** The notice that a background task without an open call has ended. */
export function readTaskNotice(status: string, summary: string): Notice {
  const text = `Work in the background ${status === 'completed' ? 'is done' : status}`;
  return notice('task', text, { detail: summary || undefined, isError: status === 'failed' });
}

/** Reads a text that the CLI wrote as the user. The output of a command that has its own mark in the story becomes empty. */
export function readCliText(
  text: string,
): { kind: 'interrupted' | 'text' } | { kind: 'output'; text: string } {
  if (text.startsWith('[Request interrupted')) return { kind: 'interrupted' };
  const output = /^<local-command-std(?:out|err)>([\s\S]*)<\/local-command-std(?:out|err)>$/.exec(text)?.[1];
  if (output === undefined) return { kind: 'text' };
  return { kind: 'output', text: /^(?:Set model to|Compacted)\b/.test(output) ? '' : output.trim() };
}

export function notice(
  what: MarkItem['what'],
  text: string,
  { detail, isError = false }: { detail?: string | undefined; isError?: boolean } = {},
): Notice {
  return { what, text, detail, isError };
}

function readRetry(frame: WireObject): Notice {
  const { attempt, max_retries: most, retry_delay_ms: delay, error_status: status, error } = frame;
  const why = [status, error]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ');
  const when = typeof delay === 'number' ? ` in ${formatDuration(delay)}` : '';
  const times = typeof attempt === 'number' && typeof most === 'number' ? ` (${attempt} of ${most})` : '';
  return notice('retry', `The API failed${why && `: ${why}`}; trying again${when}${times}`);
}

function readCompaction(frame: WireObject): Notice {
  const facts = isRecord(frame['compact_metadata']) ? frame['compact_metadata'] : {};
  const { trigger, pre_tokens: before, post_tokens: after } = facts;
  const sizes = [before, after].filter((count) => typeof count === 'number').map(formatCount);
  const size =
    sizes.length === 2
      ? `, ${sizes.join(' to ')} tokens`
      : sizes.length === 1
        ? ` at ${sizes[0]} tokens`
        : '';
  return notice('compaction', `Compacted ${trigger === 'manual' ? 'on request' : 'automatically'}${size}`);
}

function readHook(frame: WireObject): Notice | undefined {
  const { outcome, exit_code: code, hook_name: name, stderr, output } = frame;
  if (outcome !== 'error' && code !== 2) return undefined;
  const blocked = code === 2 ? 'blocked' : 'failed';
  const detail = asString(stderr) || asString(output);
  return notice('hook', `The hook ${asString(name) ?? ''} ${blocked}`, { detail, isError: code !== 2 });
}

function readLimit(frame: WireObject): Notice | undefined {
  const info = isRecord(frame['rate_limit_info']) ? frame['rate_limit_info'] : {};
  if (info['status'] === 'rejected')
    return notice('warning', 'The plan’s allowance is used up', { isError: true });
  return info['status'] === 'allowed_warning'
    ? notice('warning', 'The plan’s allowance is nearly used up')
    : undefined;
}
