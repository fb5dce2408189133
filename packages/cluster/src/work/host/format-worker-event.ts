// Writes an event of a worker as one line for a log: the time, the worker, what happened, and then name=value. It stays one line
// whatever a value contains, and what is in it can be searched for by name.
import { cutText } from '@inboard/core/util/bounded-text.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { causeTextOf, codeOf, messageOf, textOrJson } from '@inboard/core/util/message-of.js';
import { cleanJson } from '@inboard/core/util/terminal-text.js';
import type { WorkerEvent } from './worker-event.js';

/** A longer value is cut. What a model wrote may be of any length, and a log is not the place for it. */
const LIMIT = 500;
const PLAIN = /^[\w.:/@+-]+$/u;

/**
 * The event as one line for a log, as in `2026-11-18T09:30:00.000Z worker-1 lost key=ann/1 epoch=3 why=unreachable`. An error is
 * told by its code, its message, and what its first cause says. Of a turn's outcome it tells how it ended and what it cost, but not the answer.
 *
 * @example
 * ```ts
 * await cluster.work({ onEvent: (event) => console.log(formatWorkerEvent(event)) });
 * ```
 */
export function formatWorkerEvent(event: WorkerEvent): string {
  const { at, worker, type, ...facts } = event;
  const words = [new Date(at).toISOString(), write(worker), type];
  for (const [name, value] of Object.entries(facts)) words.push(...listFacts(name, value));
  return words.join(' ');
}

function listFacts(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (name === 'outcome' && isRecord(value)) {
    const { kind, turnCostUsd, error } = value;
    return [
      ...listFacts('kind', kind),
      ...listFacts('turnCostUsd', turnCostUsd),
      ...listFacts('error', error),
    ];
  }
  if (name === 'error') {
    const code = codeOf(value);
    const message = isRecord(value) && 'message' in value ? textOrJson(value['message']) : messageOf(value);
    const cause = causeTextOf(value);
    return [
      ...(code === '' ? [] : [`code=${write(code)}`]),
      `error=${write(message)}`,
      ...(cause === '' ? [] : [`cause=${write(cause)}`]),
    ];
  }
  return [`${name}=${write(textOrJson(value))}`];
}

/** As it is if it is one plain word, else as a JSON string, in which no character ends the line or moves a terminal's cursor. */
function write(text: string): string {
  const cut = cutText(text, LIMIT);
  return PLAIN.test(cut) ? cut : cleanJson(JSON.stringify(cut));
}
