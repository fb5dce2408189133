// A trace may be a pipe without a writer, or have no end: each trace command ends at once when it is told to.
import { execFileSync, spawn } from 'node:child_process';
import { constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommandLine } from '../src/terminal/command-line.js';
import { StopRequest } from '../src/terminal/terminal.js';
import { RENDERERS } from '../src/trace/trace-renderers.js';
import { readTrace } from '@inboard/inboard/trace.js';
import { createFakeTerminal } from './fake-terminal.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trace-stop-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = `${JSON.stringify({ type: 'header', format: 'inboard-trace', version: 1 })}\n`;

/** Writes the header of a trace and then events for ever, until the reader leaves. */
function writeForEver(pipe: string): void {
  const script = `const { createWriteStream } = require('fs');
    const out = createWriteStream(process.argv[1]).on('error', () => process.exit());
    const more = () => { while (out.write('{"type":"gap"}\\n'.repeat(1000))); out.once('drain', more); };
    out.write(process.argv[2]); more();`;
  spawn(process.execPath, ['--eval', script, pipe, HEADER], { stdio: 'ignore' });
}

const ACTIONS = [...Object.keys(RENDERERS), 'replay'];
const KINDS = ['SIGINT', 'SIGTERM'] as const;

describe.skipIf(process.platform === 'win32')('a trace command', () => {
  it.each(ACTIONS.flatMap((action) => KINDS.map((kind) => [action, kind] as const)))(
    '%s ends with %s while nobody writes to the pipe it reads',
    async (action, kind) => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const terminal = createFakeTerminal({ cwd: folder });
      const running = runCommandLine(['trace', action, 'pipe'], terminal);
      await new Promise((resolve) => setImmediate(resolve));
      terminal.stop(new StopRequest(kind));
      expect(await running).toBe(130);
      expect(terminal.written()).toEqual({ stdout: '', stderr: '' });
    },
  );

  it.each(ACTIONS)('%s ends in the middle of a trace without end', async (action) => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    writeForEver(pipe);
    const terminal = createFakeTerminal({ cwd: folder });
    const running = runCommandLine(['trace', action, 'pipe'], terminal);
    setTimeout(() => terminal.stop(new StopRequest('SIGTERM')), 300);
    expect(await running).toBe(130);
  });
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  it('is read to its end, also where it is written later and in pieces', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = readTrace(pipe);
    const script = `const fs = require('fs'); const fd = fs.openSync(process.argv[1], 'w');
      for (const letter of process.argv[2]) fs.writeSync(fd, letter);`;
    spawn(process.execPath, ['--eval', script, pipe, HEADER], { stdio: 'ignore' });
    expect((await reading).header).toMatchObject({ format: 'inboard-trace' });
  });

  describe('without a single byte', () => {
    /** Lets time pass, and each look at the pipe end. */
    const pass = async (ms: number): Promise<void> => {
      vi.advanceTimersByTime(ms);
      await stat(folder);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const begin = () => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      onTestFinished(() => void vi.useRealTimers());
      const state = { pipe, refusal: undefined as unknown };
      readTrace(pipe).catch((error: unknown) => (state.refusal = error));
      return state;
    };

    it('is given up when nobody has written to it for half a minute, and not before', async () => {
      const state = begin();
      for (let passed = 0; passed < 29_000; passed += 1000) await pass(1000);
      expect(state.refusal).toBeUndefined();
      while (state.refusal === undefined) await pass(1000);
      expect(state.refusal).toMatchObject({
        code: 'TRACE_UNREADABLE',
        message: expect.stringContaining('nobody has written to it for 30 seconds') as string,
      });
    });

    it('is empty as soon as its writer has left, however long that took', async () => {
      const state = begin();
      let writer: FileHandle | undefined;
      // A pipe cannot be opened for writing before it has a reader.
      while (!writer) {
        await pass(25);
        writer = await open(state.pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
      }
      for (let count = 0; count < 100; count += 1) await pass(1000);
      expect(state.refusal).toBeUndefined();
      await writer.close();
      while (state.refusal === undefined) await pass(25);
      expect(state.refusal).toMatchObject({ message: expect.stringContaining('is empty') as string });
    });
  });

  it('without a name is empty when its writer has left, and a folder is no trace', async () => {
    await expect(readTrace('/dev/null')).rejects.toThrow('is empty');
    await expect(readTrace(folder)).rejects.toMatchObject({ code: 'TRACE_UNREADABLE' });
    writeFileSync(join(folder, 'plain'), HEADER);
    expect((await readTrace(join(folder, 'plain'))).steps).toEqual([]);
  });
});
