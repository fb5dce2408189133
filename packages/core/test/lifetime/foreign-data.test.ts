// What looks as if it belonged to a session and does not: similar ids, forks, other projects, other people's files, bad input.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deleteSessionData,
  findSessionData,
  InMemorySessionStore,
  type Approval,
} from '@inboard/inboard/index.js';
import { createProjectKey } from '../../src/record/history/folders/project-folders.js';
import { DATA_COMMAND } from '@inboard/cli/data/command.js';
import { createFakeTerminal } from '../../../cli/test/fake-terminal.js';
import { MadeHome } from './made-home.js';

const A = '11111111-1111-4111-8111-111111111111';
const B = '22222222-2222-4222-8222-222222222222';

let home: MadeHome;
beforeEach(() => void (home = new MadeHome()));
afterEach(() => home.remove());

const places = () => ({ env: home.env, traces: home.traces });
const said = (cwd: string) => ({ type: 'user', uuid: `m-${cwd}`, cwd });

describe('a choice that is none', () => {
  it.each([
    null,
    undefined,
    7,
    { where: null },
    { where: 'all' },
    { dir: null },
    { dir: '' },
    { tag: '' },
    { tag: 7 },
    { projectKey: '' },
  ])('is refused, and deletes nothing: %j', async (bad) => {
    home.transcript(A);
    await expect(deleteSessionData(bad as never, places())).rejects.toMatchObject({
      code: 'INVALID_OPTIONS',
    });
    expect(Object.keys(home.files())).toHaveLength(1);
  });

  it('is an empty text on the command line, too', async () => {
    const load = await DATA_COMMAND.load();
    for (const values of [{ dir: '' }, { tag: '' }]) {
      const terminal = createFakeTerminal({ env: home.env, cwd: home.root });
      await expect(
        load({ args: ['delete'], values: { ...values, yes: true }, terminal, inOwnWords: String }),
      ).rejects.toThrow('not empty');
    }
  });
});

describe('a directory', () => {
  it('does not stand for another one with the same name in the config folder', async () => {
    const [mine, other] = [join(home.root, 'ann.b'), join(home.root, 'ann-b')];
    const project = createProjectKey(mine);
    expect(createProjectKey(other)).toBe(project);
    home.transcript(A, { project, entries: [said(mine), said(other)] });
    home.transcript(B, { project, entries: [said(other)] });
    expect((await deleteSessionData({ dir: mine }, places())).sessionIds).toEqual([A]);
    expect(Object.keys(home.files())).toEqual([`config/projects/${project}/${B}.jsonl`]);
  });

  it('chooses no sessions of other projects in a store', async () => {
    const [mine, other] = [join(home.root, 'mine'), join(home.root, 'other')];
    const store = new InMemorySessionStore();
    await store.append({ projectKey: 'shop', sessionId: A }, [said(mine)]);
    await store.append({ projectKey: 'shop', sessionId: B }, [said(other), said(mine)]);
    const sessionStores = [{ store, projectKey: 'shop' }];
    expect((await findSessionData({ dir: mine }, { ...places(), sessionStores })).sessionIds).toEqual([A]);
    const unnamed = [{ store, dir: mine }];
    expect(
      (await findSessionData({ dir: other }, { ...places(), sessionStores: unnamed })).sessionIds,
    ).toEqual([]);
  });
});

it('a project key chooses what the store has under it, and nothing that is on disk alone', async () => {
  home.transcript(A);
  home.transcript(B);
  const store = new InMemorySessionStore();
  await store.append({ projectKey: 'ann', sessionId: A }, [{ type: 'user' }]);
  const sessionStores = ['ann', 'bob'].map((projectKey) => ({ store, projectKey }));
  const chosen = await deleteSessionData({ projectKey: 'ann' }, { ...places(), sessionStores });
  expect(chosen.deleted.map(({ kind }) => kind)).toEqual(['stored-transcript', 'transcript']);
  expect(Object.keys(home.files())).toEqual([`config/projects/-p/${B}.jsonl`]);
});

it('an id with more digits around it is another one', async () => {
  home.write(`config/todos/${A}0.json`, 'x');
  home.write(`config/todos/f${A}.json`, 'x');
  home.write(`config/projects/-p/a${A}.jsonl`, 'x');
  expect((await deleteSessionData(A, places())).deleted).toEqual([]);
});

it('a fork does not take the plan and the outputs of what it was forked from', async () => {
  const output = `tmp/claude-${process.getuid?.() ?? 0}/-p/tasks/b1.output`;
  home.write(output, 'x');
  home.write('config/plans/calm-blue-fox.md', 'x');
  const entry = { type: 'user', slug: 'calm-blue-fox', toolUseResult: { backgroundTaskId: 'b1' } };
  home.transcript(A, { entries: [entry] });
  home.transcript(B, { entries: [entry] });
  const { kept } = await deleteSessionData(B, places());
  expect(kept.map(({ kind, reason, sharedWith }) => [kind, reason, sharedWith])).toEqual([
    ['task-output', 'shared', [A]],
    ['plan', 'shared', [A]],
  ]);
  expect((await deleteSessionData(A, places())).kept).toEqual([]);
  expect(home.files()).toEqual({});
});

it('a page that tells of the session and is no page of a trace stays; a pipe is not waited for', async () => {
  home.write('traces/report.html', `<script>var x = {"session_id":"${A}"}</script>`);
  if (process.platform !== 'win32') {
    execFileSync('mkfifo', [join(home.traces, 'pipe.html'), join(home.traces, 'pipe.jsonl')]);
  }
  const { deleted, kept } = await deleteSessionData(A, places());
  expect([deleted, kept]).toEqual([[], []]);
});

it('a file of several sessions stays as long as one of them runs', async () => {
  home.trace('both.jsonl', [A, B]);
  const note = { pid: process.pid, sessionId: B, updatedAt: 0 };
  home.write(`config/sessions/${process.pid}.json`, JSON.stringify(note));
  const { deleted, kept } = await deleteSessionData([A, B], places());
  expect(deleted).toEqual([]);
  expect(kept.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['trace', 'running'],
    ['process-note', 'running'],
  ]);
});

it('what cannot be read is a problem, and the rest goes on', async () => {
  mkdirSync(join(home.config, 'projects', '-p', `${A}.jsonl`), { recursive: true });
  home.write(`config/todos/${A}.json`, 'x');
  const approvals = [
    {
      list: async () =>
        [
          { id: 'odd', sessionId: null },
          { id: 'own', sessionId: A },
        ] as unknown as Approval[],
      remove: async () => {},
    },
  ];
  for (const choice of [A, { tag: 'ann' }]) {
    const { problems } = await findSessionData(choice, { ...places(), copies: true });
    expect(problems[0]).toMatchObject({ place: expect.stringContaining(A) as string });
  }
  const { deleted } = await deleteSessionData(A, { ...places(), approvals, dryRun: true });
  expect(deleted.map(({ kind, place }) => `${kind} ${place}`)).toContain('approval approvals[0] own');
  await deleteSessionData(A, places());
  expect(home.files()).toEqual({});
});
