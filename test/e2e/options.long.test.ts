// What options become for CLI 2.1.33: over all variants of the table, only flags which that CLI knows.
import { describe, expect, it } from 'vitest';
import { planLaunch } from '../../packages/core/src/options/launch/launch-plan.js';
import { readOptionVariants } from '../fixtures/option-variants.js';
import { openWith } from '../../packages/core/test/options/open-real-cli.js';
import { oldCli } from './support/cli.js';

// What these name is not there, which ends the CLI; the flags themselves are tried with other values.
const POINTING_NOWHERE = ['--settings /some/s.json', '--permission-prompt-tool=mcp__x__y'];
const NEEDS_A_SESSION = /^--(?:resume|continue|fork-session|resume-session-at|session-id)\b/;

/** Every argument, with its value, that is planned for 2.1.33 by some variant. */
function collectArguments(): string[][] {
  const { baseline, variants } = readOptionVariants();
  const planned = variants.filter((row) => {
    const column = row['on2.1.33'];
    // What callers pass through themselves is theirs to know.
    return (
      column !== undefined && !(typeof column === 'object' && 'refused' in column) && !row.options.extraArgs
    );
  });
  expect(planned.length).toBeGreaterThan(110);
  const found = new Map<string, string[]>();
  for (const { options, sdkServers } of planned) {
    const { args, files } = planLaunch({ options, version: oldCli.version, hostEnv: {}, sdkServers });
    // Short enough here to stand on the command line, where one flag can be told from another.
    for (const file of files) file.place(file.content);
    for (let index = baseline.argv.length; index < args.length; index += 1) {
      const next = args[index + 1];
      const words =
        next === undefined || next.startsWith('--')
          ? [args[index] ?? '']
          : args.slice(index, (index += 1) + 1);
      found.set(words.join(' '), words);
    }
  }
  for (const words of POINTING_NOWHERE) expect(found.delete(words)).toBe(true);
  return [...found.values()];
}

/** Puts arguments into as few command lines as hold each flag at most once. */
function pack(found: readonly string[][]): string[][][] {
  const lines: Map<string, string[]>[] = [];
  for (const words of found) {
    const name = (words[0] ?? '').replace(/=.*$/s, '');
    let line = lines.find((taken) => !taken.has(name));
    if (!line) lines.push((line = new Map()));
    line.set(name, words);
  }
  return lines.map((line) => [...line.values()]);
}

function toExtraArguments(line: readonly string[][]): Record<string, string | null> {
  return Object.fromEntries(
    line.map(([flag = '', value]) => {
      const [, name = '', joined] = /^--([^=]+)(?:=(.*))?$/s.exec(flag) ?? [];
      // Nothing but loopback is asked, not even in vain.
      return [name, (value ?? joined)?.replaceAll('https://x.test', 'http://127.0.0.1:9') ?? null];
    }),
  );
}

describe('CLI 2.1.33', () => {
  const found = collectArguments();

  it('takes every argument that is planned for it', async () => {
    const lines = pack(found.filter(([flag = '']) => !NEEDS_A_SESSION.test(flag)));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      const opening = await openWith(oldCli, { extraArgs: toExtraArguments(line) });
      expect({ line, ...opening }).toMatchObject({ reply: { subtype: 'success' }, exitCode: 0 });
    }
  });

  it('knows the flags of sessions', async () => {
    const names = found.map(([flag = '']) => flag).filter((flag) => NEEDS_A_SESSION.test(flag));
    expect(names.length).toBeGreaterThan(4);
    for (const line of pack(names.map((flag) => [flag]))) {
      const { stderr } = await openWith(oldCli, { extraArgs: toExtraArguments(line) });
      expect(stderr).not.toMatch(/unknown option|invalid/i);
    }
  });

  it('refuses what is not planned for it, so that the other cases mean something', async () => {
    const opening = await openWith(oldCli, { extraArgs: { effort: 'high' } });
    expect(opening).toMatchObject({ reply: undefined, exitCode: 1 });
    expect(opening.stderr).toContain("unknown option '--effort'");
  });

  it('leaves no copy of settings behind, which it does with those on its command line', async () => {
    const planned = await openWith(oldCli, { settings: { env: { A: 'secret' } } });
    expect(planned).toMatchObject({ reply: { subtype: 'success' }, leftovers: [] });
    const inline = await openWith(oldCli, { extraArgs: { settings: '{"env":{"A":"secret"}}' } });
    expect(inline.leftovers).toHaveLength(1);
  });

  it('takes values far too long for a command line', async () => {
    const long = 'x'.repeat(150 * 1024);
    const { plan, ...opening } = await openWith(oldCli, {
      mcpServers: { far: { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: { 'x-long': long } } },
      settings: { env: { A_LONG_ONE: long } },
      outputFormat: { type: 'json_schema', schema: { type: 'object', description: long } },
      allowedTools: Array.from({ length: 9000 }, (_, index) => `mcp__server__tool_${index}`),
    });
    expect(plan.files).toHaveLength(2);
    expect(opening).toMatchObject({ exitCode: 0, reply: { subtype: 'success' } });
  });
});
