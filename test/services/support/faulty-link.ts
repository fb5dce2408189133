// A TCP server in front of another one, which can go away, fall silent or become slow: a service under faults, without
// touching the service that other tests use.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** `away` refuses and cuts, `silent` takes everything and passes nothing on. */
export type LinkState = 'fine' | 'away' | 'silent';

export class FaultyLink implements AsyncDisposable {
  #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #state: LinkState = 'away';
  #delayMs = 0;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** The address of the target through this link; known once it was fine for the first time. */
  get address(): string {
    const address = new URL(this.#target);
    address.hostname = '127.0.0.1';
    address.port = String(this.#port);
    return address.href;
  }

  /** Leads new connections to another server, as a name does whose address has changed. */
  aim(target: string): void {
    this.#target = new URL(target);
  }

  /** Milliseconds that everything takes longer in each direction. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  async set(state: LinkState): Promise<void> {
    this.#state = state;
    if (state === 'away') await this.#close();
    else if (this.#server === undefined) await this.#listen();
    // What was swallowed is not made up for: its connections are of no use.
    if (state === 'fine') for (const socket of this.#sockets) if (socket.isPaused()) socket.destroy();
    if (state === 'silent') for (const socket of this.#sockets) socket.pause();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.set('away');
  }

  async #listen(): Promise<void> {
    const server = createServer((near) => this.#join(near));
    this.#server = server;
    await new Promise<void>((resolve) => {
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      this.#sockets.add(from);
      from.on('data', (chunk) => {
        if (this.#delayMs === 0) to.write(chunk);
        else setTimeout(() => to.write(chunk), this.#delayMs);
      });
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#state === 'silent') from.pause();
    }
  }
}
