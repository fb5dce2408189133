// A host in a network namespace of its own, joined to this one by a cable that can be pulled.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isRecord } from '../../../packages/core/src/util/guards.js';

const HOST = fileURLToPath(new URL('remote-host.mjs', import.meta.url));

/** A host that can be reached until its cable is pulled. */
export interface NamespaceHost extends AsyncDisposable {
  readonly address: string;
  readonly port: number;
  /** What its server told. */
  readonly events: Record<string, unknown>[];
  /** No packet passes any more, and neither side is notified: no RST, no FIN. */
  pull(): void;
  plug(): void;
  /** Requests that its model has got. */
  requests(): Promise<number>;
}

export interface NamespaceInput {
  listen: object;
  token: string;
  idleMs: number;
  script: readonly unknown[];
}

const HOME_ADDRESS = '10.213.77.1';
export const HOST_ADDRESS = '10.213.77.2';

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Why no such host can be made here; undefined where one can. */
export function findObstacle(): string | undefined {
  try {
    execFileSync('unshare', ['-n', '--', 'true'], { stdio: ['ignore', 'ignore', 'pipe'] });
    ip('link', 'add', 'inbtest0', 'type', 'veth', 'peer', 'name', 'inbtest1');
    ip('link', 'del', 'inbtest0');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  }
}

/** Starts the host. The caller ends it, which removes the cable too. */
export async function startNamespaceHost(input: NamespaceInput): Promise<NamespaceHost> {
  const device = `inb${process.pid % 100_000}`;
  const child = spawn('unshare', ['-n', '--', process.execPath, HOST], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const says = listen(child);
  const { pid } = await says.next('pid');
  ip('link', 'add', `${device}a`, 'type', 'veth', 'peer', 'name', `${device}b`);
  ip('link', 'set', `${device}b`, 'netns', String(pid));
  ip('addr', 'add', `${HOME_ADDRESS}/24`, 'dev', `${device}a`);
  ip('link', 'set', `${device}a`, 'up');
  const tell = (line: string): void => void child.stdin?.write(`${line}\n`);
  tell(JSON.stringify({ ...input, device: `${device}b`, address: HOST_ADDRESS }));
  const { port } = await says.next('port');
  return {
    address: HOST_ADDRESS,
    port: Number(port),
    events: says.events,
    pull: () => ip('link', 'set', `${device}a`, 'down'),
    plug: () => ip('link', 'set', `${device}a`, 'up'),
    async requests() {
      tell('requests');
      return Number((await says.next('requests'))['requests']);
    },
    async [Symbol.asyncDispose]() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.signalCode === null) {
        child.stdin?.end();
        await exited;
      }
      // The cable is gone with the namespace at its other end.
      try {
        ip('link', 'del', `${device}a`);
      } catch {}
    },
  };
}

function listen(child: ChildProcess) {
  const events: Record<string, unknown>[] = [];
  const waiting: ((value: Record<string, unknown>) => boolean)[] = [];
  const early: Record<string, unknown>[] = [];
  if (!child.stdout) throw new Error('no output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const value = JSON.parse(line) as Record<string, unknown>;
    if (isRecord(value['event'])) events.push(value['event']);
    else if (!waiting.some((take) => take(value))) early.push(value);
  });
  return {
    events,
    next(field: string): Promise<Record<string, unknown>> {
      const known = early.findIndex((value) => field in value);
      if (known >= 0) return Promise.resolve(early.splice(known, 1)[0] ?? {});
      return new Promise((resolve, reject) => {
        child.once('exit', (code) => reject(new Error(`The host left with ${String(code)}`)));
        const take = (value: Record<string, unknown>): boolean => {
          if (!(field in value)) return false;
          waiting.splice(waiting.indexOf(take), 1);
          resolve(value);
          return true;
        };
        waiting.push(take);
      });
    },
  };
}
