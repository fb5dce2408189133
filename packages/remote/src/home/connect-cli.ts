// Lets `query()` and `openSession()` use the CLI of another host. Makes a transport for each start of the CLI.
import { createProjectKey } from '@inboard/core/record/history/folders/project-folders.js';
import { createProcessTransport } from '@inboard/core/wire/transport/process-transport.js';
import { refuseFurtherArguments } from '@inboard/core/util/options-object.js';
import type {
  Transport,
  TransportFactory,
  TransportRequest,
} from '@inboard/core/wire/transport/transport.js';
import {
  CONNECT_CALL,
  readConnectOptions,
  type ConnectCliOptions,
  type RemoteSite,
} from './connect-options.js';
import { greet, type Greeted } from './greet.js';
import { startRemoteChild } from './remote-child.js';
import { planTravel } from './travel.js';

/** Options for a query or session: `{ ...connectCli({ … }), mcpServers }`. */
export interface RemoteCli {
  transport: TransportFactory;
}

/** Means the folder that the server sets. */
const DEFAULT_FOLDER = '.';
const DEFAULT_KEY = 'remote';

/** How long, in milliseconds, a link that was made to ask for the version waits for a start. */
const SPARE_MS = 5000;

/**
 * Uses the CLI on another host, while tools, permissions, hooks and stores stay here. Throws an InvalidOptionsError or a
 * RemoteError if the options cannot be used. If the host cannot be reached, the query fails.
 */
export function connectCli(options: ConnectCliOptions): RemoteCli;
export function connectCli(options: ConnectCliOptions, ...others: readonly unknown[]): RemoteCli {
  refuseFurtherArguments(others, CONNECT_CALL);
  const site = readConnectOptions(options);
  const links = new LinkSource(site);
  const make = async (request: TransportRequest): Promise<Transport> => {
    const travel = await planTravel(request, site.env);
    const { link, version } = await links.take();
    const transport = createProcessTransport({
      // This is only used in error messages.
      command: site.name,
      args: [],
      env: {},
      startChild: () => startRemoteChild(link, travel),
      maxLineBytes: request.maxLineBytes,
      onStderr: request.onStderr,
    });
    return new RemoteTransport(transport, { link, version });
  };
  const transport: TransportFactory = Object.assign(make, {
    askVersion: () => links.askVersion(),
    cwd: options.cwd ?? DEFAULT_FOLDER,
    projectKeyFor: (cwd: string | undefined) => options.projectKey ?? keyOf(cwd),
    carriesFiles: true,
  });
  return { transport };
}

function keyOf(cwd: string | undefined): string {
  return cwd === undefined || cwd === DEFAULT_FOLDER ? DEFAULT_KEY : createProjectKey(cwd);
}

/** Makes one link for each start. A link that was made to ask for the version is used for the next start. */
class LinkSource {
  readonly #site: RemoteSite;
  #spare: Promise<Greeted> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(site: RemoteSite) {
    this.#site = site;
  }

  async askVersion(): Promise<string | undefined> {
    if (!this.#spare) {
      const spare = greet(this.#site);
      this.#spare = spare;
      spare.catch(() => this.#drop(spare));
      this.#timer = setTimeout(() => this.#drop(spare), this.#site.connectTimeoutMs + SPARE_MS);
      this.#timer.unref();
    }
    return (await this.#spare).version;
  }

  async take(): Promise<Greeted> {
    const spare = this.#spare;
    this.#spare = undefined;
    clearTimeout(this.#timer);
    const greeted = await spare?.catch(() => undefined);
    return greeted && !greeted.link.isOver ? greeted : await greet(this.#site);
  }

  #drop(spare: Promise<Greeted>): void {
    if (this.#spare !== spare) return;
    this.#spare = undefined;
    clearTimeout(this.#timer);
    spare.then(
      ({ link }) => link.close(),
      () => {},
    );
  }
}

/** A transport on a link. If it is ended before it was opened, it closes the link. */
class RemoteTransport implements Transport {
  readonly pid = undefined;
  readonly claudeCodeVersion: string | undefined;
  readonly #transport: Transport;
  readonly #link: Greeted['link'];
  #isOpened = false;

  constructor(transport: Transport, { link, version }: Greeted) {
    this.#transport = transport;
    this.#link = link;
    this.claudeCodeVersion = version;
  }

  open(receiver: Parameters<Transport['open']>[0]): void {
    this.#isOpened = true;
    this.#transport.open(receiver);
  }

  write(line: string): boolean {
    return this.#transport.write(line);
  }

  drained(): Promise<void> {
    return this.#transport.drained();
  }

  endInput(): void {
    this.#transport.endInput();
  }

  async terminate(options?: Parameters<Transport['terminate']>[0]): Promise<void> {
    if (!this.#isOpened) this.#link.close();
    await this.#transport.terminate(options);
  }
}
