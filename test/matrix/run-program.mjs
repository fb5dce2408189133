// Runs one program on a runtime, at home: an environment made from nothing, temporary folders of its own. Fails when
// the program does not end by itself, says anything on stderr, or leaves a process or a file behind.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PATIENCE_MS, waitUntil } from '../support/wait-until.js';

const PIPE_PATIENCE_MS = 2_000;

/** A place for one run: its environment, and what is left there afterwards. */
export function createPlace(folder) {
  // Short, because sockets are made below it, and their paths may have about a hundred characters.
  const place = mkdtempSync(join(folder, 'r-'));
  const folders = Object.fromEntries(['home', 'tmp', 'bin'].map((name) => [name, join(place, name)]));
  for (const path of Object.values(folders)) mkdirSync(path);
  const env = {
    // The empty folder in front marks every process that comes from here, also those that get little else.
    PATH: [folders.bin, process.env.PATH].join(delimiter),
    HOME: folders.home,
    TMPDIR: folders.tmp,
    NO_COLOR: '1',
    DENO_DIR: join(folders.home, 'deno'),
    DENO_NO_UPDATE_CHECK: '1',
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0',
    DO_NOT_TRACK: '1',
  };
  return {
    env,
    /** The process ids of everything that was started from here and has not ended. */
    listProcesses: () => findProcesses(folders.bin),
    /** Throws when something is left: processes get time to go, files do not. A host that was killed removes none. */
    async expectEmpty({ mayLeaveFiles = false } = {}) {
      await waitUntil(
        () => findProcesses(folders.bin).length === 0,
        PATIENCE_MS,
        () => `the end of what is left running: ${findProcesses(folders.bin).map(describe).join('; ')}`,
      );
      const files = readdirSync(folders.tmp);
      if (files.length > 0 && !mayLeaveFiles)
        throw new Error(`left in the temporary folder: ${files.join(', ')}`);
    },
    /** Ends what is left all the same, and removes the folders. */
    remove() {
      endProcesses(folders.bin);
      rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** Kills what has this folder in its environment. */
export function endProcesses(folder) {
  for (const pid of findProcesses(folder)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone meanwhile.
    }
  }
}

/**
 * Runs a program to its end and gives its stdout. Throws with everything it said when it fails, hangs, or says
 * anything on stderr.
 */
export function runProgram({
  runtime,
  words,
  cwd,
  env,
  limitMs,
  onStdout,
  allowStderr = false,
  killed = false,
}) {
  const child = spawn(runtime.program, [...runtime.args, ...words], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    onStdout?.(stdout, child);
  });
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, limitMs);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    let drain;
    child.once('exit', () => {
      // What it left behind may hold its pipes, and is looked for later.
      drain = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, PIPE_PATIENCE_MS);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      clearTimeout(drain);
      const how = isLate ? `did not end within ${limitMs / 1000} s` : `ended with ${signal ?? code}`;
      const fine = !isLate && (killed ? signal === 'SIGKILL' : code === 0) && (allowStderr || stderr === '');
      if (fine) resolve(stdout);
      // Where this runner stood when a program failed tells nothing.
      else
        reject(
          Object.assign(new Error(`${words.join(' ')} ${how}\n${stdout}${stderr}`.trimEnd()), {
            stack: undefined,
          }),
        );
    });
  });
}

// Only Linux tells the environment of a process; elsewhere programs look for their own CLI only.
function findProcesses(marker) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(marker) && !isZombie(pid);
      } catch {
        // Gone meanwhile, or not ours to look at.
        return false;
      }
    });
}

function isZombie(pid) {
  return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

function describe(pid) {
  try {
    return `${pid} ${readlinkSync(`/proc/${pid}/exe`)}`;
  } catch {
    return String(pid);
  }
}
