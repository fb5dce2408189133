// Does a program get a model and a place in one call, and is what it should keep still there the next time?
import fs, { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOffline, text, toolUse } from '@inboard/inboard/testing.js';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'offline-test-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('startOffline', () => {
  it('leads the CLI to the model, and leaves nothing behind', async () => {
    const offline = await startOffline([text('Hello.')]);
    const { env, cwd } = offline.options;
    expect(env['ANTHROPIC_BASE_URL']).toBe(offline.model.url);
    expect(existsSync(cwd)).toBe(true);
    await offline.close({ verify: false });
    expect(existsSync(dirname(cwd))).toBe(false);
    await expect(fetch(offline.model.url)).rejects.toThrow();
  });

  it('adds one listener to the process, however many there are', async () => {
    const before = process.listenerCount('exit');
    const all = await Promise.all([1, 2, 3].map(() => startOffline([])));
    expect(process.listenerCount('exit')).toBe(before + 1);
    await Promise.all(all.map((offline) => offline.close()));
    expect(process.listenerCount('exit')).toBe(before);
  });

  it('does not keep the process alive, neither by its port nor by a connection to it', async () => {
    const listServers = (): string[] =>
      process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP'));
    const before = listServers();
    const offline = await startOffline([text('Hello.')]);
    expect(listServers()).toEqual(before);
    const client = connect(Number(new URL(offline.model.url).port), '127.0.0.1').unref();
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => client.ref().once('data', resolve));
    client.unref();
    expect(listServers()).toEqual(before);
    client.destroy();
    await offline.close({ verify: false });
  });

  it('says what was not played, as the model does, and clears up all the same', async () => {
    const offline = await startOffline([text('Nobody asks.')]);
    await expect(offline.close()).rejects.toMatchObject({ code: 'SCRIPT_MISMATCH' });
    expect(existsSync(offline.options.cwd)).toBe(false);
  });

  it('keeps a given folder with all that is in it', async () => {
    const kept = join(folder, 'deep', 'home');
    const first = await startOffline([], { folder: kept });
    const settings = join(first.options.env['CLAUDE_CONFIG_DIR'] ?? '', '.claude.json');
    await writeFile(settings, '{"of":"the CLI"}');
    const temporary = first.options.env['TMPDIR'] ?? '';
    await first.close();
    expect(existsSync(temporary)).toBe(false);
    await using second = await startOffline([], { folder: kept });
    expect(second.options.cwd).toBe(first.options.cwd);
    expect(await readFile(settings, 'utf8')).toBe('{"of":"the CLI"}');
  });

  it('never uses the id of a call twice in a folder that is kept', async () => {
    const ids = [];
    for (let start = 0; start < 2; start += 1) {
      const offline = await startOffline([toolUse('count')], { folder });
      const body = JSON.stringify({
        model: 'm',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hi' }],
      });
      const response = await fetch(`${offline.model.url}/v1/messages`, { method: 'POST', body });
      ids.push(((await response.json()) as { content: { id: string }[] }).content[0]?.id);
      await offline.close();
    }
    expect(ids).toEqual([expect.stringMatching(/^toolu_/), expect.stringMatching(/^toolu_/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('leaves the exit code of its program alone, whatever the CLI is still writing', async () => {
    const before = new Set(process.listeners('exit'));
    await using offline = await startOffline([]);
    const clearUp = process.listeners('exit').find((listener) => !before.has(listener));
    const { rmSync } = fs;
    fs.rmSync = () => {
      throw new Error('ENOTEMPTY: directory not empty');
    };
    syncBuiltinESMExports();
    try {
      expect(() => clearUp?.call(process, 130)).not.toThrow();
    } finally {
      fs.rmSync = rmSync;
      syncBuiltinESMExports();
    }
    expect(clearUp).toBeDefined();
    expect(existsSync(offline.options.cwd)).toBe(true);
    clearUp?.call(process, 130);
    expect(existsSync(offline.options.cwd)).toBe(false);
  });

  it('does not leave the model behind when the folder cannot be made', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(startOffline([], { folder: join(folder, 'file', 'in') })).rejects.toThrow('ENOTDIR');
  });
});
