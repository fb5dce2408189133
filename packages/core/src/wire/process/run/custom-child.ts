// Wraps the process of a custom spawner as a `Child`, and checks that the spawner returned what it must.
import { LaunchError } from '../../../errors.js';
import { callListener } from '../../../util/call-listener.js';
import { createDeferred } from '../../../util/deferred.js';
import { isThenable } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import { createFailedChild, type Child, type ChildExit, type ChildStart, type EndSignal } from './child.js';
import type { ProcessSpawner, SpawnedProcess } from './spawner.js';

const OPTION = 'The option "spawnClaudeCodeProcess"';

/** Starts a process through a custom spawner. A failure arrives as `exited` with an error. */
export function startCustomChild(spawner: ProcessSpawner, start: ChildStart): Child {
  const controller = new AbortController();
  const { command, args, cwd, env } = start;
  try {
    const spawned = spawner({ command, args: [...args], cwd, env: { ...env }, signal: controller.signal });
    // A promise is refused below. If it rejects, that must not end this process.
    const given: unknown = spawned;
    if (isThenable(given)) Promise.resolve(given).catch(() => {});
    const missing = findMissingPart(spawned);
    if (missing === undefined) return createCustomChild(spawned, controller);
    return fail(`${OPTION} must return a process with stdin, stdout, kill() and on(); ${missing}`);
  } catch (error) {
    return fail(`${OPTION} threw: ${messageOf(error)}`, error);
  }
}

function fail(message: string, cause?: unknown): Child {
  const error = new LaunchError('SPAWN_FAILED', message, { cause });
  return createFailedChild(Promise.resolve({ exitCode: null, signal: null, error }));
}

function findMissingPart(spawned: unknown): string | undefined {
  if (typeof spawned !== 'object' || spawned === null) return `it returned ${String(spawned)}`;
  if ('then' in spawned) return 'it returned a promise';
  const parts = spawned as Partial<Record<keyof SpawnedProcess, unknown>>;
  const missing = [
    ...(['stdin', 'stdout'] as const).filter(
      (name) => typeof parts[name] !== 'object' || parts[name] === null,
    ),
    ...(['kill', 'on', 'off'] as const).filter((name) => typeof parts[name] !== 'function'),
  ];
  return missing.length === 0 ? undefined : `it lacks ${missing.join(', ')}`;
}

function createCustomChild(spawned: SpawnedProcess, controller: AbortController): Child {
  const exit = createDeferred<ChildExit>();
  let isOver = false;

  function finish(how: ChildExit): void {
    if (isOver) return;
    isOver = true;
    spawned.off('exit', onExit);
    // The error listener stays, because a late error without a listener would crash the host.
    exit.resolve(how);
  }

  function onExit(exitCode: number | null, signal: NodeJS.Signals | null): void {
    finish({ exitCode, signal });
  }

  function onError(cause: Error): void {
    // Node's own `spawn` emits an error for our abort signal before the process exits.
    if (controller.signal.aborted && cause.name === 'AbortError') return;
    if (isOver) return;
    kill('SIGKILL');
    const message = `The process of "spawnClaudeCodeProcess" failed: ${cause.message}`;
    finish({ exitCode: null, signal: null, error: new LaunchError('SPAWN_FAILED', message, { cause }) });
  }

  function kill(name: EndSignal): void {
    // An error is ignored: the event `exit` shows whether the process ended, and one that stays is abandoned in the end.
    callListener(
      () => spawned.kill(name),
      () => {},
    );
  }

  spawned.on('exit', onExit);
  spawned.on('error', onError);
  const { exitCode, signalCode = null } = spawned;
  // The process may have ended before the listeners were added.
  if (typeof exitCode === 'number' || signalCode !== null) finish({ exitCode, signal: signalCode });

  return {
    pid: typeof spawned.pid === 'number' ? spawned.pid : undefined,
    stdin: spawned.stdin,
    stdout: spawned.stdout,
    stderr: spawned.stderr ?? undefined,
    exited: exit.promise,
    // Ending what the process started is the spawner's job.
    gone: exit.promise.then(() => undefined),
    signal(name) {
      if (isOver) return;
      controller.abort();
      kill(name);
    },
    abandon() {
      isOver = true;
      spawned.off('exit', onExit);
    },
  };
}
