// Past sessions on disk: the functions read what the CLI wrote, and the CLI goes on with what they changed.
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { askHome } from '../support/config-folder.js';
import {
  archiveSession,
  createFileCallRecords,
  deleteSession,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  listSessions,
  listSubagents,
  ResultError,
  renameSession,
  run,
  SessionNotFoundError,
  tagSession,
  text,
  toolUse,
  unarchiveSession,
} from '../support/inboard.js';
import type { SessionMessage } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { readRest, resultsOf, spokenIn } from '../support/talk.js';

/** A plan for a turn in which the model leaves the work to a subagent. */
export function planSubagent() {
  const order = {
    subagent_type: 'helper',
    description: 'Help',
    prompt: 'Help me.',
    run_in_background: false,
  };
  return {
    script: [toolUse('Task', order), text('It has helped.')],
    conversations: [
      {
        when: ({ systemText }: { systemText: string }) => systemText.includes('I am the helper.'),
        script: [toolUse('Bash', { command: 'echo $((40+2))' }), text('I have helped.')],
      },
    ],
    options: {
      agents: { helper: { description: 'Helps', prompt: 'I am the helper.' } },
      allowedTools: ['Task', 'Bash'],
    },
  };
}

/** What was said, without tools and what the CLI adds in tags of its own. */
export function wordsOf(messages: readonly SessionMessage[]): string[] {
  return messages
    .map(({ message }) => (message as { content: string | { type: string; text?: string }[] }).content)
    .flatMap((content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content))
    .flatMap((block) => (block.type === 'text' ? (block.text ?? '') : []))
    .filter((words) => !words.startsWith('<'));
}

