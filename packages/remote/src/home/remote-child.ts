// Gives a CLI on another host the interface of a local child: three streams, one exit, and signals.
import { RemoteError } from '@inboard/core/errors.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { Child, ChildExit, EndSignal } from '@inboard/core/wire/process/run/child.js';
import { FRAME } from '../wire/frame.js';
import type { Link } from '../wire/link.js';
import { readExit, type Exit } from '../wire/messages.js';
import { STREAM } from '../wire/streams.js';
import { sendFiles, type Travel } from './travel.js';

/** Asks the other side to start the CLI. A failure arrives as `exited` with an error. */
export function startRemoteChild(link: Link, { start, paths }: Travel): Child {
  const exit = createDeferred<ChildExit>();
  const fail = (error: RemoteError): void => exit.resolve({ exitCode: null, signal: null, error });
  link.onFrame = (kind, payload) => {
    if (kind !== FRAME.exit) return;
    try {
      exit.resolve(toChildExit(readExit(payload), link.peer));
    } catch (error) {
      link.break(error as RemoteError);
    }
  };
  const child = {
    // The process id on another host would be mistaken for a process on this host.
    pid: undefined,
    stdin: link.openOutgoing(STREAM.input),
    stdout: link.openIncoming(STREAM.output),
    stderr: link.openIncoming(STREAM.errors),
    exited: exit.promise,
    // The other side ends the link when the CLI and its files are gone.
    gone: link.ended.then(() => undefined),
    signal: (signal: EndSignal) => link.sendJson(FRAME.signal, { signal }),
    abandon: () => link.break(new RemoteError('REMOTE_LINK_LOST', `The link to ${link.peer} was abandoned`)),
  };
  void link.ended.then((error) => fail(error ?? endedEarly(link.peer)));
  const files = link.openOutgoing(STREAM.files);
  link.sendJson(FRAME.start, start);
  sendFiles(paths, files).catch((cause: unknown) => {
    const message = `A file for the CLI on ${link.peer} could not be read: ${messageOf(cause)}`;
    link.break(new RemoteError('REMOTE_START_FAILED', message, { phase: 'launch', cause }));
  });
  return child;
}

function toChildExit({ exitCode, signal, failure }: Exit, peer: string): ChildExit {
  if (!failure) return { exitCode, signal };
  const { message, retryable } = failure;
  const error = new RemoteError(
    'REMOTE_START_FAILED',
    `The CLI could not be started on ${peer}, which says: ${message}`,
    { phase: 'launch', retryable },
  );
  return { exitCode, signal, error };
}

function endedEarly(peer: string): RemoteError {
  return new RemoteError('REMOTE_LINK_LOST', `${peer} ended the link while the CLI was running`, {
    retryable: true,
  });
}
