// Opens the inspector at the first session of a process if INBOARD_INSPECT asks for it. The inspector is in a higher
// layer than sessions, so the entry point that the program imports registers how to open it. The inspector's code is
// loaded only if it is opened.
import { PartLoadError } from '../../errors.js';
import { messageOf } from '../../util/message-of.js';
import { warnOnce } from '../../util/warn-once.js';

/** The variable's name. Its value is `1`, a port, `host:port` with a host that is this machine, or `hold`, also before those. */
const INSPECT_VARIABLE = 'INBOARD_INSPECT';
const OFF = /^(?:0|false|off|no)$/i;

/** Opens the inspector as the value of the variable says. */
export type OpenInspector = (value: string) => Promise<void>;

let openInspector: OpenInspector | undefined;
let opening: Promise<void> | undefined;

/** Registers how to open the inspector. Every entry point that starts sessions does so, with the same function. */
export function registerInspector(open: OpenInspector): void {
  openInspector = open;
}

/**
 * Opens the inspector if the environment asks for it. It does so once per process, unless the inspector's code could
 * not be loaded. Resolves when the inspector listens or has failed. A failure is a warning.
 */
export function inspectIfAsked(env: Readonly<Record<string, string | undefined>>): Promise<void> | undefined {
  const value = env[INSPECT_VARIABLE];
  if (!value || OFF.test(value) || openInspector === undefined) return undefined;
  opening ??= openInspector(value).catch((error: unknown) => {
    warnOnce(`The inspector could not be opened: ${messageOf(error)}`, 'INSPECTOR_FAILED');
    // After a failed load the next session tries again. After another failure, such as a port that is in use, it does
    // not.
    if (error instanceof PartLoadError) opening = undefined;
  });
  return opening;
}
