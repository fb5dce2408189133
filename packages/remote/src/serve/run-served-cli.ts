// One CLI for one link, from its start to its end: streams in both directions, signals, the exit, and its death with the
// link.
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

/** For whom, and with what. */
export interface ServedCliInput {
  link: Link;
  cli: LocalCli;
  start: Start;
  streams: SessionStreams;
  maxFileBytes: number;
  onEvent: ((event: RemoteServerEvent) => void) | undefined;
  /** Ends the CLI in an orderly way: this host is closing. */
  signal: AbortSignal;
}

/** The streams of a session; made before the start is read, since bytes may follow it at once. */
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

// As for a child of this host: after the exit only what is in the pipes is awaited, since another process may hold them.
const DRAIN_SILENCE_MS = 100;
const MAX_DRAIN_ROUNDS = 10;

// Once this host closes: how long the other side may take to send the rest of its files, and to take what a CLI wrote that
// has ended. It may ping, and do neither for ever.
const LAST_WORDS_MS = 2000;

/** Resolves when nothing is left of it; never rejects. */
export async function runServedCli(input: ServedCliInput): Promise<void> {
  const { link, cli, start, streams, maxFileBytes, onEvent } = input;
  const { peer } = link;
  let remove = (): void => {};
  // An end may be asked for while files are still coming.
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

/** Joins child and link until the child has ended and what it wrote is sent. */
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
    // The CLI ends at once, with all it started: its client has gone, and a successor may already be at work on another host.
    if (!isOver) child.signal('SIGKILL');
  });
  const forgetClosing = onAbort(signal, () => termination.request());
  link.onFrame = (kind, payload) => {
    const name = kind === FRAME.signal ? readSignal(payload) : undefined;
    if (name) child.signal(name);
  };
  streams.input.pipe(child.stdin);
  // A CLI may close its input before the other side has said all; the rest is dropped.
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

/** Calls back some time after this host began to close, also where it had before; the returned function cancels that. */
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

/** Sends what a pipe gives, in its own time. `drain` resolves when all of it is sent, or the client has gone. */
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
        // While the other side takes nothing, silence of the pipe means nothing.
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
