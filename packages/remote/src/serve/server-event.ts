// The events of a host that runs CLIs for others, for a log.
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';

/** An event of a link, or of the CLI behind it. */
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
      /** Why the link was lost. Undefined if it was not. */
      lost?: string;
    };

/** Tells the listener of an event. Nothing that the listener throws or returns reaches the caller. */
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
