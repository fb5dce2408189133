// Serves one link from its greeting to its end. A link has one greeting, which shows who the client is, one start and one CLI.
// Leaves the running of the CLI to `run-served-cli`.
import type { Duplex } from 'node:stream';
import { RemoteError } from '@inboard/core/errors.js';
import { isSameSecret } from '@inboard/core/util/loopback-http.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { settleQuietly } from '@inboard/core/util/settle-quietly.js';
import { sleep } from '@inboard/core/util/timers.js';
import { sweepFoldersOnce } from '@inboard/core/wire/process/sweep-folders.js';
import { FRAME } from '../wire/frame.js';
import { Link } from '../wire/link.js';
import { readHello, readStart, welcomeOf, type Start } from '../wire/messages.js';
import { LocalCli } from './local-cli.js';
import { openStreams, runServedCli, whenClosing, type SessionStreams } from './run-served-cli.js';
import { checkLink, readLimits, readTokens, type CliPlace, type ServeLinkOptions } from './serve-options.js';
import { tell } from './server-event.js';
import type { Stranger } from './strangers.js';

/** The state that all links of one host share. */
export class LinkHost {
  readonly place: CliPlace;
  readonly tokens: readonly string[];
  readonly limits: ReturnType<typeof readLimits>;
  readonly cli: LocalCli;
  /** Aborts when the host closes. */
  readonly closing = new AbortController();
  /** How many CLIs run, or are about to be started. */
  sessions = 0;

  constructor(place: CliPlace, tokens: readonly string[]) {
    this.place = place;
    this.tokens = tokens;
    this.limits = readLimits(place);
    this.cli = new LocalCli(place);
    void sweepFoldersOnce();
  }
}

/** How long the greeting of a client may take. */
const GREETING_MS = 5000;
/** How long a client that was let in may take to send its start. */
const START_MS = 60_000;

/**
 * The wait before a wrong token is refused, in milliseconds. It makes guessing slow. Few clients wait at a time, and nothing is
 * stored for them.
 */
const REFUSAL_DELAY_MS = 250;

/**
 * Runs one CLI for the client at the other end of a link, such as a WebSocket as a stream, or the input and output of this
 * process or of a container. Resolves when the link is over. Rejects with a RemoteError REMOTE_NOT_SECURE if every client would
 * be let in.
 */
export async function serveLink(
  duplex: Duplex,
  options: ServeLinkOptions & { /** The name of the client in events. */ peer?: string | undefined },
): Promise<void> {
  checkLink(options);
  const tokens = readTokens(options.token);
  await attendLink(duplex, new LinkHost(options, tokens), {
    stranger: { peer: options.peer ?? 'the other side' },
  });
}

/** The client at the other end of a link. */
export interface Visitor {
  stranger: Pick<Stranger, 'peer' | 'reason'>;
  /** Called when the client has shown who it is. */
  onKnown?: () => void;
}

/** Greets the client, runs its CLI, and attends the link to its end. Never rejects. */
export async function attendLink(
  duplex: Duplex,
  host: LinkHost,
  { stranger, onKnown }: Visitor,
): Promise<void> {
  const { onEvent } = host.place;
  const { peer } = stranger;
  const { idleMs } = host.limits;
  const link = new Link(duplex, { peer, idleMs: Math.max(idleMs, GREETING_MS) });
  const { signal } = host.closing;
  // A host that closes says goodbye, but does not wait long for a client that does not read the goodbye.
  const forgets = [
    onAbort(signal, () => link.close()),
    whenClosing({ signal }, (error) => link.break(error)),
  ];
  let forget = (): void => {
    for (const each of forgets) each();
  };
  let isCounted = false;
  try {
    const { token, theirIdleMs } = await receive(link, GREETING_MS, FRAME.hello, (payload) => {
      const hello = readHello(payload);
      return { token: hello.token, theirIdleMs: hello.idleMs };
    });
    if (host.tokens.length > 0 && !isKnownToken(host.tokens, token)) {
      await sleep(REFUSAL_DELAY_MS);
      throw new RemoteError(
        'REMOTE_REFUSED',
        token === undefined ? 'a token is needed' : 'the token is wrong',
      );
    }
    onKnown?.();
    if (host.sessions >= host.limits.maxSessions) {
      throw new RemoteError('REMOTE_REFUSED', `${host.limits.maxSessions} CLIs are already running here`, {
        retryable: true,
      });
    }
    host.sessions += 1;
    isCounted = true;
    link.trust({ idleMs, theirIdleMs });
    const streams = openStreams(link);
    // The client may leave while the version is looked up. The code below notices that only afterwards. Until then, the
    // unhandled rejection must not end this process.
    const starting = settleQuietly(receive(link, START_MS, FRAME.start, readStart));
    link.sendJson(FRAME.welcome, welcomeOf({ version: await host.cli.version(), idleMs }));
    const start = await starting;
    forget();
    await run(link, host, start, streams);
  } catch (error) {
    const { code, retryable } = error as Partial<RemoteError>;
    const reason = messageOf(error);
    if (!link.isOver) link.sendJson(FRAME.refused, { code, message: reason, retryable });
    // A client that leaves without a start only wanted to know the version, so it was not refused.
    if (!(error instanceof LinkEnded))
      tell(onEvent, { type: 'refused', peer, reason: stranger.reason ?? reason });
    link.close();
  } finally {
    forget();
    if (isCounted) host.sessions -= 1;
  }
  // The client may still be reading. If the program ended now, it would cut the client off.
  forget = whenClosing({ signal }, (error) => link.break(error));
  await link.ended;
  forget();
}

async function run(link: Link, host: LinkHost, start: Start, streams: SessionStreams): Promise<void> {
  await runServedCli({
    link,
    cli: host.cli,
    start,
    streams,
    maxFileBytes: host.limits.maxFileBytes,
    onEvent: host.place.onEvent,
    signal: host.closing.signal,
  });
}

/** Says that the link was ended in an orderly way. */
class LinkEnded extends Error {}

/**
 * Waits for the next frame, which must be of this kind. Rejects if it is of another kind or too late, or if the link ends
 * first.
 */
function receive<Value>(
  link: Link,
  limitMs: number,
  kind: number,
  read: (payload: Buffer) => Value,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new RemoteError('REMOTE_PROTOCOL', 'nothing arrived in time')),
      limitMs,
    );
    timer.unref();
    void link.ended.then((error) => {
      clearTimeout(timer);
      reject(error ?? new LinkEnded('the link was ended'));
    });
    link.onFrame = (given, payload) => {
      clearTimeout(timer);
      link.onFrame = () => {};
      try {
        if (given !== kind) throw new RemoteError('REMOTE_PROTOCOL', 'something unexpected was sent');
        resolve(read(payload));
      } catch (error) {
        reject(error);
      }
    };
  });
}

/**
 * Whether the token is a known one. It is compared with all known tokens, so that the time of the check does not reveal which
 * one matches.
 */
function isKnownToken(known: readonly string[], given = ''): boolean {
  return known.filter((token) => isSameSecret(given, token)).length > 0;
}
