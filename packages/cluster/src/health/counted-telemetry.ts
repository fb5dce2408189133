// Counts what a cluster does, and passes it on to the telemetry of the program, if there is one.
import type { ClusterTelemetry } from '../work/host/host-parts.js';
import type { WorkerEvent } from '../work/host/worker-event.js';
import { clock } from '@inboard/core/util/system/clock.js';

/** What is told of everything that happens. None of the functions throws. */
export interface Counting {
  readonly sent: (seconds: number, errorType: string | undefined, error: unknown) => void;
  readonly processed: (seconds: number, errorType: string | undefined) => void;
  readonly event: (event: WorkerEvent) => void;
}

/** Makes telemetry that counts and passes on. */
export function countedTelemetry(
  given: ClusterTelemetry | undefined,
  { sent, processed, event }: Counting,
): ClusterTelemetry {
  return {
    send: (turn, run) => timed(() => (given ? given.send(turn, run) : run(undefined)), sent),
    turn: (turn, conversation, run) =>
      timed(() => (given ? given.turn(turn, conversation, run) : run()), processed),
    options: (options) => given?.options(options) ?? options,
    event(told) {
      event(told);
      // What it returns is passed on, so that a listener that rejects is noticed.
      return given?.event(told);
    },
  };
}

async function timed<T>(
  run: () => Promise<T>,
  done: (seconds: number, errorType: string | undefined, error: unknown) => void,
): Promise<T> {
  const begun = clock.performance.now();
  const seconds = (): number => (clock.performance.now() - begun) / 1000;
  try {
    const result = await run();
    done(seconds(), undefined, undefined);
    return result;
  } catch (error) {
    done(seconds(), typeOf(error), error);
    throw error;
  }
}

/** The code of an error, or its name. Never its text. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
