// A new session whose id is taken on this disk: a process that crashed has left a transcript, and the store has none of it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  gate,
  getSessionMessages,
  held,
  InMemorySessionStore,
  LaunchError,
  text,
} from '../support/inboard.js';
import type { Options } from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';
import { readRest, resultsOf } from '../support/talk.js';
import { waitUntil } from '../../support/wait-until.js';
import { wordsOf } from './past-sessions.js';

const sessionId = '55555555-5555-4555-8555-555555555555';
/** Notes the temporary config folders of CLIs, which are in what they say about their transcripts. */
function watchFolders() {
  const folders = new Set<string>();
  const onWireLine = (_direction: unknown, line: string): void => {
    const [, folder] = /"filePath":"([^"]*inboard-resume-[^/"]+)/.exec(line) ?? [];
    if (folder !== undefined) folders.add(folder);
  };
  return { folders, onWireLine };
}

/** Runs a session without a store, which leaves its transcript on the disk. */
async function leaveTranscript(stage: Stage): Promise<string> {
  const { error } = await readRest(stage.start('Before the crash.', { sessionId }).query);
  expect(error).toBeUndefined();
  const projects = join(stage.home.configDir, 'projects');
  return join(projects, readdirSync(projects)[0] ?? '', `${sessionId}.jsonl`);
}

async function beginBesideIt(cli: Cli): Promise<void> {
  const script = [text('One.'), text('Two.'), text('Three.')];
  await onStage(cli, { script: cli.isOld ? script.slice(0, 1) : script }, async (stage) => {
    const leftover = await leaveTranscript(stage);
    const before = readFileSync(leftover, 'utf8');
    const { folders, onWireLine } = watchFolders();
    const sessionStore = new InMemorySessionStore();
    // Settings and login come along: the model below is the one that the user's settings name.
    mkdirSync(stage.home.configDir, { recursive: true });
    writeFileSync(join(stage.home.configDir, 'settings.json'), '{"model":"claude-of-the-user"}');
    const act = stage.start('After the crash.', { sessionId, sessionStore, onWireLine });
    const { messages, error } = await readRest(act.query);
    if (cli.isOld) {
      // It has no stores, and leaves no note of whether it runs: whichever is found first.
      expect(['UNSUPPORTED_OPTION', 'SESSION_RUNNING']).toContain((error as { code?: string }).code);
      return;
    }
    expect(error).toBeUndefined();
    expect(resultsOf(messages)).toMatchObject([{ subtype: 'success', session_id: sessionId }]);
    expect(act.warnings).toMatchObject([
      { code: 'SESSION_LEFTOVER', message: expect.stringContaining(leftover) as string },
    ]);
    expect(stage.lastRequest().body['model']).toBe('claude-of-the-user');
    expect(readFileSync(leftover, 'utf8')).toBe(before);
    const place = { sessionStore, dir: stage.home.cwd };
    expect(wordsOf(await getSessionMessages(sessionId, place))).toEqual(['After the crash.', 'Two.']);
    // It goes on from the store, and nothing of the temporary folders is left.
    const next = await readRest(
      stage.start('And now?', { resume: sessionId, sessionStore, onWireLine }).query,
    );
    expect(next.error).toBeUndefined();
    expect(JSON.stringify(stage.lastRequest().body)).not.toContain('Before the crash.');
    expect(folders.size).toBe(2);
    await waitUntil(() => ![...folders].some((folder) => existsSync(folder)));
    // The id is taken in the store as well now: that is a mistake, and stays one.
    const again = await readRest(stage.start('Once more.', { sessionId, sessionStore }).query);
    expect(String(again.error)).toContain('already in use');
  });
}

async function keepWhatIsNotStored(cli: Cli): Promise<void> {
  await onStage(cli, { script: [text('One.'), text('Two.')] }, async (stage) => {
    await leaveTranscript(stage);
    const { folders, onWireLine } = watchFolders();
    const sessionStore = new InMemorySessionStore();
    sessionStore.append = () => Promise.reject(new Error('The store is down'));
    const act = stage.start('After the crash.', { sessionId, sessionStore, onWireLine });
    const { messages, error } = await readRest(act.query);
    expect(error).toBeUndefined();
    expect(messages).toContainEqual(expect.objectContaining({ subtype: 'mirror_error' }));
    const kept = act.warnings.find(({ code }) => code === 'TRANSCRIPT_KEPT');
    const [folder = ''] = /\S*inboard-kept-\w+/.exec(kept?.message ?? '') ?? [];
    expect(kept?.error).toMatchObject({ code: 'SESSION_STORE_FAILED', message: kept?.message });
    expect(readdirSync(folder)).toEqual(['projects']);
    const [project = ''] = readdirSync(join(folder, 'projects'));
    expect(existsSync(join(folder, 'projects', project, `${sessionId}.jsonl`))).toBe(true);
    expect(readFileSync(join(folder, 'projects', project, `${sessionId}.jsonl`), 'utf8')).toContain(
      'After the crash.',
    );
    await waitUntil(() => ![...folders].some((each) => existsSync(each)));
    expect(folders.size).toBe(1);
    rmSync(folder, { recursive: true });
  });
}

/** While a first turn is under way the store has nothing of it, and the disk has its transcript: as after a crash. */
function refuseRunning(how: (id: string) => Options): (cli: Cli) => Promise<void> {
  return async (cli) => {
    const reached = gate();
    const script = [held(text('One.'), reached)];
    await onStage(cli, { script }, async (stage) => {
      const sessionStore = new InMemorySessionStore();
      const first = stage.start('The first.', { ...how(sessionId), sessionStore });
      const rest = readRest(first.query);
      await reached.reached;
      // It writes the transcript beside asking the model; before there is one, it is the CLI that refuses.
      const projects = join(stage.home.configDir, 'projects');
      const transcripts = (): string[] =>
        (existsSync(projects) ? readdirSync(projects, { recursive: true }) : []).map(String);
      await waitUntil(() => transcripts().some((name) => name.endsWith(`${sessionId}.jsonl`)));
      const second = await readRest(stage.start('The second.', { sessionId, sessionStore }).query);
      expect(second.error).toBeInstanceOf(LaunchError);
      expect(second.error).toMatchObject({ code: 'SESSION_RUNNING', retryable: true });
      reached.open();
      const { messages, error } = await rest;
      expect(error).toBeUndefined();
      expect(resultsOf(messages)).toMatchObject([{ subtype: 'success', session_id: sessionId }]);
      const place = { sessionStore, dir: stage.home.cwd };
      expect(wordsOf(await getSessionMessages(sessionId, place))).toEqual(['The first.', 'One.']);
    });
  };
}

export const leftoverCases: CaseSet = {
  'begins a session whose id a crash has left on the disk, beside what is there': beginBesideIt,
};

/** For CLIs that have session stores. */
export const keptCases: CaseSet = {
  'keeps a transcript that the store did not take, and says where': keepWhatIsNotStored,
  'refuses a session that this process runs': refuseRunning((id) => ({ sessionId: id })),
  // Only its CLI knows the id, as with a CLI of another process.
  'refuses a session whose CLI says that it runs': refuseRunning((id) => ({
    extraArgs: { 'session-id': id },
  })),
};
