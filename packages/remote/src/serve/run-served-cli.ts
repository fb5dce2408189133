// Runs one CLI for one link, from its start to its end: places its files, joins its streams with the link, passes signals on,
// and reports its exit. If the link is lost, the CLI is killed.
import { RemoteError } from '@inboard/core/errors.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { sleep } from '@inboard/core/util/timers.js';
import type { Child, ChildExit, EndSignal } from '@inboard/core/wire/process/run/child.js';
import { Termination } from '@inboard/core/wire/process/run/terminate.js';
import { FRAME } from '../wire/frame.js';
import type { Link } from '../wire/link.js';
import { readSignal, type Start } from '../wire/messages.js';
import { STREAM, type IncomingStream, type OutgoingStream } from '../wire/streams.js';
import type { LocalCli } from './local-cli.js';
import { placeFiles } from './place-files.js';
import { tell, type RemoteServerEvent } from './server-event.js';

/** The link, the start that came over it, and the host that runs the CLI. */
export interface ServedCliInput {
  link: Link;
  cli: LocalCli;
  start: Start;
  streams: SessionStreams;
  maxFileBytes: number;
  onEvent: ((event: RemoteServerEvent) => void) | undefined;
  /** Aborts when this host closes. The CLI is then ended in an orderly way. */
  signal: AbortSignal;
}

/** The streams of a session. They are made before the start is read, because bytes may follow the start at once. */
export interface SessionStreams {
  input: IncomingStream;
  files: IncomingStream;
  output: OutgoingStream;
  errors: OutgoingStream;
}

/** Makes the streams of a session. */
export function openStreams(link: Link): SessionStreams {
  return {
    input: link.openIncoming(STREAM.input),
    files: link.openIncoming(STREAM.files),
    output: link.openOutgoing(STREAM.output),
    errors: link.openOutgoing(STREAM.errors),
  };
}

// After the exit, this waits only for bytes that are already in the pipes, because another process may hold the pipes open. A
// local child is treated in the same way.
const DRAIN_SILENCE_MS = 100;
const MAX_DRAIN_ROUNDS = 10;

// How long the client may take, once this host closes, to send the rest of its files or to take the last output of its CLI.
// Without a limit, a client that only pings could keep this host from closing.
const LAST_WORDS_MS = 2000;

/** Resolves when the CLI and its files are gone. Never rejects. */
export async function runServedCli(input: ServedCliInput): Promise<void> {
  const { link, cli, start, streams, maxFileBytes, onEvent } = input;
  const { peer } = link;
  let remove = (): void => {};
  // The client may ask for the end while its files are still arriving.
  let early: EndSignal | undefined;
  link.onFrame = (kind, payload) => {
    if (kind === FRAME.signal) early = readSignal(payload);
  };
  try {
    const cwd = await cli.folder(start.cwd);
    const env = cli.environment(start.env);
    const forget = whenClosing(input, (error) => streams.files.destroy(error));
    const placed = await placeFiles({ start, bytes: streams.files, env, cwd, maxFileBytes }).finally(forget);
    remove = placed.remove;
    if (early) {
      link.sendJson(FRAME.exit, { exitCode: null, signal: early });
      return;
    }
    // The client has gone, so nothing is started.
    if (link.isOver) throw new Error('the link ended before the CLI was started');
    if (input.signal.aborted) throw closingHere();
    const child = cli.start({ args: placed.args, env: { ...env, ...placed.env }, cwd });
    if (child.pid !== undefined) tell(onEvent, { type: 'started', peer, pid: child.pid, cwd });
    const { exit, lost } = await attend(child, input);
    if (exit.error) throw exit.error;
    const { exitCode, signal } = exit;
    link.sendJson(FRAME.exit, { exitCode, signal });
    await child.gone;
    tell(onEvent, {
      type: 'ended',
      peer,
      pid: child.pid,
      exitCode,
      signal,
      ...(lost && { lost: lost.message }),
    });
  } catch (error) {
    const { retryable = false } = error as Partial<RemoteError>;
    const failure = { message: messageOf(error), retryable };
    link.sendJson(FRAME.exit, { exitCode: null, signal: null, failure });
    tell(onEvent, { type: 'failed', peer, reason: failure.message });
  } finally {
    remove();
    link.close();
  }
}

/** Joins child and link until the child has ended and its output is sent. */
async function attend(
  child: Child,
  { link, streams, signal }: ServedCliInput,
): Promise<{ exit: ChildExit; lost: RemoteError | undefined }> {
  let lost: RemoteError | undefined;
  let isOver = false;
  const termination = new Termination({
    endInput: () => child.stdin.end(),
    signal: (name) => child.signal(name),
    giveUp: () => child.abandon(),
  });
  void link.ended.then((error) => {
    lost = error;
    // The client has gone, and its successor may already be at work on another host. So the CLI is killed at once, with
    // everything that it started.
    if (!isOver) child.signal('SIGKILL');
  });
  const forgetClosing = onAbort(signal, () => termination.request());
  link.onFrame = (kind, payload) => {
    const name = kind === FRAME.signal ? readSignal(payload) : undefined;
    if (name) child.signal(name);
  };
  streams.input.pipe(child.stdin);
  // A CLI may close its input before the client has sent everything. The rest is dropped.
  child.stdin.on('error', () => streams.input.resume());
  const pipes = [pump(child.stdout, streams.output)];
  if (child.stderr) pipes.push(pump(child.stderr, streams.errors));
  const exit = await child.exited;
  isOver = true;
  termination.finish();
  forgetClosing();
  if (!exit.error) {
    const forget = whenClosing({ signal }, (error) => link.break(error));
    await Promise.all(pipes.map((pipe) => pipe.drain())).finally(forget);
  }
  child.stdin.destroy();
  return { exit, lost };
}

/**
 * Calls back two seconds after this host begins to close, or two seconds from now if it already closes. The returned function
 * cancels the callback.
 */
export function whenClosing(
  { signal }: Pick<ServedCliInput, 'signal'>,
  callback: (error: RemoteError) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const forget = onAbort(signal, () => {
    timer = setTimeout(() => callback(closingHere()), LAST_WORDS_MS);
  });
  return () => {
    forget();
    clearTimeout(timer);
  };
}

function closingHere(): RemoteError {
  return new RemoteError('REMOTE_LINK_LOST', 'this host is closing, and did not wait any longer', {
    retryable: true,
  });
}

/**
 * Sends the output of a pipe as fast as the client takes it. `drain` resolves when all of it is sent, or the client has gone.
 */
function pump(pipe: NodeJS.ReadableStream, target: OutgoingStream): { drain(): Promise<void> } {
  const state = { hasOutput: false, isEnded: false };
  const finished = new Promise<void>((resolve) => {
    target.once('close', resolve);
    target.once('finish', resolve);
  });
  pipe.on('data', () => {
    state.hasOutput = true;
  });
  pipe.once('end', () => {
    state.isEnded = true;
  });
  pipe.on('error', () => target.end());
  pipe.pipe(target);
  return {
    async drain() {
      for (let round = 1; round <= MAX_DRAIN_ROUNDS;) {
        if (state.isEnded || target.destroyed) break;
        state.hasOutput = false;
        await Promise.race([finished, sleep(DRAIN_SILENCE_MS)]);
        // While the client takes nothing, a pipe may be silent although it is not empty.
        if (target.writableNeedDrain) continue;
        if (!state.hasOutput) break;
        round += 1;
      }
      pipe.unpipe(target);
      target.end();
      await finished;
    },
  };
}
