// What one package writes to files or to a session store, and what a package says of such files when it reads them: plain JSON, so that
// what two packages say can be compared. A package is handed over as its entry points; what it does not have yet is undefined.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { FORMATS } from '../formats/write-formats.mjs';

/**
 * Formats by name: whether a package has it, how it writes an example into a folder and gives the version, what it reads there, and what it
 * says of files whose version is newer than its own. Formats without a version of ours have no newer one.
 */
export const STORED_FORMATS = {
  trace: { has: () => true, write: FORMATS.trace, read: readTraces, refuse: refuseTrace },
  approvals: { has: () => true, write: FORMATS.approvals, read: readApprovals, refuse: refuseApprovals },
  calls: {
    has: ({ createFileCallRecords }) => createFileCallRecords !== undefined,
    write: FORMATS.calls,
    read: readCalls,
    refuse: refuseCalls,
  },
  'stored-session': { has: () => true, write: FORMATS['stored-session'], read: readStoredSession },
  transcript: { has: () => true, write: writeTranscript, read: readTranscript },
};

/** A copy of files that may be changed: with the modes of files that only their owner reads, which a checkout does not keep. */
export function copyPrivately(from, to) {
  cpSync(from, to, { recursive: true });
  const close = (path) => {
    const isFolder = statSync(path).isDirectory();
    chmodSync(path, isFolder ? 0o700 : 0o600);
    if (isFolder) for (const name of readdirSync(path)) close(join(path, name));
  };
  close(to);
  return to;
}

async function readTraces(folder, inboard) {
  const read = async (name) => {
    const trace = await inboard.trace.readTrace(join(folder, name));
    return {
      problems: trace.problems,
      end: trace.end,
      steps: trace.steps.map(({ type, dir, frame, t }) => ({ type, dir, frame, t })),
    };
  };
  const tape = await inboard.trace.openTape(join(folder, 'session.jsonl'), { tools: 'taped' });
  const { text } = await inboard.run({ prompt: tape.prompt, options: { transport: tape.transport } });
  return {
    session: await read('session.jsonl'),
    limits: await read('limits.jsonl'),
    replayed: { text, isAsRecorded: tape.report().ok },
  };
}

async function readApprovals(folder, { createFileApprovalStore, allow }) {
  const store = createFileApprovalStore(folder);
  const listed = await store.list();
  const late = { result: allow(), answeredAt: 1 };
  // The first packages also gave the id of the file that an answer is in.
  for (const { answer } of listed) delete answer?.id;
  const again = await store.answer('call_allowed_1', late);
  const first = await store.answer('call_open_1', late);
  await store.remove('ask_denied_1');
  const left = (await store.list()).map(({ id, answer }) => ({ id, isAnswered: answer !== undefined }));
  return { listed: sortById(listed), again, first, left: sortById(left) };
}

async function readCalls(folder, { createFileCallRecords }) {
  const records = createFileCallRecords({ folder });
  const facts = await records.load();
  const claim = await records.claim({ owner: 'another', ttlMs: 1000 });
  await records.add({ type: 'withdrawn', callKey: 'call_added', at: 1 });
  await claim.release();
  const added = (await records.load()).slice(facts.length);
  await records.close();
  return { facts: facts.map(shorten), added };
}

/** What every package says of files that are too new for it. */
export const REFUSALS = {
  trace: { code: 'TRACE_UNREADABLE', isUntouched: true },
  approvals: { isListed: false, code: 'STORED_FORMAT_TOO_NEW', isUntouched: true },
  calls: { facts: [], isUntouched: true },
};

async function refuseTrace(folder, { trace }) {
  const before = bytesOf(folder);
  const code = await codeOf(trace.readTrace(join(folder, 'session.jsonl')));
  return { code, isUntouched: isUntouched(folder, before) };
}

async function refuseApprovals(folder, { createFileApprovalStore, allow }) {
  const before = bytesOf(folder);
  const store = createFileApprovalStore(folder);
  // The first packages refuse to list a folder that has one of those.
  const isListed = await store.list().then(
    (listed) => listed.length > 0,
    () => false,
  );
  const code = await codeOf(store.answer('call_open_1', { result: allow(), answeredAt: 1 }));
  return { isListed, code, isUntouched: isUntouched(folder, before) };
}

async function refuseCalls(folder, { createFileCallRecords }) {
  const before = bytesOf(folder);
  const records = createFileCallRecords({ folder });
  const facts = await records.load();
  await records.close();
  return { facts, isUntouched: isUntouched(folder, before) };
}

