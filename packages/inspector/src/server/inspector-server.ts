// Serves the inspector over HTTP. It connects the admission, the routes and the streams to pages.
import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { isLoopback } from '@inboard/core/util/loopback.js';
import { oneAtATime } from '@inboard/core/util/one-at-a-time.js';
import { writeKey } from '../model/entry.js';
import type { InspectedProgram } from '../model/page-contract.js';
import type { SessionSource } from '../sources/session-source.js';
import { Admission, createSecret } from './admission.js';
import { EventStream, type StreamPlace } from './event-stream.js';
import { listen, originOf } from './listen.js';
import { readPageAssets, type PageAssets } from './page-assets.js';
import { createPresenter } from './present.js';
import { readAllowedHost } from './request-access.js';
import { createRoutes } from './routes.js';
import { noteInspector } from './running-inspectors.js';
import { watchProgram } from './watch-program.js';

/** How the inspector is served. */
export interface InspectorServerOptions {
  /** The address to listen on. Default 127.0.0.1. */
  host?: string | undefined;
  /** Default: 4700, or the next free port. 0 for any free port. */
  port?: number | undefined;
  /** Whether pages may only read. */
  isReadOnly?: boolean | undefined;
  /** Names besides those of loopback by which browsers may call the server. */
  allowedHosts?: readonly string[] | undefined;
  /** The page; by default that of the package. */
  assets?: PageAssets | undefined;
  /** The program whose sessions these are. It may end while the server runs, and pages are told when it does. */
  program?: ServedProgram | undefined;
  /** Makes the page without data, for pages that save what they show. */
  blankPage?: (() => string) | undefined;
}

/** The program that an inspector belongs to. */
export interface ServedProgram {
  /** The command that records the same program, if it runs the sessions. */
  recordCommand: string | undefined;
  /** Whether the process goes on after its work until its pages are closed. */
  holds: boolean;
  /** Is called when the work is done and the process is held from now on. */
  onHold(): void;
}

/** A running server. */
export interface InspectorServer {
  /** The address of the server. A browser that was not let in sees no data there. */
  readonly url: string;
  readonly port: number;
  /** A link that lets one browser in, once, within ten minutes. */
  createLink(): string;
  /** Ends all connections. It does not close the source; the creator of the source does. */
  close(): Promise<void>;
}

const HEARTBEAT_MS = 15_000;
const MOST_STREAMS = 64;

/**
 * Serves the sessions of a source. Throws an InspectorError if it cannot listen on the address, if the page is missing, or if
 * an allowed host is not a name.
 */
export async function startInspectorServer(
  source: SessionSource,
  options: InspectorServerOptions = {},
): Promise<InspectorServer> {
  const { host = '127.0.0.1', isReadOnly = false, program } = options;
  const allowedHosts = (options.allowedHosts ?? []).map(readAllowedHost);
  let facts: InspectedProgram | undefined = program && { recordCommand: program.recordCommand };
  const present = createPresenter(source, isReadOnly, () => facts);
  const streams = new Set<EventStream>();
  const assets = options.assets ?? readPageAssets();
  const server = createServer();
  const port = await listen(server, host, options.port);
  const origin = originOf(host, port);
  const admission = new Admission();
  const controlSecret = createSecret();
  const createLink = (at = origin): string => `${at}/${writeKey(admission.createKey())}`;

  const openStream = (response: ServerResponse, place: StreamPlace): boolean => {
    if (streams.size >= MOST_STREAMS) return false;
    const stream = new EventStream(response, { source, present, place });
    streams.add(stream);
    watched?.changed();
    response.once('close', () => {
      streams.delete(stream);
      watched?.changed();
    });
    return true;
  };
  // No request can be lost: this runs in the same turn of the event loop in which listening began.
  server.on(
    'request',
    oneAtATime(
      createRoutes({
        source,
        present,
        admission,
        rules: { host, allowedHosts },
        assets,
        isReadOnly,
        controlSecret,
        createLink,
        openStream,
        blankPage: once(() => options.blankPage && gzipSync(options.blankPage())),
      }),
    ),
  );
  const heartbeat = setInterval(() => streams.forEach((stream) => stream.beat()), HEARTBEAT_MS);
  heartbeat.unref();
  if (program) {
    server.unref();
    server.on('connection', (socket) => socket.unref());
  }
  const watched =
    program &&
    watchProgram(
      {
        isBehind: () => [...streams].some((stream) => !stream.isLive),
        end: (end) => streams.forEach((stream) => stream.closeNow(end)),
        pages: () => streams.size,
        keepAlive: (isKept) => (isKept ? server.ref() : server.unref()),
        redact: (text) => source.redact?.(text),
        onHold: () => {
          facts = { recordCommand: program.recordCommand, isHeld: true };
          streams.forEach((stream) => stream.changed());
          program.onHold();
        },
      },
      program,
    );
  const forget = noteInspector({
    origin: reachableOrigin(host, port),
    secret: controlSecret,
    title: source.title,
  });
  let closing: Promise<void> | undefined;
  return {
    url: `${origin}/`,
    port,
    createLink: () => createLink(),
    close: () =>
      (closing ??= new Promise((resolve) => {
        clearInterval(heartbeat);
        forget();
        watched?.stop();
        for (const stream of streams) stream.close({ how: 'closed' });
        server.close(() => resolve());
        server.closeAllConnections();
      })),
  };
}

function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}

// If a server is bound to all addresses, programs on this machine reach it by loopback.
function reachableOrigin(host: string, port: number): string {
  return originOf(isLoopback(host) || (host !== '0.0.0.0' && host !== '::') ? host : '127.0.0.1', port);
}
