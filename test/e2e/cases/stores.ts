// Sessions that live in a store: mirrored while they run, resumed from it where no file of theirs is.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import { newCli, type Cli } from '../support/cli.js';
import { askHome } from '../support/config-folder.js';
import {
  createIsolatedEnvironment,
  createSdkMcpServer,
  forkSession,
  getSessionMessages,
  getSubagentMessages,
  importSessionToStore,
  InMemorySessionStore,
  listSessions,
  listSubagents,
  openSession,
  renameSession,
  ResultError,
  run,
  tagSession,
  text,
  tool,
  toolUse,
  UnsupportedOptionError,
} from '../support/inboard.js';
import type { SessionStore, SessionStoreEntry } from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';
import { kindsOf, readRest, resultsOf, spokenIn } from '../support/talk.js';
import { planSubagent, wordsOf } from './past-sessions.js';

function findProjects({ home }: Stage): string {
  return join(home.configDir, 'projects');
}

function findProjectKey(stage: Stage): string {
  return readdirSync(findProjects(stage))[0] ?? '';
}

async function resumeElsewhere(cli: Cli): Promise<void> {
  const sessionStore = new InMemorySessionStore();
  await onStage(cli, { script: [text('Blue.'), text('You said blue.'), text('Yes.')] }, async (stage) => {
    const first = await readRest(stage.start('My colour is blue.', { sessionStore }).query);
    expect(first.error).toBeUndefined();
    const sessionId = resultsOf(first.messages)[0]?.session_id ?? '';
    const dir = stage.home.cwd;
    // All that was said is in the store once the result was seen; then the disk forgets it.
    expect(wordsOf(await getSessionMessages(sessionId, { sessionStore, dir }))).toEqual([
      'My colour is blue.',
      'Blue.',
    ]);
    rmSync(findProjects(stage), { recursive: true });

    const other = await createIsolatedEnvironment({ baseUrl: stage.model.url });
    try {
      const again = stage.start('Which colour?', { sessionStore, resume: sessionId, env: other.env });
      const { messages, error } = await readRest(again.query);
      expect(error).toBeUndefined();
      expect(again.warnings).toEqual([]);
      expect(resultsOf(messages)).toMatchObject([{ result: 'You said blue.', session_id: sessionId }]);
      expect(spokenIn(stage.lastRequest())).toEqual(['My colour is blue.', 'Blue.', 'Which colour?']);
      expect(existsSync(join(other.configDir, 'projects')), 'the restored copy was elsewhere').toBe(false);
    } finally {
      await other.remove();
    }
    // What was said there has come into the store too.
    await run({ prompt: 'Sure?', options: stage.options({ sessionStore, continue: true }) });
    const all = ['My colour is blue.', 'Blue.', 'Which colour?', 'You said blue.', 'Sure?'];
    expect(spokenIn(stage.lastRequest())).toEqual(all);
    expect(existsSync(findProjects(stage))).toBe(false);
  });
}

async function shareAProject(cli: Cli): Promise<void> {
  const project = { sessionStore: new InMemorySessionStore(), projectKey: 'shop' };
  await onStage(cli, { script: [text('Blue.'), text('You said blue.')] }, async (stage) => {
    const { sessionId } = await run({ prompt: 'My colour is blue.', options: stage.options(project) });
    // A machine with another home, which has the project at another path.
    const other = await createIsolatedEnvironment({ baseUrl: stage.model.url });
    try {
      expect(other.cwd).not.toBe(stage.home.cwd);
      const { env, cwd } = other;
      const options = stage.options({ ...project, env, cwd, resume: sessionId });
      const resumed = await run({ prompt: 'Which colour?', options });
      expect(resumed).toMatchObject({ text: 'You said blue.', sessionId });
    } finally {
      await other.remove();
    }
    const all = ['My colour is blue.', 'Blue.', 'Which colour?', 'You said blue.'];
    expect(wordsOf(await getSessionMessages(sessionId, project))).toEqual(all);
    expect(await listSessions(project)).toMatchObject([{ sessionId }]);
  });
}

