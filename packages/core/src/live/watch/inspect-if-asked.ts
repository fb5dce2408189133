// INBOARD_INSPECT: the first session of a process opens the inspector. The inspector stands above sessions, so the entry
// point that the program has imported says how it is opened. Nothing of it is loaded otherwise.
import { PartLoadError } from '../../errors.js';
import { messageOf } from '../../util/message-of.js';
import { warnOnce } from '../../util/warn-once.js';

/** The variable: `1`, a port, or `host:port` with a host that is this machine. */
const INSPECT_VARIABLE = 'INBOARD_INSPECT';
const OFF = /^(?:0|false|off|no)$/i;

/** Opens the inspector where the value of the variable wants it. */
export type OpenInspector = (value: string) => Promise<void>;

let openInspector: OpenInspector | undefined;
let opening: Promise<void> | undefined;

/** Says how the inspector is opened; every entry point that starts sessions does, with the same function. */
export function registerInspector(open: OpenInspector): void {
  openInspector = open;
}

/**
 * Opens the inspector where the environment asks for it, once for each process unless it cannot be loaded. Resolves when the
 * inspector listens, or has failed to, which is a warning.
 */
export function inspectIfAsked(env: Readonly<Record<string, string | undefined>>): Promise<void> | undefined {
  const value = env[INSPECT_VARIABLE];
  if (!value || OFF.test(value) || openInspector === undefined) return undefined;
  opening ??= openInspector(value).catch((error: unknown) => {
    warnOnce(`The inspector could not be opened: ${messageOf(error)}`, 'INSPECTOR_FAILED');
    // The next session may find the cause gone; a port that is taken stays taken.
    if (error instanceof PartLoadError) opening = undefined;
  });
  return opening;
}
