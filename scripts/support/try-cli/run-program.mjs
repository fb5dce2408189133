// Runs a program to its end and gives what it wrote. It ends with the trial, and when it takes too long.
import { spawn } from 'node:child_process';

/** Gives `{ code, stdout, stderr, isLate }`. Rejects when the program cannot be started, or the signal's reason. */
export function runProgram([program, ...args], { cwd, env, signal, limitMs, input = '', shell } = {}) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = spawn(program, args, { cwd, env, shell, stdio: 'pipe' });
    let [stdout, stderr, isLate] = ['', '', false];
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    // A program that refuses its flags is gone before it reads.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const stop = () => child.kill('SIGTERM');
    signal?.addEventListener('abort', stop);
    const timer = limitMs === undefined ? undefined : setTimeout(() => ((isLate = true), stop()), limitMs);
    const release = () => {
      signal?.removeEventListener('abort', stop);
      clearTimeout(timer);
    };
    child.on('error', (error) => {
      release();
      reject(error);
    });
    child.on('close', (code) => {
      release();
      if (signal?.aborted) reject(signal.reason);
      else resolve({ code, stdout, stderr, isLate });
    });
  });
}

/** What starts a CLI: its file, or the JavaScript runtime with it. */
export function commandOf(path) {
  return /\.[cm]?js$/.test(path) ? [process.execPath, path] : [path];
}
