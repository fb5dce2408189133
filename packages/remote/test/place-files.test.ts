// The files of a start on the host that runs the CLI: where they lie, and that nothing is left of a start that fails.
import fs, { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { placeFiles, type PlaceInput } from '../src/serve/place-files.js';
import { placeholderOf, type SentFile } from '../src/wire/messages.js';

function createInput(files: SentFile[], bytes: string[], more: Partial<PlaceInput> = {}): PlaceInput {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-place-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  // What is placed lies in the folder for temporary files.
  vi.stubEnv('TMPDIR', folder);
  const args = ['--settings', placeholderOf(0), placeholderOf(9)];
  return {
    start: { args, env: {}, cwd: '.', files },
    bytes: Readable.from(bytes.map((text) => Buffer.from(text))),
    env: { HOME: folder },
    cwd: folder,
    maxFileBytes: 1000,
    ...more,
  };
}

const leftIn = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String);

/** The files that are opened meanwhile. */
async function noteOpened(run: () => Promise<unknown>): Promise<fs.promises.FileHandle[]> {
  const { open } = fs.promises;
  const opened: fs.promises.FileHandle[] = [];
  fs.promises.open = async (...given) => {
    const file = await open(...given);
    opened.push(file);
    return file;
  };
  syncBuiltinESMExports();
  try {
    await run();
  } finally {
    fs.promises.open = open;
    syncBuiltinESMExports();
  }
  return opened;
}

describe('the files of a start', () => {
  it('are put where the arguments and the CLI find them, whatever pieces they come in, and removed', async () => {
    const files: SentFile[] = [
      { kind: 'argument', path: 'a/settings.json', size: 5 },
      { kind: 'session', path: 'id.jsonl', size: 0 },
      { kind: 'session', path: 'id/subagents/b.jsonl', size: 6 },
    ];
    const placed = await placeFiles(createInput(files, ['hel', 'loab', '', 'cdef']));
    const [option, settings = '', unknown] = placed.args;
    expect([option, unknown]).toEqual(['--settings', placeholderOf(9)]);
    expect(settings).toMatch(/0-a-settings\.json$/);
    expect(readFileSync(settings, 'utf8')).toBe('hello');
    if (process.platform !== 'win32') expect(statSync(settings).mode & 0o777).toBe(0o600);
    const projects = join(placed.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects');
    const project = join(projects, readdirSync(projects)[0] ?? '');
    expect(readFileSync(join(project, 'id.jsonl'), 'utf8')).toBe('');
    expect(readFileSync(join(project, 'id/subagents/b.jsonl'), 'utf8')).toBe('abcdef');
    placed.remove();
    expect([existsSync(settings), existsSync(projects)]).toEqual([false, false]);
  });

  it('need no config folder where no session is resumed', async () => {
    const placed = await placeFiles(createInput([{ kind: 'argument', path: 'a', size: 1 }], ['x']));
    expect(placed.env).toEqual({});
    placed.remove();
  });

  it('are closed, whether they came whole or not', async () => {
    const files: SentFile[] = [
      { kind: 'argument', path: 'a', size: 2 },
      { kind: 'argument', path: 'b', size: 2 },
    ];
    for (const [bytes, isWhole] of [
      [['abcd'], true],
      [['abc'], false],
    ] as const) {
      const input = createInput(files, [...bytes]);
      const opened = await noteOpened(async () => {
        const placing = placeFiles(input);
        if (isWhole) return (await placing).remove();
        await expect(placing).rejects.toMatchObject({
          code: 'REMOTE_PROTOCOL',
          message: expect.stringContaining('Fewer bytes') as string,
        });
      });
      expect(opened.map(({ fd }) => fd)).toEqual([-1, -1]);
      expect(leftIn(input.cwd).filter((name) => /\d-[ab]$/.test(name))).toEqual([]);
    }
  });

  it('are refused before anything is written where they are too many', async () => {
    const file: SentFile = { kind: 'argument', path: 'a', size: 500 };
    const input = createInput([file, file, file], []);
    await expect(placeFiles(input)).rejects.toMatchObject({
      code: 'REMOTE_START_FAILED',
      message: expect.stringContaining('3 files with 1500 bytes are too much') as string,
    });
    expect(leftIn(input.cwd)).toEqual([]);
  });
});
