// What a host that runs CLIs for others tells of its links, for a log.
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';

/** Something happened to a link, or to the CLI behind it. */
export type RemoteServerEvent =
  | { type: 'refused'; peer: string; reason: string }
  | { type: 'started'; peer: string; pid: number | undefined; cwd: string }
  | { type: 'failed'; peer: string; reason: string }
  | {
      type: 'ended';
      peer: string;
      pid: number | undefined;
      exitCode: number | null;
      signal: string | null;
      /** Why the link was lost, if it was. */
      lost?: string;
    };

/** Tells; whatever the listener does, nothing comes back. */
export function tell(
  listener: ((event: RemoteServerEvent) => void) | undefined,
  event: RemoteServerEvent,
): void {
  if (listener)
    callListener(
      () => listener(event),
      (cause) => warnOfCallback('serveCli.onEvent', cause),
    );
}