const codeOf = (reading) =>
  reading.then(
    () => 'read',
    ({ code }) => code,
  );

/** The files of a folder, by name, without those in folders. */
const bytesOf = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

/** Whether all files that were there are as they were. */
function isUntouched(folder, before) {
  const now = bytesOf(folder);
  return Object.entries(before).every(([name, text]) => now[name] === text);
}

/** Makes of a format's files what a version to come would write: the same, with a version that nobody knows yet. */
export function raiseVersion(name, folder) {
  for (const [file, text] of Object.entries(bytesOf(folder))) {
    const newer =
      name === 'calls'
        ? text.replace(/^\{"v":\d+/gm, '{"v":99')
        : text.replace(/"version": ?\d+/, '"version":99');
    writeFileSync(join(folder, file), newer);
  }
}

async function readStoredSession(folder, inboard) {
  const { sessionId, appended } = JSON.parse(readFileSync(join(folder, 'store.json'), 'utf8'));
  const sessionStore = new inboard.InMemorySessionStore();
  for (const { key, entries } of appended) await sessionStore.append(key, entries);
  return await describeSessions(inboard, sessionId, { sessionStore, projectKey: 'shop' });
}

/** Sessions on the disk, as this package changes them: a title, a tag, a branch of it, and a note that it is done with. */
async function writeTranscript(folder, inboard) {
  const { renameSession, tagSession, forkSession, archiveSession, transcripts } = inboard;
  cpSync(transcripts, join(folder, 'projects'), { recursive: true });
  const sessionId = firstSession(folder);
  await withConfig(folder, async () => {
    await renameSession(sessionId, 'A title');
    await tagSession(sessionId, 'ann');
    const { sessionId: branch } = await forkSession(sessionId, { title: 'A branch' });
    await archiveSession(branch);
  });
  return 1;
}

async function readTranscript(folder, inboard) {
  const sessionId = firstSession(folder);
  return await withConfig(folder, async () => {
    const read = await describeSessions(inboard, sessionId, {});
    await inboard.renameSession(sessionId, 'Another title');
    const renamed = await inboard.getSessionInfo(sessionId);
    return { ...read, renamed: renamed.customTitle };
  });
}

async function describeSessions(inboard, sessionId, place) {
  const infos = await inboard.listSessions(place);
  const messages = await inboard.getSessionMessages(sessionId, place);
  const agents = await inboard.listSubagents(sessionId, place);
  const ofAgents = [];
  for (const agent of agents.sort()) {
    const theirs = await inboard.getSubagentMessages(sessionId, agent, place);
    ofAgents.push({ agent, uuids: theirs.map(({ uuid }) => uuid) });
  }
  const state = await inboard.getTranscriptState(sessionId, place);
  return {
    // The id of a branch is new each time.
    listed: infos
      .map(({ customTitle, tag, summary, firstPrompt }) => ({ customTitle, tag, summary, firstPrompt }))
      .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
    messages: messages.map(({ type, uuid, message }) => ({ type, uuid, message: shorten(message) })),
    ofAgents,
    state,
  };
}

async function withConfig(folder, action) {
  const before = process.env.CLAUDE_CONFIG_DIR;
  process.env.CLAUDE_CONFIG_DIR = folder;
  try {
    return await action();
  } finally {
    if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR;
    else process.env.CLAUDE_CONFIG_DIR = before;
  }
}

/** The session of the example, which has subagents and so a folder beside its file. */
function firstSession(folder) {
  const projects = join(folder, 'projects');
  for (const project of readdirSync(projects)) {
    const found = readdirSync(join(projects, project), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .find(({ name }) => existsSync(join(projects, project, `${name}.jsonl`)));
    if (found) return found.name;
  }
  throw new Error(`There is no session in ${folder}`);
}

const sortById = (list) => list.toSorted((one, other) => one.id.localeCompare(other.id));

/** The same value with long texts as their length: what is compared is a large text as well, but nobody reads it. */
function shorten(value) {
  const text = JSON.stringify(value, (_, each) =>
    typeof each === 'string' && each.length > 2000 ? `${each.length} characters` : each,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

/** Writes all formats that a package has, each into a folder of its name; gives their versions. */
export async function writeAll(folder, inboard) {
  const written = {};
  for (const [name, { has, write }] of Object.entries(STORED_FORMATS)) {
    if (!has(inboard)) continue;
    const place = join(folder, name);
    mkdirSync(place, { recursive: true });
    written[name] = await write(place, inboard);
  }
  return written;
}
