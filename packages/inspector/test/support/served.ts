// A server of the inspector for one test, and a browser of few words that talks to it over real sockets.
import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  startInspectorServer,
  type InspectorServer,
  type InspectorServerOptions,
} from '../../src/server/inspector-server.js';
import { readKey, SECRET_HEADER } from '../../src/model/entry.js';
import { FakeSource } from './fake-source.js';

/** What came back. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What is asked; the address is that of the server unless said otherwise. */
export interface Asking {
  method?: string;
  /** As it stands, without being made sense of. */
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A server with a source that the test fills. */
export class Served {
  readonly source: FakeSource;
  readonly server: InspectorServer;
  /** Where it leaves its note. */
  readonly folder: string;
  readonly #runtimeBefore: string | undefined;
  /** What the page's script has once it was let in. */
  secret = '';

  private constructor(
    parts: Pick<Served, 'source' | 'server' | 'folder'> & { runtimeBefore: string | undefined },
  ) {
    this.source = parts.source;
    this.server = parts.server;
    this.folder = parts.folder;
    this.#runtimeBefore = parts.runtimeBefore;
  }

  static async start(options: InspectorServerOptions = {}, source = new FakeSource()): Promise<Served> {
    const folder = mkdtempSync(join(tmpdir(), 'inboard-runtime-'));
    const runtimeBefore = process.env['XDG_RUNTIME_DIR'];
    process.env['XDG_RUNTIME_DIR'] = folder;
    const [script, style] = ['script()'.repeat(500), 'a{}'];
    const served = new Map([
      ['page.js', gzipSync(script)],
      ['page.css', gzipSync(style)],
    ]);
    const assets = { script, style, served };
    const server = await startInspectorServer(source, { port: 0, assets, ...options });
    return new Served({ source, server, folder, runtimeBefore });
  }

  /** Opens a link as the page does, and keeps the secret. */
  async enter(): Promise<this> {
    const { body } = await this.redeem(this.server.createLink());
    this.secret = (JSON.parse(body) as { result: { secret: string } }).result.secret;
    return this;
  }

  /** What the page asks for when it was opened by a link. */
  redeem(link: string, headers: Record<string, string> = {}): Promise<Answer> {
    const key = readKey(new URL(link).hash) ?? '';
    return this.post('/api/enter', { key }, headers);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** The answer to a request, read to its end. */
  async ask(asking: Asking): Promise<Answer> {
    const response = await this.open(asking);
    let body = '';
    response.setEncoding('utf8');
    for await (const piece of response as AsyncIterable<string>) body += piece;
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }

  /** A request whose answer the caller reads. */
  open({ method = 'GET', path = '/', headers = {}, body }: Asking): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const own = this.secret === '' ? {} : { [SECRET_HEADER]: this.secret };
      const place = { host: '127.0.0.1', port: this.server.port, agent: false };
      const asking = request({ ...place, method, path, headers: { ...own, ...headers } }, resolve);
      asking.once('error', reject);
      asking.end(body);
    });
  }

  /** An action as the page sends it. */
  act(action: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.post('/api/act', action, headers);
  }

  /** A request that changes something, as the page sends it. */
  post(path: string, given: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const own = { origin: this.origin, 'x-inboard': '1', 'content-type': 'application/json' };
    const body = typeof given === 'string' ? given : JSON.stringify(given);
    return this.ask({ method: 'POST', path, headers: { ...own, ...headers }, body });
  }

  async close(): Promise<void> {
    await this.server.close();
    if (this.#runtimeBefore === undefined) delete process.env['XDG_RUNTIME_DIR'];
    else process.env['XDG_RUNTIME_DIR'] = this.#runtimeBefore;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
