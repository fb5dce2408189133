// A pool for Vitest whose one worker outlives a run. Starting a process for each test file costs more than most tests do; the
// modules of the project are still loaded anew for each file, as Vitest does itself where files are isolated.
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const WORKER = join(dirname(createRequire(import.meta.url).resolve('vitest/node')), 'workers/forks.js');

/** The pool, for `pool` in Vitest's settings, and a way to get another worker for the next run. */
export function createKeptPool() {
  let child;
  const pool = {
    name: 'kept',
    createPoolWorker({ env, execArgv }) {
      let listeners = [];
      const answer = (type) => {
        for (const { event, callback } of listeners)
          if (event === 'message') setImmediate(() => callback({ type, __vitest_worker_response__: true }));
      };
      return {
        name: 'kept',
        deserialize: (data) => data,
        on(event, callback) {
          listeners.push({ event, callback });
          child.process.on(event, callback);
        },
        off(event, callback) {
          listeners = listeners.filter((entry) => entry.event !== event || entry.callback !== callback);
          child?.process.off(event, callback);
        },
        send(message) {
          if (message.type === 'start' && child.isStarted) return answer('started');
          // The worker would take itself apart.
          if (message.type === 'stop') return answer('stopped');
          if (message.type === 'start') child.isStarted = true;
          child.process.send(message);
        },
        start: async () => {
          if (!child || child.process.exitCode !== null || child.process.signalCode !== null)
            child = { process: startWorker({ env, execArgv }), isStarted: false };
        },
        stop: async () => {},
      };
    },
  };
  const renew = () => {
    child?.process.removeAllListeners();
    child?.process.kill('SIGKILL');
    child = undefined;
  };
  return { pool, renew };
}

function startWorker({ env, execArgv }) {
  const child = fork(WORKER, [], {
    env,
    execArgv,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  child.setMaxListeners(0);
  return child;
}