async function forkInAStore(cli: Cli): Promise<void> {
  const sessionStore = new InMemorySessionStore();
  const script = [text('A secret.'), text('By option.'), text('By function.')];
  await onStage(cli, { script, options: { sessionStore, sessionStoreFlush: 'eager' } }, async (stage) => {
    const dir = stage.home.cwd;
    const place = { sessionStore, dir };
    const { sessionId } = await run({ prompt: 'Tell me one.', options: stage.options() });
    rmSync(findProjects(stage), { recursive: true });
    await renameSession(sessionId, 'Secrets', place);
    await tagSession(sessionId, 'private', place);

    const options = stage.options({ resume: sessionId, forkSession: true });
    const byOption = await run({ prompt: 'Go on.', options });
    expect(byOption.sessionId).not.toBe(sessionId);
    expect(spokenIn(stage.lastRequest())).toEqual(['Tell me one.', 'A secret.', 'Go on.']);
    const copy = await forkSession(sessionId, { ...place, title: 'Copy' });
    const byFunction = await run({ prompt: 'Go on.', options: stage.options({ resume: copy.sessionId }) });
    expect(byFunction.sessionId).toBe(copy.sessionId);
    expect(spokenIn(stage.lastRequest())).toEqual(['Tell me one.', 'A secret.', 'Go on.']);

    const saidIn = async (id: string): Promise<string[]> => wordsOf(await getSessionMessages(id, place));
    expect(await saidIn(sessionId)).toEqual(['Tell me one.', 'A secret.']);
    expect(await saidIn(byOption.sessionId)).toEqual(['Tell me one.', 'A secret.', 'Go on.', 'By option.']);
    expect(await saidIn(copy.sessionId)).toEqual(['Tell me one.', 'A secret.', 'Go on.', 'By function.']);
    const listed = new Map((await listSessions(place)).map((info) => [info.sessionId, info]));
    expect(listed.size).toBe(3);
    expect(listed.get(sessionId)).toMatchObject({ customTitle: 'Secrets', tag: 'private' });
    expect(listed.get(copy.sessionId)).toMatchObject({ customTitle: 'Copy' });
  });
}

async function keepSubagents(cli: Cli): Promise<void> {
  const sessionStore = new InMemorySessionStore();
  const { script, ...plan } = planSubagent();
  await onStage(cli, { ...plan, script: [...script, text('Gladly.')] }, async (stage) => {
    const { sessionId } = await run({ prompt: 'Get help.', options: stage.options({ sessionStore }) });
    const place = { sessionStore, dir: stage.home.cwd };
    const onDisk = await askHome(stage.home, () => listSubagents(sessionId));
    const agents = await listSubagents(sessionId, place);
    expect(agents).toHaveLength(1);
    expect(agents).toEqual(onDisk);
    const messages = await getSubagentMessages(sessionId, agents[0] ?? '', place);
    expect(wordsOf(messages)).toEqual(['Help me.', 'I have helped.']);
    expect(messages).toEqual(
      await askHome(stage.home, () => getSubagentMessages(sessionId, agents[0] ?? '')),
    );
    rmSync(findProjects(stage), { recursive: true });
    await run({ prompt: 'Thank it.', options: stage.options({ sessionStore, resume: sessionId }) });
    expect(await listSubagents(sessionId, place)).toEqual(agents);
  });
}

async function outliveAStore(cli: Cli): Promise<void> {
  let asked = 0;
  const sessionStore: SessionStore = {
    append: () => Promise.reject(new Error(`The store is down (${(asked += 1)})`)),
    load: () => Promise.resolve(null),
  };
  await onStage(cli, { script: [text('All is well.')] }, async (stage) => {
    const { messages, error } = await readRest(stage.start('How are you?', { sessionStore }).query);
    expect(error).toBeUndefined();
    const sessionId = resultsOf(messages)[0]?.session_id ?? '';
    const key = { projectKey: findProjectKey(stage), sessionId };
    const kinds = kindsOf(messages);
    expect(kinds).toContain('system/mirror_error');
    expect(kinds.indexOf('system/mirror_error')).toBeLessThan(kinds.indexOf('result/success'));
    const told = messages.filter((message) => 'subtype' in message && message.subtype === 'mirror_error');
    expect(told[0]).toMatchObject({ error: 'The store is down (3)', key, session_id: sessionId });
    expect(asked, 'every batch is tried three times').toBe(3 * told.length);
    expect(resultsOf(messages)).toMatchObject([{ result: 'All is well.', is_error: false }]);
    // The CLI's own copy is whole.
    const words = wordsOf(await askHome(stage.home, () => getSessionMessages(sessionId)));
    expect(words).toEqual(['How are you?', 'All is well.']);
  });
}

