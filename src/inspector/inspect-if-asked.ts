// INBOARD_INSPECT: the first session of a process opens the inspector. Nothing of it is loaded otherwise.
import { PartLoadError } from '../errors.js';
import { loadPart } from '../util/load-part.js';
import { messageOf } from '../util/message-of.js';
import { warnOnce } from '../util/warn-once.js';

/** The variable: `1`, a port, or `host:port` with a host that is this machine. */
const INSPECT_VARIABLE = 'INBOARD_INSPECT';
const OFF = /^(?:0|false|off|no)$/i;

let opening: Promise<void> | undefined;

/** Opens the inspector where the environment asks for it, once for each process unless it cannot be loaded; resolves when it listens, or failed to, which is a warning. */
export function inspectIfAsked(env: Readonly<Record<string, string | undefined>>): Promise<void> | undefined {
  const value = env[INSPECT_VARIABLE];
  if (!value || OFF.test(value)) return undefined;
  opening ??= open(value).catch((error: unknown) => {
    warnOnce(`The inspector could not be opened: ${messageOf(error)}`, 'INSPECTOR_FAILED');
    // The next session may find the cause gone; a port that is taken stays taken.
    if (error instanceof PartLoadError) opening = undefined;
  });
  return opening;
}

async function open(value: string): Promise<void> {
  const { inspectByVariable } = await loadPart(() => import('./inspect-by-variable.js'));
  await inspectByVariable(value);
}
