// One line of JSON for each event that an operator wants to see. No line has what people or models wrote.
import type { WorkerEvent } from 'inboard/cluster';

const TOLD = new Set([
  'started',
  'draining',
  'ended',
  'leased',
  'lost',
  'turn-started',
  'turn-parked',
  'turn-waiting',
  'turn-handed-over',
  'call-repeated',
  'paused',
]);

export function logEvent(event: WorkerEvent): void {
  const { at, worker, type } = event;
  if (event.type === 'trouble')
    write({ at, worker, type, key: event.key, where: event.where, ...describe(event.error) });
  else if (event.type === 'turn-ended') {
    const { key, turn, outcome } = event;
    write({
      at,
      worker,
      type,
      key,
      turn,
      kind: outcome.kind,
      ...(!outcome.ok && { code: outcome.error?.code }),
    });
  } else if (TOLD.has(type)) write(event);
}

/** Why the process ends. The exit code tells the supervisor. */
export function logFatal(error: unknown): void {
  write({ at: Date.now(), type: 'fatal', ...describe(error) });
  process.exitCode = 1;
}

function describe(error: unknown) {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return { code, message };
}

function write(line: object): void {
  console.log(JSON.stringify(line));
}
