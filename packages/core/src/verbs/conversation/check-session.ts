// Checks how a session is opened: the fields beside its options, and what they demand of the options.
import { InvalidOptionsError } from '../../errors.js';
import { refuseMisplacedOptions } from '../../options/check/misplaced-options.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import { isRecord } from '../../util/guards.js';

/** The fields that are checked. Programs without types may pass anything. */
interface CheckedSessionInput {
  restart?: unknown;
  suspendAfterMs?: number | undefined;
  suspendWithServers?: unknown;
  interrupted?: unknown;
}

/**
 * Throws for a call like one of `query`. A program without types may make such a call, and its prompt would silently never be
 * sent.
 */
export function checkCall(input: unknown): void {
  if (!isRecord(input) || 'prompt' in input) {
    throw new InvalidOptionsError(
      ['prompt'],
      'openSession() takes no prompt: call openSession({ options }), then session.send(prompt)',
    );
  }
  refuseMisplacedOptions('openSession', input);
}

/** Throws for fields of `openSession` that are wrong, or that contradict its options. */
export function checkSessionInput(input: CheckedSessionInput, options: QueryOptions): void {
  const { restart, suspendAfterMs, suspendWithServers, interrupted } = input;
  if (suspendWithServers !== undefined && typeof suspendWithServers !== 'boolean') {
    throw new InvalidOptionsError(
      ['suspendWithServers'],
      `"suspendWithServers" must be true or false, not ${JSON.stringify(suspendWithServers)}`,
    );
  }
  if (interrupted !== undefined) checkInterrupted(interrupted, options);
  const mustResume = suspendAfterMs === undefined ? (restart ? 'restart' : undefined) : 'suspendAfterMs';
  if (mustResume === undefined) return;
  if (suspendAfterMs !== undefined && !(suspendAfterMs > 0)) {
    throw new InvalidOptionsError(
      ['suspendAfterMs'],
      '"suspendAfterMs" must be a number of milliseconds above 0',
    );
  }
  if (options.persistSession === false) {
    throw new InvalidOptionsError(
      [mustResume, 'persistSession'],
      `"${mustResume}" resumes the conversation from its transcript, but persistSession: false keeps none`,
    );
  }
  if (options.transport !== undefined && typeof options.transport !== 'function') {
    throw new InvalidOptionsError(
      [mustResume, 'transport'],
      `"${mustResume}" starts the CLI more than once: pass "transport" as a function that creates one each time`,
    );
  }
}

function checkInterrupted(interrupted: unknown, { resume }: QueryOptions): void {
  if (interrupted !== 'continue') {
    throw new InvalidOptionsError(
      ['interrupted'],
      `"interrupted" must be "continue" or left out, not ${JSON.stringify(interrupted)}`,
    );
  }
  if (resume === undefined) {
    throw new InvalidOptionsError(
      ['interrupted', 'resume'],
      '"interrupted" continues a turn of an earlier conversation: name that conversation with options.resume',
    );
  }
}
