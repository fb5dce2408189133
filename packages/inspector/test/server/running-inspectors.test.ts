// How running inspectors are found: by private files, which no other user could have written, and which are removed at their end.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { askForLinks, listInspectors, noteInspector } from '../../src/server/running-inspectors.js';
import { Served } from '../support/served.js';

let served: Served;
let folder: string;

beforeEach(async () => {
  served = await Served.start();
  folder = join(served.folder, 'inboard');
});
afterEach(() => served.close());

it('finds each server while it runs, and gets a link from it that works once', async () => {
  const other = await Served.start({}, served.source);
  const [found] = await askForLinks(folder);
  expect(found).toMatchObject({ pid: process.pid, origin: served.origin, title: 'A test' });
  expect(Object.keys(found ?? {})).not.toContain('secret');
  const link = found?.url ?? '';
  expect(await served.redeem(link)).toMatchObject({ status: 200 });
  expect(await served.redeem(link)).toMatchObject({ status: 401 });
  await other.close();
  process.env['XDG_RUNTIME_DIR'] = served.folder;
});

it('leaves a file that only this user can read, and takes it away', async () => {
  const [name = ''] = readdirSync(folder);
  expect(name).toBe(`${process.pid}-${served.server.port}.json`);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await served.server.close();
  expect(readdirSync(folder)).toEqual([]);
  expect(listInspectors(folder)).toEqual([]);
});

describe('a note', () => {
  const write = (name: string, note: unknown, mode = 0o600): void => {
    const file = join(folder, name);
    writeFileSync(file, typeof note === 'string' ? note : JSON.stringify(note), { mode });
    chmodSync(file, mode);
  };

  it('of a process that is gone is taken away', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    write(`${pid}-1.json`, { pid, origin: 'http://127.0.0.1:1', title: 'Gone', startedAt: '', secret: 'x' });
    expect(listInspectors(folder)).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([`${process.pid}-${served.server.port}.json`]);
  });

  it('of a process that a signal ended is taken away by the next server', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    write(`${pid}-1.json`, { pid, origin: 'http://127.0.0.1:1', title: 'Gone', startedAt: '', secret: 'x' });
    noteInspector({ origin: 'http://127.0.0.1:2', secret: 'x', title: 'Next' }, folder)();
    expect(readdirSync(folder)).toEqual([`${process.pid}-${served.server.port}.json`]);
  });

  it('of an earlier server of this number is replaced, and this user can read it whatever the umask is', () => {
    const name = `${process.pid}-2.json`;
    write(name, { pid: process.pid, origin: 'http://127.0.0.1:2', title: 'Old', startedAt: '', secret: 'x' });
    const before = process.umask(0o777);
    try {
      onTestFinished(noteInspector({ origin: 'http://127.0.0.1:2', secret: 'y', title: 'Next' }, folder));
    } finally {
      process.umask(before);
    }
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(
      listInspectors(folder)
        .map(({ title }) => title)
        .sort(),
    ).toEqual(['A test', 'Next']);
  });

  it('that is none is left alone', async () => {
    const good = { pid: process.pid, origin: 'http://127.0.0.1:1', title: 'x', startedAt: '', secret: 'x' };
    write('1-1.json', 'not JSON');
    write('2-2.json', { ...good, origin: 'http://127.0.0.1:1/path' });
    write('3-3.json', { ...good, pid: 'x' });
    write('4-4.json', good, 0o644);
    write('notes.txt', good);
    symlinkSync(join(folder, 'notes.txt'), join(folder, '5-5.json'));
    expect(listInspectors(folder)).toHaveLength(1);
    // One of a server that does not answer, or not as one of ours.
    write('6-6.json', good);
    expect(listInspectors(folder)).toHaveLength(2);
    expect(await askForLinks(folder)).toHaveLength(1);
  });

  it('in a folder that others can write to is not believed', async () => {
    chmodSync(folder, 0o777);
    expect(await askForLinks(folder)).toEqual([]);
    chmodSync(folder, 0o700);
    expect(await askForLinks(folder)).toHaveLength(1);
  });
});

it('works without a note where none can be written', async () => {
  const blocked = await Served.start();
  try {
    mkdirSync(join(blocked.folder, 'other'));
    writeFileSync(join(blocked.folder, 'file'), '');
    process.env['XDG_RUNTIME_DIR'] = join(blocked.folder, 'file');
    const server = await Served.start();
    await server.close();
  } finally {
    await blocked.close();
    process.env['XDG_RUNTIME_DIR'] = served.folder;
  }
});

describe('the address for links', () => {
  it('is for who knows the secret, and for no page', async () => {
    const [name = ''] = readdirSync(folder);
    const { secret } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { secret: string };
    const ask = (headers: Record<string, string>) =>
      served.ask({ method: 'POST', path: '/api/link', headers });
    const authorization = `Bearer ${secret}`;
    expect(await ask({ authorization })).toMatchObject({ status: 200 });
    for (const headers of [
      {},
      { authorization: 'Bearer x' },
      { authorization: secret },
      { authorization, origin: served.origin },
      { authorization, 'sec-fetch-site': 'same-origin' },
    ])
      expect(await ask(headers as Record<string, string>)).toMatchObject({ status: 401 });
    expect(await ask({ authorization, host: 'evil.example' })).toMatchObject({ status: 403 });
    expect(await served.ask({ path: '/api/link', headers: { authorization } })).toMatchObject({
      status: 405,
    });
  });
});
