// docs/command.md and its parts, done as they say: their files are written, their commands run, and the options they name exist.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../packages/cli/src/commands.js';
import { findExecutable } from '../../packages/core/src/wire/process/find/find-executable.js';
import { createIsolatedEnvironment, type IsolatedEnvironment } from '../../packages/inboard/src/testing.js';
import { buildCommand, type BuiltCommand } from '../../packages/cli/test/built-command.js';
import { readCodeBlocks } from '../package/code-blocks.js';
import { readWholePage } from '../package/project.js';

const page = readWholePage('docs/command.md');
const lines = readCodeBlocks(page)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ code, line }) =>
    code
      .trim()
      .split('\n')
      .map((text, index) => ({ text, line: line + index })),
  );
// Commands that serve run until they are stopped; packages/cli/test/command.test.ts and packages/cli/test/inspect.test.ts test them. The demo
// and the doctor are in test/e2e/cli.test.ts, and the shop is in test/e2e/play.test.ts. A cluster needs a database: test/services/cli has one.
const isTriedElsewhere = ({ text }: { text: string }): boolean =>
  / (?:serve|inspect|play|demo|doctor|cluster)\b/.test(text);
const isAboutTraces = ({ text }: { text: string }): boolean => text.includes(' trace ');

let command: BuiltCommand;
let home: IsolatedEnvironment;

beforeAll(async () => {
  command = await buildCommand(tmpdir());
  command.link('jiti', '@modelcontextprotocol', '@agentclientprotocol', 'zod');
  home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:9' });
  for (const [, name = '', text = ''] of page.matchAll(/^```ts file=(\S+)\n([\s\S]*?)^```$/gm)) {
    command.write(name, text);
  }
  // What npm would put there.
  const bin = join(command.folder, 'bin');
  mkdirSync(bin);
  const start = `exec "${process.execPath}" "${command.file}" "$@"\n`;
  for (const [name, text] of Object.entries({
    npx: `#!/bin/sh\nshift\n${start}`,
    inboard: `#!/bin/sh\n${start}`,
  })) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
}, 60_000);
afterAll(async () => {
  command.remove();
  await home.remove();
});

function runShell(text: string): Promise<{ code: unknown; output: string }> {
  const { path } = findExecutable({ env: process.env });
  const env = {
    ...home.env,
    PATH: `${join(command.folder, 'bin')}:${process.env['PATH']}`,
    INBOARD_CLI: path,
    // Without a key, the demo plays its script.
    ...(text.includes(' demo') ? { ANTHROPIC_API_KEY: '' } : {}),
    // The prompts of the page are for a real model; here a script answers them.
    ...(text.includes(' run ') && !text.includes('--offline-script')
      ? { INBOARD_OFFLINE_SCRIPT: 'script.ts' }
      : {}),
  };
  return new Promise((resolve) => {
    // `exec`, so that a signal reaches the command and not only the shell.
    const shown = text.startsWith('inboard ') ? `exec ${text}` : text;
    const child = execFile('sh', ['-c', shown], { cwd: command.folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
    // This command serves until it is stopped. Its first line says that it does.
    if (text.includes(' inspect ')) child.stdout?.once('data', () => child.kill('SIGINT'));
  });
}

describe('docs/command.md', () => {
  it('shows every command', () => {
    const names = Object.keys(COMMANDS);
    expect(names.filter((name) => !new RegExp(`^##+ ${name}$`, 'm').test(page))).toEqual([]);
    const isCalled = (name: string): boolean =>
      lines.some(({ text }) => text.includes(`npx inboard ${name}`));
    expect(names.filter((name) => !isCalled(name))).toEqual([]);
  });

  it('names only options that exist', () => {
    const known = new Set(Object.values(COMMANDS).flatMap(({ options }) => Object.keys(options)));
    const named = Array.from(page.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g), ([, name = '']) => name);
    const others = new Set(['help', 'save-dev', 'live', 'import']);
    expect(named.filter((name) => !known.has(name) && !others.has(name))).toEqual([]);
  });

  it('has commands that work', async () => {
    const tried = lines.filter((each) => !isTriedElsewhere(each));
    // A trace is looked at once it is recorded.
    for (const group of [tried.filter((each) => !isAboutTraces(each)), tried.filter(isAboutTraces)]) {
      expect(group.length).toBeGreaterThan(3);
      await Promise.all(
        group.map(async ({ text, line }) => {
          const { code, output } = await runShell(text);
          expect(code, `line ${line}: ${text}\n${output}`).toBe(0);
        }),
      );
    }
  }, 90_000);

  // It comes after the commands of the page, which record a run.
  it.each(Object.entries(COMMANDS))(
    'has beside it what the last example in the help of %s needs to work',
    async (name, { examples }) => {
      const example = examples.at(-1) ?? '';
      expect(example).toMatch(new RegExp(`^inboard ${name}\\b`));
      const { code, output } = await runShell(example);
      expect(code, `${example}\n${output}`).toBe(0);
    },
    60_000,
  );
});
