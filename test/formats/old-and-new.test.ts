// Packages that users have had, and this version: it reads what those wrote as they did, they have read what it writes, and each side of a
// link of theirs is played to the other side of this one. `node scripts/run-old-and-new.mjs --record` makes the recordings.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EARLIER } from '../../scripts/support/cluster-chaos/earlier-package.mjs';
import { REMOTE_MEANING, remoteRequest, runToEnd } from '../../scripts/support/old-and-new/remote-link.mjs';
import { copyPrivately, STORED_FORMATS } from '../../scripts/support/old-and-new/stored-formats.mjs';
import * as inboard from '../../packages/inboard/src/index.js';
import * as testing from '../../packages/inboard/src/testing.js';
import * as trace from '../../packages/inboard/src/trace.js';
import { connectCli, serveLink } from '../../packages/inboard/src/remote.js';
import { encodeFrame, FRAME, FrameReader, type FrameKind } from '../../packages/remote/src/wire/frame.js';
import { createDuplexPair } from '../../packages/remote/test/support.js';
import { PROJECT_ROOT } from '../package/project.js';

const FIXTURES = join(PROJECT_ROOT, 'test', 'fixtures');
const KEPT = join(FIXTURES, 'old-and-new');
const OWN = join(FIXTURES, 'formats');
const HINT = 'Run node scripts/run-old-and-new.mjs --from all --record, and look at what differs.';
const current = { ...inboard, testing, trace };
const PACKAGES = Object.keys(EARLIER);

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'old-and-new-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(join(KEPT, ...path), 'utf8'));

/** What this version says of files, in the words of JSON. */
async function read(format: string, files: string): Promise<unknown> {
  const copy = copyPrivately(files, join(folder, format));
  const said = await STORED_FORMATS[format as keyof typeof STORED_FORMATS].read(copy, current);
  return JSON.parse(JSON.stringify(said)) as unknown;
}

const formatsOf = (name: string): string[] =>
  readdirSync(join(KEPT, name)).filter((each) => each in STORED_FORMATS);

it('has recordings of each package that upgrades begin with', () => {
  expect(readdirSync(KEPT).sort(), HINT).toEqual(PACKAGES.sort());
});

describe.each(PACKAGES)('the package %s', (name) => {
  it.each(formatsOf(name))('wrote what this version reads with the same meaning: %s', async (format) => {
    const said = await read(format, join(KEPT, name, format, 'written'));
    expect(said).toEqual(readJson(name, format, 'meaning.json'));
  });

  it('has read what this version writes, with the same meaning', async () => {
    const theirs = readJson(name, 'read.json') as Record<string, unknown>;
    // Of versions that came later they have read nothing: those they refuse, as the script tries.
    const known = formatsOf(name).filter((format) => readdirSync(OWN).includes(format));
    const newest = Object.keys(theirs).map((path) => path.split('/')[0]);
    expect(new Set(newest), HINT).toEqual(new Set(known));
    for (const [path, said] of Object.entries(theirs)) {
      const [format = ''] = path.split('/');
      const ours = await read(format, join(OWN, path));
      expect(ours, path).toEqual(said);
      rmSync(join(folder, format), { recursive: true });
    }
  });
});

interface Frame {
  kind: FrameKind;
  payload: Buffer;
}

function cutFrames(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  const reader = new FrameReader({
    frame: (kind, payload) => frames.push({ kind, payload: Buffer.from(payload) }),
    fault: (error) => {
      throw error;
    },
  });
  reader.trust();
  reader.push(bytes);
  return frames;
}

const framesOf = (name: string, side: 'client' | 'server'): Frame[] => {
  const link = readJson(name, 'link.json') as Record<typeof side, string>;
  return cutFrames(Buffer.from(link[side], 'base64'));
};

const textOf = (frames: readonly Frame[], stream: number): string =>
  Buffer.concat(
    frames
      .filter(({ kind, payload }) => kind === FRAME.data && payload[0] === stream)
      .map(({ payload }) => payload.subarray(1)),
  ).toString();

describe.each(PACKAGES)('a link with the package %s', (name) => {
  it('runs a CLI for its client', async () => {
    const { home, there } = createDuplexPair();
    const bytes: Buffer[] = [];
    home.on('data', (chunk: Buffer) => bytes.push(chunk));
    const served = serveLink(there, {
      token: 'a-token-for-two-versions',
      cli: process.execPath,
      cwd: folder,
      idleMs: 60_000,
    });
    const [hello, ...rest] = framesOf(name, 'client').map(({ kind, payload }) => ({
      kind,
      bytes: encodeFrame(kind, payload),
    }));
    // It waits for its welcome before it says more, and for the end before its goodbye.
    const heard = (wanted: FrameKind): Promise<void> =>
      new Promise((resolve) => {
        home.on('data', () => {
          if (cutFrames(Buffer.concat(bytes)).some(({ kind }) => kind === wanted)) resolve();
        });
      });
    const [welcomed, exited] = [heard(FRAME.welcome), heard(FRAME.exit)];
    home.write(hello?.bytes);
    await welcomed;
    for (const each of rest) if (each.kind !== FRAME.bye) home.write(each.bytes);
    await exited;
    home.write(encodeFrame(FRAME.bye));
    await served;
    const frames = cutFrames(Buffer.concat(bytes));
    const theirs = framesOf(name, 'server');
    const exit = frames.find(({ kind }) => kind === FRAME.exit);
    const { exitCode, signal } = JSON.parse(String(exit?.payload)) as Record<string, unknown>;
    const output = theirs.find(({ kind }) => kind === FRAME.data)?.payload[0] ?? -1;
    expect({ lines: textOf(frames, output).trim().split('\n'), exitCode, signal }).toEqual(REMOTE_MEANING);
    // Pings and goodbyes depend on who is first.
    const kindsOf = (all: readonly Frame[]): FrameKind[] =>
      [...new Set(all.map(({ kind }) => kind))]
        .filter((kind) => kind !== FRAME.ping && kind !== FRAME.bye)
        .sort((one, other) => one - other);
    expect(kindsOf(frames)).toEqual(kindsOf(theirs));
  });

  it('is given a CLI by its server', async () => {
    const { home, there } = createDuplexPair();
    const answers = framesOf(name, 'server').filter(({ kind }) => kind !== FRAME.ping);
    const reader = new FrameReader({
      frame: (kind) => {
        // What was said before the start, and what was said after the end of the input.
        const until =
          kind === FRAME.hello
            ? answers.findIndex((each) => each.kind === FRAME.welcome) + 1
            : kind === FRAME.end
              ? answers.length
              : 0;
        for (const frame of answers.splice(0, until)) there.write(encodeFrame(frame.kind, frame.payload));
      },
      fault: (error) => {
        throw error;
      },
    });
    reader.trust();
    there.on('data', (chunk: Buffer) => reader.push(chunk));
    const { transport } = connectCli({ link: () => home, token: 'a-token-for-two-versions' });
    expect(await runToEnd(await transport(remoteRequest(folder)))).toEqual(REMOTE_MEANING);
  });
});
