// `inboard play` on the real CLI: questions from a pipe and from the page, an approval that is edited, a crash and a resume.
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCommand, collect, type BuiltCommand } from '../../packages/cli/test/built-command.js';
import { enterByLink, type Visitor } from '../../packages/inspector/test/support/visitor.js';
import { allClis, newCli } from './support/cli.js';

let command: BuiltCommand;
let env: Record<string, string>;

beforeAll(async () => {
  command = await buildCommand(tmpdir());
  // An account that would not work, to see that none is used.
  env = {
    INBOARD_CLI: newCli.path,
    HOME: command.folder,
    XDG_RUNTIME_DIR: command.folder,
    ANTHROPIC_API_KEY: 'sk-ant-api03-of-the-user',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  };
});
afterAll(() => command.remove());

it('answers the lines of a pipe, and takes answers to approvals from it', async () => {
  const lines = [
    'how many appels and pears do you have?',
    'what is 7 times 6',
    'refund order 1042',
    '30',
    'refund it 5 euros',
    'buy 3 apples',
    'refund 1042 50',
    'yes',
    'apples?',
    'exit',
    'never read',
  ];
  const { code, stdout, stderr } = await command.run(['play', '--port', '0'], {
    env,
    input: lines.join('\n'),
  });
  expect(code, stderr).toBe(0);
  expect(stdout.replace(/You can ask[\s\S]*?what did I ask before\?\n/, '')).toBe(
    [
      'We have 7 apples, for 0.40 EUR each. We have 12 pears, for 0.55 EUR each.',
      'I am a script, and did not understand that. Paid back 30.00 EUR for order 1042; 30.00 EUR of 40.00 EUR in all. You changed the amount: I had asked for 40.00 EUR.',
      'Nothing was paid back. The answer was: There was no answer.',
      'Done: Order 1045 for you: 3 apples; 1.20 EUR. It is being packed.',
      'Nothing was paid back. The answer was: Only 10.00 EUR of order 1042 can still be paid back.',
      'We have 4 apples, for 0.40 EUR each.',
      '',
    ].join('\n'),
  );
  expect(stderr).toMatch(/Inspector: http:\/\/127\.0\.0\.1:\d+\/#key=/);
  expect(stderr).toMatch(/\nNext:\n {2}npx inboard init my-agent/);
  expect(stderr).not.toContain('never read');
});

it.each(allClis)('answers each question after a crash with its own answer, on $version', async ({ path }) => {
  const { code, stdout, stderr } = await command.run(['play', '--port', '0'], {
    env: { ...env, INBOARD_CLI: path },
    input: 'crash\nresume\ntell me a joke\nhow many pears?\n',
  });
  expect(code, stderr).toBe(0);
  const starts = stdout.split('\n').map((line) => line.split(/[.,:]/, 1)[0]);
  expect(starts.filter((start) => start !== '' && !start?.startsWith('- '))).toEqual([
    'The export has 4 orders',
    'I am a script',
    'We have 12 pears',
  ]);
  // The call is shown twice, and the second time says that it is the same.
  expect(stderr.match(/^> mcp__shop__export_orders.*/gm)).toEqual([
    '> mcp__shop__export_orders {"crash":true}',
    '> mcp__shop__export_orders (the call that was cut off, again) {"crash":true}',
  ]);
});

it('takes questions and an edited approval from the page, and goes on after a crash', async () => {
  const child = command.start(['play', '--port', '0'], { env });
  const ended = collect(child);
  if (!child.stdin || !child.stdout || !child.stderr) throw new Error('no pipes');
  const notes = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const note = (part: string) => nextWith(notes, part);
  const [link = ''] = /http:\S+/.exec(await note('Inspector: ')) ?? [];
  const page = await enterByLink(link);

  await send(page, 'how many jars of honey are there?');
  await note('page> how many jars of honey are there?');
  expect(await nextWith(answers, '')).toBe('We have 3 jars of honey, for 6.50 EUR each.');

  await send(page, 'please refund 1042');
  await note('The model wants to pay back 40.00 EUR for order 1042.');
  await expect.poll(async () => (await page.state()).questions).toHaveLength(1);
  const [question] = (await page.state()).questions;
  expect(question).toMatchObject({ kind: 'permission', input: { order: 1042, amount: 40 } });
  const decision = { kind: 'allow', edits: [{ path: ['amount'], value: 12.5 }] };
  const { session, id } = question ?? {};
  expect(await page.act({ action: 'answer', session, id, decision })).toMatchObject({ ok: true });
  expect(await nextWith(answers, '')).toContain('Paid back 12.50 EUR for order 1042; 12.50 EUR of 40.00 EUR');

  child.stdin.write('crash\n');
  await note('The Claude CLI was ended by SIGKILL');
  await expect.poll(async () => (await page.state()).sessions.map(({ state }) => state)).toEqual(['failed']);
  child.stdin.write('how many apples?\n');
  await note('There is no CLI now.');
  child.stdin.write('resume\n');
  expect(await nextWith(answers, 'The export has')).toMatch(
    /^The export has 4 orders\. .* went on at order 3 of 4: .*“please refund 1042”\.$/,
  );
  const { sessions } = await page.state();
  expect(sessions).toHaveLength(2);
  expect(sessions[1]?.sessionId).toBe(sessions[0]?.sessionId);
  child.stdin.end('exit\n');
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(0);
});

async function send(page: Visitor, text: string): Promise<void> {
  const [session] = (await page.state()).sessions;
  expect(await page.act({ action: 'send', session: session?.id, text })).toMatchObject({ ok: true });
}

/** The next line that has a part. */
async function nextWith(lines: AsyncIterator<string>, part: string): Promise<string> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`The output ended before "${part}".`);
    if (value.includes(part)) return value;
  }
}
