// The hook events that not all supported CLIs have, with the first that does, out of the rows of the events.
import { findHookEvent, HOOK_EVENTS } from '../../src/wire/protocol/hooks/hook-events.js';

export const EVENT_VERSIONS: Readonly<Record<string, string>> = Object.fromEntries(
  HOOK_EVENTS.flatMap((event) => {
    const since = findHookEvent(event)?.since;
    return since === undefined ? [] : [[event, since]];
  }),
);
