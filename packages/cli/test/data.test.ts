// `inboard data`: what it shows, when it asks, and that it deletes only after a yes.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DATA_COMMAND } from '../src/data/command.js';
import { createFileApprovalStore } from '@inboard/inboard/index.js';
import { join } from 'node:path';
import { MadeHome } from '../../core/test/lifetime/made-home.js';
import { createFakeTerminal } from './fake-terminal.js';

const A = '11111111-1111-4111-8111-111111111111';
const B = '22222222-2222-4222-8222-222222222222';

let home: MadeHome;
beforeEach(() => void (home = new MadeHome()));
afterEach(() => home.remove());

async function run(
  args: string[],
  values: Record<string, string | boolean | string[]> = {},
  { isTTY = false, answer }: { isTTY?: boolean; answer?: string } = {},
) {
  const terminal = createFakeTerminal({ isTTY, env: home.env, cwd: home.root });
  if (answer !== undefined) void terminal.waitFor('(yes/no)').then(() => terminal.stdin.write(`${answer}\n`));
  const code = await (await DATA_COMMAND.load())({ args, values, terminal, inOwnWords: String });
  return { code, ...terminal.written() };
}

describe('inboard data', () => {
  it('finds what belongs to a session, and names what it could not read', async () => {
    home.transcript(A);
    home.trace('one.jsonl', [A, B]);
    home.write('traces/bad.jsonl', 'x');
    const { code, stdout, stderr } = await run(['find', A], { traces: ['traces'] });
    expect(stdout).toMatch(/11111111 {2}trace .*one\.jsonl {2}\(with 1 other session\)/);
    expect(stdout).toMatch(/2 items of 1 session, \d+ bytes\./);
    expect(stderr).toMatch(/not checked: .*bad\.jsonl/);
    expect(code).toBe(1);
  });

  it('says where it looked when it found nothing', async () => {
    const where = `CLAUDE_CONFIG_DIR sets the CLI's folder; this time it was ${home.config}.`;
    expect((await run(['find', A])).stderr).toContain(where);
    expect((await run(['delete', A], { yes: true })).stderr).toContain(where);
    expect(await run(['delete', A], {}, { isTTY: true })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(where) as string,
    });
    home.transcript(A);
    expect((await run(['find', A])).stderr).toBe('');
  });

  it('says that a named place is not there, which is no failure', async () => {
    home.transcript(A);
    const { code, stderr } = await run(['find', A], { traces: ['tracs.jsonl'], approvals: ['aprovals'] });
    expect(stderr).toBe(
      '--traces tracs.jsonl: no such file or folder.\n--approvals aprovals: no such file or folder.\n',
    );
    expect(code).toBe(0);
  });

  it('asks before it deletes, and takes nothing but yes for one', async () => {
    home.transcript(A);
    const refused = await run(['delete', A], {}, { isTTY: true, answer: 'y' });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing was deleted') as string,
    });
    expect(Object.keys(home.files())).toHaveLength(1);
    expect((await run(['delete', A], {}, { isTTY: true, answer: 'yes' })).code).toBe(0);
    expect(home.files()).toEqual({});
  });

  it('deletes by tag without asking where it is told so, and reports as JSON', async () => {
    home.transcript(A, { entries: [{ type: 'tag', tag: 'ann' }] });
    home.transcript(B);
    const store = createFileApprovalStore(join(home.root, 'approvals'));
    await store.put({ id: 'q', kind: 'permission', attempt: 1, askedAt: 1, input: {}, sessionId: A });
    const { code, stdout } = await run(['delete'], {
      tag: 'ann',
      yes: true,
      json: true,
      approvals: ['approvals'],
    });
    const { deleted } = JSON.parse(stdout) as { deleted: { kind: string }[] };
    expect(deleted.map(({ kind }) => kind)).toEqual(['approval', 'transcript']);
    expect(code).toBe(0);
    expect(Object.keys(home.files())).toEqual([`config/projects/-p/${B}.jsonl`]);
  });

  it.each([
    [['delete', A], {}, 'There is nobody to ask'],
    [['burn', A], {}, 'Use "data find" or "data delete"'],
    [['find'], {}, 'Give session ids'],
    [['find', A], { tag: 'x' }, 'not both'],
    [['delete'], { tag: '', yes: true }, '--tag needs a value that is not empty'],
    [['delete'], { dir: '', yes: true }, '--dir needs a value that is not empty'],
    [['find', A], { traces: [''] }, '--traces needs a value that is not empty'],
  ])('refuses %j', async (args, values, message) => {
    home.transcript(A);
    await expect(run(args, values as Record<string, string>)).rejects.toThrow(message);
    expect(Object.keys(home.files())).toHaveLength(1);
  });
});
