// The test host as seen from the script: one at a time, started anew when a mutant had to be killed with it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from './areas.mjs';

export class TestHost {
  #settings;
  #env;
  #child;

  constructor(settings, env = {}) {
    this.#settings = settings;
    this.#env = env;
  }

  /** The answer of the host, or `{ timeout: true }` after `limitMs`. */
  async ask(question, limitMs) {
    this.#child ??= await this.#start();
    const child = this.#child;
    const waiting = new AbortController();
    const { signal } = waiting;
    const answered = once(child, 'message', { signal }).then(([message]) => message);
    const lost = once(child, 'exit', { signal }).then(() => ({ lost: true }));
    const limit = setTimeout(limitMs, { timeout: true }, { signal });
    child.send(question);
    const answer = await Promise.race([answered, lost, limit]);
    waiting.abort();
    await Promise.allSettled([answered, lost, limit]);
    if (answer.timeout || answer.lost) await this.stop();
    if (answer.error) throw new Error(answer.error);
    return answer;
  }

  async stop() {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    // Its workers are in its group.
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of them are gone.
    }
    await gone;
  }

  async #start() {
    const child = fork(join(import.meta.dirname, 'test-host.mjs'), [JSON.stringify(this.#settings)], {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, ...this.#env },
    });
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('The test host did not start.'))),
    ]);
    return child;
  }
}
