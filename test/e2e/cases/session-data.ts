// Finding and deleting what real sessions leave behind. Every session says a word of its own wherever it can: afterwards nothing
// under its home may have that word, and everything of another session must be as it was.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  allow,
  createApprovals,
  createFileApprovalStore,
  createSdkMcpServer,
  deleteSessionData,
  findSessionData,
  forkSession,
  InMemorySessionStore,
  query,
  tagSession,
  text,
  tool,
  toolUse,
} from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';

const BIG_LINES = 4000;

/** All files below a folder, with their content. */
function readAll(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, 'latin1')]),
  );
}

function filesWith(folder: string, word: string): string[] {
  return [...readAll(folder)].flatMap(([path, content]) => (content.includes(word) ? [path] : []));
}

function stepsOf(word: string, file: string, { version }: Cli) {
  const agent = version === '2.1.33' ? 'Task' : 'Agent';
  return [
    toolUse('mcp__shop__count', { article: word }),
    toolUse('mcp__shop__big', {}),
    toolUse('TodoWrite', { todos: [{ content: word, status: 'pending', activeForm: word }] }),
    toolUse('Read', { file_path: file }),
    toolUse('Edit', { file_path: file, old_string: 'one', new_string: 'two' }),
    toolUse('Bash', { command: `echo ${word}`, run_in_background: true, description: word }),
    toolUse(agent, { description: word, prompt: word, subagent_type: 'general-purpose' }),
    ...(version === '2.1.33' ? [text(`${word} of a subagent`)] : []),
    text(`${word} done`),
  ];
}

interface Kept {
  readonly sessionStore: InMemorySessionStore;
  readonly approvals: string;
  readonly traces: string;
}

/** Runs a session that leaves everything that sessions can leave; gives its id. */
async function leaveTraces(
  stage: Stage,
  word: string,
  { sessionStore, approvals, traces }: Kept,
): Promise<string> {
  const file = join(stage.home.cwd, `${word}.txt`);
  writeFileSync(file, 'one\n');
  const shop = createSdkMcpServer({
    name: 'shop',
    tools: [
      tool('count', 'How many', { article: 'string' }, ({ article }) => `${word} ${article}`),
      tool('big', 'A long answer', {}, () => `${word} of a long answer\n`.repeat(BIG_LINES)),
    ],
  });
  const queue = createApprovals({ store: createFileApprovalStore(approvals) });
  const answering = (async () => {
    for await (const { id } of queue.watch()) await queue.answer(id, allow(), { by: 'ann' });
  })();
  let sessionId = '';
  const options = stage.options({
    mcpServers: { shop },
    canUseTool: queue.canUseTool,
    enableFileCheckpointing: true,
    trace: traces,
    onWarning: () => {},
  });
  // With a store there are no file versions, and 2.1.33 has no stores.
  for await (const message of query({ prompt: `${word} please`, options })) {
    if (message.type === 'result') sessionId = message.session_id;
  }
  queue.close();
  await answering;
  if (stage.cli.version !== '2.1.33') {
    const { enableFileCheckpointing: _none, ...rest } = options;
    for await (const message of query({
      prompt: `${word} again`,
      options: { ...rest, sessionStore, resume: sessionId },
    }))
      expect(message.session_id ?? sessionId).toBe(sessionId);
  }
  return sessionId;
}