async function resumeAnImport(cli: Cli): Promise<void> {
  const sessionStore = new InMemorySessionStore();
  const plan = planSubagent();
  await onStage(cli, { ...plan, script: [...plan.script, text('Like before.')] }, async (stage) => {
    const dir = stage.home.cwd;
    const { sessionId } = await run({ prompt: 'Get help.', options: stage.options() });
    await askHome(stage.home, () => importSessionToStore(sessionId, sessionStore, { dir }));
    expect(await listSubagents(sessionId, { sessionStore, dir })).toHaveLength(1);
    rmSync(findProjects(stage), { recursive: true });
    // What either CLI wrote the newer one goes on with.
    const { env, cwd } = stage.home;
    const options = { ...newCli.options, ...plan.options, env, cwd, sessionStore, resume: sessionId };
    const resumed = await run({ prompt: 'And now?', options });
    expect(resumed).toMatchObject({ text: 'Like before.', sessionId });
    expect(spokenIn(stage.lastRequest())).toEqual(['Get help.', 'It has helped.', 'And now?']);
    const words = wordsOf(await getSessionMessages(sessionId, { sessionStore, dir }));
    expect(words).toEqual(['Get help.', 'It has helped.', 'And now?', 'Like before.']);
  });
}

async function refuseWhatIsNowhere(cli: Cli): Promise<void> {
  await onStage(cli, {}, async (stage) => {
    const loaded: string[] = [];
    const sessionStore: SessionStore = {
      append: () => Promise.resolve(),
      load: ({ sessionId }): Promise<SessionStoreEntry[] | null> => {
        loaded.push(sessionId);
        return Promise.resolve(null);
      },
    };
    const resume = '5f0c7a3e-8f43-4a43-9f7c-0d7a4a3c1b11';
    const { error } = await readRest(stage.start('Hi', { sessionStore, resume }).query);
    if (cli.isOld) {
      expect(error, 'it cannot mirror, and that is said').toBeInstanceOf(UnsupportedOptionError);
      expect((error as Error).message).toContain('2.1.97');
      return;
    }
    expect(loaded).toEqual([resume]);
    expect(error).toBeInstanceOf(ResultError);
    expect((error as Error).message).toContain(`No conversation found with session ID: ${resume}`);
  });
}

/** For a CLI that can mirror. */
async function obeyAStore(cli: Cli): Promise<void> {
  let isLost = false;
  const sessionStore: SessionStore = {
    append: () => {
      if (isLost) return Promise.reject(Object.assign(new Error('another host has it'), { fatal: true }));
      return Promise.resolve();
    },
    load: () => Promise.resolve(null),
  };
  const lose = tool('lose', 'Loses the lease', {}, () => {
    isLost = true;
    return 'lost';
  });
  const script = [toolUse('mcp__desk__lose')];
  // How far the CLI gets before the refusal is seen depends on the machine; never to another turn.
  const onExhausted = (): ReturnType<typeof text> => text('Done.');
  const desk = createSdkMcpServer({ name: 'desk', tools: [lose], alwaysLoad: true });
  const options = {
    sessionStore,
    sessionStoreFlush: 'eager',
    mcpServers: { desk },
    allowedTools: [desk],
  } as const;
  await onStage(cli, { script, onExhausted }, async (stage) => {
    const session = openSession({ options: stage.options(options), restart: { resend: 'continue' } });
    const closed = expect(session.send('Begin.').outcome()).rejects.toMatchObject({
      name: 'TurnLostError',
      cause: {
        code: 'SESSION_STORE_FAILED',
        retryable: false,
        message: expect.stringContaining('another host'),
      },
    });
    await closed;
    await session.close();
    expect(session.state).toBe('closed');
    expect(stage.model.requests.length).toBeLessThanOrEqual(2);
  });
}

export const mirrorCases: CaseSet = {
  'resumes in another home a session that only a store has': resumeElsewhere,
  'resumes a session where the project has another path, under the same key': shareAProject,
  'forks a session that only a store has': forkInAStore,
  'keeps the transcripts of subagents': keepSubagents,
  'is not harmed by a store that fails, and says so': outliveAStore,
  'ends at once when its store says that it is no longer its own': obeyAStore,
};

export const storeCases: CaseSet = {
  'resumes a session that was imported into a store': resumeAnImport,
  'refuses what neither the store nor the disk has': refuseWhatIsNowhere,
};
