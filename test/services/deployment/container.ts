// Runs a command of an image as a container does: in namespaces, as its user, with a root that cannot be written to.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PROJECT_ROOT } from '../../package/project.js';
import { CHECKOUT, type Image } from './container-image.js';

const SCRIPT = fileURLToPath(import.meta.resolve('./container.sh'));
const UNSHARE = ['--mount', '--pid', '--fork', '--kill-child'];
/** As the manifest limits the volumes. */
const SIZES = { home: '1024m', tmp: '512m' };

/** Why no container can be started here; undefined if one can. */
export function whyNoContainer(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has namespaces';
  if (process.getuid?.() !== 0) return 'only root can become the user of the image';
  const tried = spawnSync('unshare', [...UNSHARE, 'mount', '--make-rprivate', '/'], { encoding: 'utf8' });
  return tried.status === 0
    ? undefined
    : `no namespaces are allowed here: ${tried.stderr || tried.error?.message}`;
}

/** A running container. Whoever starts it ends it. */
export class Container implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly lines: string[] = [];

  /** `args` are those of the manifest: they replace the CMD of the image. */
  constructor(image: Image, { args, env }: { args?: readonly string[]; env: Record<string, string> }) {
    const command = [...image.entrypoint, ...(args ?? image.command)];
    const script = [
      image.root,
      PROJECT_ROOT,
      CHECKOUT,
      image.folder,
      image.user ?? '0:0',
      SIZES.home,
      SIZES.tmp,
    ];
    const given = {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...image.env,
      ...env,
    };
    this.#child = spawn('unshare', [...UNSHARE, 'sh', SCRIPT, ...script, ...command], {
      env: given,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const output of [this.#child.stdout, this.#child.stderr])
      if (output) createInterface({ input: output }).on('line', (line) => this.lines.push(line));
  }

  /** The number of its first process, outside. */
  get first(): number {
    const { pid } = this.#child;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
  }

  /** What the kernel says about its first process. */
  status(): string {
    return readFileSync(`/proc/${this.first}/status`, 'utf8');
  }

  /** Sends its first process the signal with which it is stopped. */
  stop(signal: NodeJS.Signals): void {
    process.kill(this.first, signal);
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async ended(): Promise<number | null> {
    if (!this.hasEnded) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended();
  }
}