async function clearUp(cli: Cli): Promise<void> {
  const words = ['gooseberry', 'quince'];
  let step = 0;
  const script: ReturnType<typeof stepsOf> = [];
  await onStage(
    cli,
    {
      script: [],
      onExhausted: () => script[step++] ?? text('more'),
    },
    async (stage) => {
      const { home } = stage;
      const root = home.temporary;
      const kept: Kept = {
        sessionStore: new InMemorySessionStore(),
        approvals: join(root, 'approvals'),
        traces: join(root, 'traces'),
      };
      mkdirSync(kept.traces);
      const ids: string[] = [];
      for (const word of words) {
        script.splice(0, script.length, ...stepsOf(word, join(home.cwd, `${word}.txt`), cli));
        step = 0;
        ids.push(await leaveTraces(stage, word, kept));
      }
      const [gone = '', other = ''] = ids;
      await tagSession(gone, 'ann', { env: home.env });
      await forkSession(gone, { env: home.env });
      const places = {
        env: home.env,
        traces: kept.traces,
        approvals: [createFileApprovalStore(kept.approvals)],
        sessionStores: [{ store: kept.sessionStore, dir: home.cwd }],
      };
      const before = await findSessionData(gone, places);
      expect(before.problems).toEqual([]);
      const kinds = new Set(before.items.map(({ kind }) => kind));
      for (const kind of ['transcript', 'session-files', 'file-history', 'trace', 'approval', 'mcp-log'])
        expect([...kinds]).toContain(kind);

      const otherItems = (await findSessionData(other, places)).items;
      // CLI 2.1.33 has the outputs of a project's sessions together, and each start removes those of before.
      expect(otherItems.map(({ kind }) => kind)).toContain('task-output');
      const otherFiles = (): Record<string, string> =>
        Object.fromEntries(
          otherItems.flatMap(({ place, bytes }) => {
            if (bytes === undefined) return [];
            const files = readAllOf(place);
            return files.map(([path, content]) => [path, createHash('sha256').update(content).digest('hex')]);
          }),
        );
      const untouched = otherFiles();
      const dry = await deleteSessionData({ tag: 'ann' }, { ...places, copies: true, dryRun: true });
      const report = await deleteSessionData({ tag: 'ann' }, { ...places, copies: true });
      expect(report.deleted).toEqual(dry.deleted);
      expect(report.kept).toEqual([]);
      expect(report.sessionIds.length).toBe(2);

      // Its working files are the user's own.
      const left = filesWith(root, words[0] ?? '').filter((path) => !path.startsWith(home.cwd));
      expect(left).toEqual([]);
      expect(otherFiles()).toEqual(untouched);
      expect((await findSessionData(other, places)).items).toEqual(otherItems);
      expect((await findSessionData(gone, places)).items).toEqual([]);
      expect((await deleteSessionData(gone, places)).deleted).toEqual([]);
    },
  );
}

function readAllOf(path: string): [string, string][] {
  try {
    return [...readAll(path)];
  } catch {
    return [[path, readFileSync(path, 'latin1')]];
  }
}

// Where the CLI notes itself, the note outlives a kill and the next CLI; it must not pass for a session that runs.
async function findNotesOfKilled(cli: Cli): Promise<void> {
  const script = [toolUse('mcp__shop__hang', {}), text('of the next CLI')];
  await onStage(cli, { script }, async ({ home, options }) => {
    const hang = tool('hang', 'Never answers', {}, () => {
      process.kill(killed.pid ?? 0, 'SIGKILL');
      return new Promise<never>(() => {});
    });
    const shop = createSdkMcpServer({ name: 'shop', tools: [hang] });
    let sessionId = '';
    const killed = query({
      prompt: 'Hang.',
      options: options({ mcpServers: { shop }, allowedTools: [shop], onWarning: () => {} }),
    });
    await expect(
      (async () => {
        for await (const message of killed) sessionId = message.session_id ?? sessionId;
      })(),
    ).rejects.toMatchObject({ code: 'PROCESS_KILLED' });
    for await (const message of query({ prompt: 'Go on.', options: options() })) void message;

    const notes = async (): Promise<number> => {
      const { items } = await findSessionData(sessionId, { env: home.env });
      return items.filter(({ kind }) => kind === 'process-note').length;
    };
    expect(await notes()).toBe(cli.version === '2.1.33' ? 0 : 2);
    expect((await deleteSessionData(sessionId, { env: home.env })).kept).toEqual([]);
    expect(await notes()).toBe(0);
  });
}

export const sessionDataCases: CaseSet = {
  'leaves nothing of a session, and everything of another': clearUp,
  'finds and deletes what a CLI that was killed noted of itself': findNotesOfKilled,
};
