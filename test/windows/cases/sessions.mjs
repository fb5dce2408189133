// Sessions on disk: the names of project folders, transcripts with either line end, and what the functions make of them.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  archiveSession,
  createFileCallRecords,
  createCalls,
  deleteSession,
  deleteSessionData,
  findSessionData,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getTranscriptState,
  importSessionToStore,
  InMemorySessionStore,
  listSessions,
  query,
  renameSession,
  run,
  tagSession,
  unarchiveSession,
} from 'inboard';
import { text } from 'inboard/testing';
import { createFake, put, until } from '../support.mjs';

const ID = (digit) => `${String(digit).repeat(8)}-1111-4111-8111-111111111111`;
const PROMPT = 'Count the äpples.';

/** The name that the CLI gives the folder of a working directory. */
const nameOf = (cwd) => cwd.replaceAll(/[^a-zA-Z0-9]/g, '-');

function entriesOf(sessionId, cwd, prompt = PROMPT) {
  const common = {
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId,
    version: '2.1.325',
    gitBranch: '',
  };
  const at = (second) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  const [one, two] = ['a', 'b'].map(
    (letter) => `${letter.repeat(8)}-1111-4111-8111-${sessionId.slice(0, 8)}1111`,
  );
  return [
    {
      ...common,
      parentUuid: null,
      type: 'user',
      uuid: one,
      timestamp: at(0),
      message: { role: 'user', content: prompt },
    },
    {
      ...common,
      parentUuid: one,
      type: 'assistant',
      uuid: two,
      timestamp: at(1),
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: 'Seven.' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
  ];
}

/** A transcript as a CLI leaves it; gives its path. */
function putTranscript(config, cwd, { id = ID(1), end = '\n', prompt, folder = nameOf(cwd) } = {}) {
  const lines = entriesOf(id, cwd, prompt).map((entry) => JSON.stringify(entry) + end);
  return put(join(config, 'projects', folder, `${id}.jsonl`), lines.join(''));
}

/** A config folder of the case's own. */
function withConfig(play) {
  return async (context) => {
    const before = process.env.CLAUDE_CONFIG_DIR;
    const config = join(context.place, 'config');
    process.env.CLAUDE_CONFIG_DIR = config;
    context.after(() => (process.env.CLAUDE_CONFIG_DIR = before));
    await play({ ...context, config });
  };
}

const textOf = (messages) => JSON.stringify(messages);
const CWD = String.raw`C:\Users\Zoë\my project`;

const cases = {
  'the folder of C:\\Users\\… is found under the name that the CLI gives it': async ({ config }) => {
    putTranscript(config, CWD, { folder: 'C--Users-Zo--my-project' });
    const [found, ...more] = await listSessions({ dir: CWD });
    assert.equal(found?.sessionId, ID(1));
    assert.deepEqual(more, []);
  },
  'a folder that exists is found by its real path': async ({ config, place }) => {
    const cwd = join(place, 'A Folder');
    put(join(cwd, 'x'), '');
    putTranscript(config, cwd);
    assert.equal((await listSessions({ dir: cwd }))[0]?.sessionId, ID(1));
  },
  'a folder in another case than on disk leads to the same sessions': async ({ config, place }) => {
    const cwd = join(place, 'A Folder');
    put(join(cwd, 'x'), '');
    putTranscript(config, cwd);
    assert.equal((await listSessions({ dir: cwd.toUpperCase() }))[0]?.sessionId, ID(1));
  },
  'a folder written with slashes leads to the same sessions': async ({ config, place }) => {
    const cwd = join(place, 'A Folder');
    put(join(cwd, 'x'), '');
    putTranscript(config, cwd);
    assert.equal((await listSessions({ dir: cwd.replaceAll('\\', '/') }))[0]?.sessionId, ID(1));
  },
  'a relative folder leads to the same sessions': async ({ config, place }) => {
    const cwd = join(place, 'A Folder');
    put(join(cwd, 'x'), '');
    putTranscript(config, cwd);
    assert.equal((await listSessions({ dir: relative(process.cwd(), cwd) }))[0]?.sessionId, ID(1));
  },
  'a folder with a backslash at its end leads to the same sessions': async ({ config, place }) => {
    const cwd = join(place, 'A Folder');
    put(join(cwd, 'x'), '');
    putTranscript(config, cwd);
    assert.equal((await listSessions({ dir: `${cwd}\\` }))[0]?.sessionId, ID(1));
  },
  'a folder of a network share has a name, too': async ({ config }) => {
    const cwd = String.raw`\\server\share\project`;
    putTranscript(config, cwd, { folder: '--server-share-project' });
    assert.equal((await listSessions({ dir: cwd }))[0]?.sessionId, ID(1));
  },
  'a path of more than 200 characters gets a short name': async ({ config }) => {
    const cwd = `C:\\${'long folder\\'.repeat(20)}end`;
    const { length } = nameOf(cwd);
    assert.ok(length > 200);
    putTranscript(config, cwd, { folder: `${nameOf(cwd).slice(0, 200)}-${hash(cwd)}` });
    assert.equal((await listSessions({ dir: cwd }))[0]?.sessionId, ID(1));
  },
  'without a folder, the sessions of all projects': async ({ config }) => {
    putTranscript(config, CWD, { id: ID(1) });
    putTranscript(config, 'D:\\other', { id: ID(2) });
    const found = await listSessions();
    assert.deepEqual(found.map(({ sessionId }) => sessionId).toSorted(), [ID(1), ID(2)]);
  },
  'a listing says in which folder a session ran': async ({ config }) => {
    putTranscript(config, CWD);
    assert.equal((await getSessionInfo(ID(1)))?.cwd, CWD);
  },
  'a transcript with CRLF gives the same messages': async ({ config }) => {
    putTranscript(config, CWD, { id: ID(1), end: '\n' });
    putTranscript(config, CWD, { id: ID(2), end: '\r\n' });
    const [one, two] = await Promise.all([ID(1), ID(2)].map((id) => getSessionMessages(id)));
    assert.equal(two.length, 2);
    assert.deepEqual(
      two.map(({ message }) => message),
      one.map(({ message }) => message),
    );
  },
  'a prompt with CRLF keeps it': async ({ config }) => {
    putTranscript(config, CWD, { prompt: 'one\r\ntwo' });
    const [first] = await getSessionMessages(ID(1));
    assert.equal(first.message.content, 'one\r\ntwo');
  },
  'a transcript with CRLF has a state': async ({ config }) => {
    putTranscript(config, CWD, { end: '\r\n' });
    assert.equal((await getTranscriptState(ID(1))).state, 'answered');
  },
  'a session is renamed, also in a transcript with CRLF': async ({ config }) => {
    const path = putTranscript(config, CWD, { end: '\r\n' });
    await renameSession(ID(1), 'A tïtle');
    assert.equal((await getSessionInfo(ID(1)))?.customTitle, 'A tïtle');
    assert.match(readFileSync(path, 'utf8'), /A tïtle/);
  },
  'a session is tagged, and the tag is taken back': async ({ config }) => {
    putTranscript(config, CWD);
    await tagSession(ID(1), 'work');
    assert.equal((await getSessionInfo(ID(1)))?.tag, 'work');
    await tagSession(ID(1), null);
    assert.equal((await getSessionInfo(ID(1)))?.tag, undefined);
  },
  'a session is archived, and again not': async ({ config }) => {
    putTranscript(config, CWD);
    await archiveSession(ID(1));
    assert.equal((await getSessionInfo(ID(1)))?.archived, true);
    await unarchiveSession(ID(1));
    assert.notEqual((await getSessionInfo(ID(1)))?.archived, true);
  },
  'a session is copied under an id of its own': async ({ config }) => {
    putTranscript(config, CWD, { end: '\r\n' });
    const { sessionId } = await forkSession(ID(1));
    assert.notEqual(sessionId, ID(1));
    assert.match(textOf(await getSessionMessages(sessionId)), /äpples/);
    assert.equal(
      readdirSync(join(config, 'projects', nameOf(CWD))).filter((name) => name.endsWith('.jsonl')).length,
      2,
    );
  },
  'a session is deleted, though it is in another case': async ({ config }) => {
    const path = putTranscript(config, CWD);
    await deleteSession(ID(1).toUpperCase());
    assert.ok(!existsSync(path));
  },
  'a session that is not there is refused': async () => {
    await assert.rejects(renameSession(ID(3), 'x'), { name: 'SessionNotFoundError' });
  },
  'an id that is a path is refused': async () => {
    await assert.rejects(deleteSession('..\\..\\x'), { name: 'InvalidOptionsError' });
  },
  'a session goes into a store, with a key that is no path': async ({ config }) => {
    putTranscript(config, CWD);
    const store = new InMemorySessionStore();
    await importSessionToStore(ID(1), store, { dir: CWD });
    assert.match(textOf(await getSessionMessages(ID(1), { sessionStore: store, dir: CWD })), /Seven/);
    assert.match(
      textOf(await getSessionMessages(ID(1), { sessionStore: store, projectKey: nameOf(CWD) })),
      /Seven/,
    );
  },
  'what a session leaves behind is found and deleted': async ({ config }) => {
    const path = putTranscript(config, CWD);
    const { items } = await findSessionData([ID(1)]);
    assert.ok(
      items.some((item) => item.place === path),
      textOf(items),
    );
    await deleteSessionData([ID(1)]);
    assert.ok(!existsSync(path));
  },
  'a trace that cannot be read is named': async ({ config, place }) => {
    putTranscript(config, CWD);
    const trace = put(join(place, 'trace.jsonl'), 'x');
    const { problems } = await findSessionData([ID(1)], { traces: [trace] });
    assert.equal(problems.length, 1);
    assert.equal(problems[0].place, trace);
  },
  'pending calls are found beside the transcript, completed once, and no longer listed': async ({
    config,
  }) => {
    const folder = join(config, 'projects', nameOf(CWD), ID(1));
    const records = createFileCallRecords({ folder });
    const call = { callKey: 'call_1', toolName: 'mcp__shop__order', input: { n: 1 } };
    await records.add({ type: 'begun', ...call, attempt: 1, owner: 'host', at: 1 });
    await records.add({
      type: 'pending',
      callKey: 'call_1',
      note: 'parcel',
      output: { server: 'shop', tool: 'order' },
      at: 2,
    });
    await records.close();
    const calls = createCalls();
    const [found] = await calls.list();
    assert.equal(found?.callKey, 'call_1');
    await calls.complete('call_1', { parcel: 7 });
    assert.deepEqual(await calls.list(), []);
    await assert.rejects(calls.complete('call_1', { parcel: 8 }), { code: 'CALL_ENDED' });
  },
  'the working directory of the CLI is as it was given': async ({ after, place }) => {
    const fake = createFake(after, [text('Hello.')]);
    await run({
      prompt: 'Hi',
      options: {
        pathToClaudeCodeExecutable: await fake.executable(),
        cwd: place.replaceAll('\\', '/'),
        settingSources: [],
      },
    });
    assert.equal(fake.sessions[0].cwd, place);
  },
  'CLAUDE_CONFIG_DIR in lower case in an environment that is given': async ({ config }) => {
    putTranscript(config, CWD);
    delete process.env.CLAUDE_CONFIG_DIR;
    const found = await listSessions({ dir: CWD, env: { claude_config_dir: config } });
    assert.equal(found.length, 1);
  },
  'without CLAUDE_CONFIG_DIR, the home folder of this user': async ({ home }) => {
    delete process.env.CLAUDE_CONFIG_DIR;
    const path = putTranscript(join(home, '.claude'), 'C:\\only here', { id: ID(4) });
    assert.equal((await listSessions({ dir: 'C:\\only here' })).length, 1);
    await deleteSession(ID(4));
    assert.ok(!existsSync(path));
  },
  'HOME, which is set by the bash of git, does not count': async ({ home, place, after }) => {
    delete process.env.CLAUDE_CONFIG_DIR;
    process.env.HOME = place;
    after(() => delete process.env.HOME);
    const path = putTranscript(join(home, '.claude'), 'C:\\only here', { id: ID(5) });
    assert.equal((await listSessions({ dir: 'C:\\only here' })).length, 1);
    await deleteSession(ID(5));
    assert.ok(!existsSync(path));
  },
  'a resume from a store takes along the settings and definitions of the user': async ({
    after,
    config,
    place,
  }) => {
    const store = new InMemorySessionStore();
    putTranscript(config, place, { id: ID(1) });
    await importSessionToStore(ID(1), store, { dir: place });
    put(join(config, 'settings.json'), '{ "model": "opus" }\r\n');
    put(join(config, 'agents', 'helper.md'), 'a helper');
    let seen;
    const fake = createFake(after, ({ env }) => {
      seen = env?.CLAUDE_CONFIG_DIR;
      return [text('Back.')];
    });
    const q = query({
      prompt: 'Go on.',
      options: {
        pathToClaudeCodeExecutable: await fake.executable(),
        cwd: place,
        resume: ID(1),
        sessionStore: store,
        settingSources: [],
      },
    });
    let copied;
    for await (const _ of q) {
      const folder = fake.sessions[0].env.CLAUDE_CONFIG_DIR;
      copied ??= existsSync(join(folder, 'agents', 'helper.md')) && existsSync(join(folder, 'settings.json'));
    }
    assert.equal(copied, true, seen);
    const own = fake.sessions[0].env.CLAUDE_CONFIG_DIR;
    assert.notEqual(own, config);
    // It goes with the CLI, which ends a moment after its last message.
    await until(() => !existsSync(own));
    assert.ok(existsSync(join(config, 'agents', 'helper.md')), 'the original is gone');
  },
};

// The CLI's: numbers of 32 bits, written with digits and letters.
function hash(path) {
  let value = 0;
  for (let at = 0; at < path.length; at += 1) value = ((value << 5) - value + path.charCodeAt(at)) | 0;
  return Math.abs(value).toString(36);
}

export const CASES = Object.fromEntries(
  Object.entries(cases).map(([name, play]) => [name, withConfig(play)]),
);