async function readWhatItWrote(cli: Cli): Promise<void> {
  const script = [toolUse('Bash', { command: 'echo hi' }), text('It says hi.'), text('You are welcome.')];
  await onStage(cli, { script, options: { allowedTools: ['Bash'] } }, async (stage) => {
    const dir = stage.home.cwd;
    const { sessionId } = await run({ prompt: 'Say hi.', options: stage.options() });
    const list = () => askHome(stage.home, () => listSessions({ dir }));
    expect(await list()).toMatchObject([{ sessionId, cwd: dir, firstPrompt: 'Say hi.', summary: 'Say hi.' }]);
    const read = (options: object = {}) =>
      askHome(stage.home, () => getSessionMessages(sessionId, { dir, ...options }));
    const messages = await read();
    expect(messages.map(({ type }) => type)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(wordsOf(messages)).toEqual(['Say hi.', 'It says hi.']);
    expect(JSON.stringify(messages[2]?.message)).toContain('tool_result');
    expect(await read({ offset: 1, limit: 2 })).toEqual(messages.slice(1, 3));

    // What is changed is seen, also by the CLI, which goes on with the same session.
    const id = sessionId;
    await askHome(stage.home, async () => {
      await renameSession(id, 'A greeting', { dir });
      await tagSession(id, 'polite', { dir });
    });
    expect(await list()).toMatchObject([{ summary: 'A greeting', customTitle: 'A greeting', tag: 'polite' }]);
    // The older one takes only ids.
    const resume = cli.isOld ? id : 'A greeting';
    await run({ prompt: 'Thank you.', options: stage.options({ resume }) });
    expect(spokenIn(stage.lastRequest())).toEqual(['Say hi.', 'It says hi.', 'Thank you.']);
    const [info] = await list();
    expect(info).toMatchObject({ sessionId, customTitle: 'A greeting', tag: 'polite' });
    expect(await askHome(stage.home, () => getSessionInfo(id))).toEqual(info);
    expect(wordsOf(await read())).toEqual(['Say hi.', 'It says hi.', 'Thank you.', 'You are welcome.']);

    await askHome(stage.home, () => archiveSession(id, { dir }));
    expect(await list()).toMatchObject([{ archived: true }]);
    await askHome(stage.home, () => unarchiveSession(id, { dir }));
    expect((await list())[0]?.archived ?? false).toBe(false);
    await askHome(stage.home, () => deleteSession(id, { dir }));
    expect(await list()).toEqual([]);
    const { error } = await readRest(stage.start('Still there?', { resume: id }).query);
    expect(error).toBeInstanceOf(ResultError);
    await expect(askHome(stage.home, () => renameSession(id, 'x', { dir }))).rejects.toBeInstanceOf(
      SessionNotFoundError,
    );
  });
}

async function resumeAFork(cli: Cli): Promise<void> {
  const script = [text('A secret.'), text('The same.'), text('Another.'), text('All of them.')];
  await onStage(cli, { script }, async (stage) => {
    const dir = stage.home.cwd;
    const first = await readRest(stage.start('Tell me one.').query);
    const resume = resultsOf(first.messages)[0]?.session_id ?? '';
    const upToMessageId = first.messages.find(({ type }) => type === 'assistant')?.uuid ?? '';
    await run({ prompt: 'Which was it?', options: stage.options({ resume }) });
    const file = join(
      stage.home.configDir,
      'projects',
      dir.replaceAll(/[^a-zA-Z0-9]/g, '-'),
      `${resume}.jsonl`,
    );
    const before = readFileSync(file, 'utf8');

    const part = await askHome(stage.home, () => forkSession(resume, { dir, upToMessageId, title: 'Part' }));
    const whole = await askHome(stage.home, () => forkSession(resume, { dir }));
    const ofPart = await run({ prompt: 'More.', options: stage.options({ resume: part.sessionId }) });
    expect(ofPart).toMatchObject({ text: 'Another.', sessionId: part.sessionId });
    expect(spokenIn(stage.lastRequest())).toEqual(['Tell me one.', 'A secret.', 'More.']);
    const ofWhole = await run({ prompt: 'List them.', options: stage.options({ resume: whole.sessionId }) });
    expect(ofWhole).toMatchObject({ text: 'All of them.', sessionId: whole.sessionId });
    const all = ['Tell me one.', 'A secret.', 'Which was it?', 'The same.', 'List them.'];
    expect(spokenIn(stage.lastRequest())).toEqual(all);

    expect(readFileSync(file, 'utf8'), 'the original is not touched').toBe(before);
    const listed = await askHome(stage.home, () => listSessions({ dir }));
    expect(listed.map(({ sessionId }) => sessionId).toSorted()).toEqual(
      [resume, part.sessionId, whole.sessionId].toSorted(),
    );
    expect(listed.find(({ sessionId }) => sessionId === part.sessionId)?.customTitle).toBe('Part');
  });
}

async function readASubagent(cli: Cli): Promise<void> {
  await onStage(cli, planSubagent(), async (stage) => {
    const { sessionId, text: said } = await run({ prompt: 'Get help.', options: stage.options() });
    expect(said).toBe('It has helped.');
    const agents = await askHome(stage.home, () => listSubagents(sessionId));
    expect(agents).toHaveLength(1);
    const messages = await askHome(stage.home, () => getSubagentMessages(sessionId, agents[0] ?? ''));
    expect(wordsOf(messages)).toEqual(['Help me.', 'I have helped.']);
    expect(JSON.stringify(messages)).toContain('42');
    const own = await askHome(stage.home, () => getSessionMessages(sessionId));
    expect(wordsOf(own)).toEqual(['Get help.', 'It has helped.']);
  });
}

// The records lie in the folder beside the transcript, and are newer than it.
async function leaveRecordsAlone(cli: Cli): Promise<void> {
  const script = [text('One.'), text('Two.'), text('Three.')];
  await onStage(cli, { script }, async (stage) => {
    const dir = stage.home.cwd;
    const { sessionId } = await run({ prompt: 'First.', options: stage.options() });
    const id = sessionId ?? '';
    const project = join(stage.home.configDir, 'projects', dir.replaceAll(/[^a-zA-Z0-9]/g, '-'));
    const folder = join(project, id);
    await using records = createFileCallRecords({ folder });
    const call = { callKey: 'c', toolUseId: 'toolu_1', toolName: 'mcp__shop__pay', input: {} };
    await records.add({ type: 'covers', message: id, at: Date.now() });
    await records.add({ type: 'begun', ...call, attempt: 1, owner: 'desk', at: Date.now() });
    const large = { content: [{ type: 'text', text: 'x'.repeat(300_000) }] };
    await records.add({ type: 'ended', callKey: 'c', result: large, at: Date.now() });
    const claim = await records.claim({ owner: 'desk', ttlMs: 60_000 });
    const later = Date.now() / 1000 + 3600;
    const names = readdirSync(folder).filter((name) => name.startsWith('inboard-call'));
    for (const name of names) utimesSync(join(folder, name), later, later);
    const read = (): string[] =>
      names
        .filter((name) => !name.endsWith('.claim'))
        .map((name) => readFileSync(join(folder, name), 'utf8'));
    const before = read();
    expect(before).toHaveLength(2);

    // Neither the functions nor the CLI take them for a session, and the CLI goes on with the one there is.
    const list = () => askHome(stage.home, () => listSessions({ dir }));
    expect((await list()).map((each) => each.sessionId)).toEqual([id]);
    const latest = await run({ prompt: 'Second.', options: stage.options({ continue: true }) });
    expect(latest).toMatchObject({ text: 'Two.', sessionId: id });
    const resumed = await run({ prompt: 'Third.', options: stage.options({ resume: id }) });
    expect(resumed).toMatchObject({ text: 'Three.', sessionId: id });
    expect(spokenIn(stage.lastRequest())).toEqual(['First.', 'One.', 'Second.', 'Two.', 'Third.']);
    expect(read()).toEqual(before);
    expect((await list()).map((each) => each.sessionId)).toEqual([id]);
    expect(await askHome(stage.home, () => listSubagents(id, { dir }))).toEqual([]);

    // A fork has none of them; they go with the session.
    const fork = await askHome(stage.home, () => forkSession(id, { dir }));
    expect(existsSync(join(project, fork.sessionId))).toBe(false);
    if ('renew' in claim) await claim.release();
    await askHome(stage.home, () => deleteSession(id, { dir }));
    expect(existsSync(folder)).toBe(false);
  });
}

export const pastSessionCases: CaseSet = {
  'goes on with a session that has records of its calls, and takes them for nothing else': leaveRecordsAlone,
  'reads and changes sessions the CLI wrote, and the CLI goes on with them': readWhatItWrote,
  'resumes a fork, whole or in part, and leaves the original alone': resumeAFork,
  'reads the subagents of a session': readASubagent,
};
