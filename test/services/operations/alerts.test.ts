// The alert rules that are published, run by Prometheus' own program: it reads them, and each fires on its trouble and on nothing
// beside it (test/operations/alerts.promtool.yml).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readProjectFile } from '../../package/project.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RULES = 'docs/operations/alerts.yml';
const TRIALS = 'test/operations/alerts.promtool.yml';

function promtool(...args: readonly string[]): { status: number | null; text: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { cwd: ROOT, encoding: 'utf8' });
  if (error) return { status: null, text: error.message };
  return { status, text: `${stdout}${stderr}` };
}

const isThere = promtool('--version').status === 0;
if (!isThere) console.warn('No promtool (Debian: prometheus): the alert rules are not tried.');

it('has promtool where it can be installed', () => {
  expect(isThere || process.env['INBOARD_REQUIRE_PROMTOOL'] === undefined).toBe(true);
});

describe.runIf(isThere)('the alert rules', () => {
  it('are rules that Prometheus takes', () => {
    const { status, text } = promtool('check', 'rules', RULES);
    const count = readProjectFile(RULES).match(/^ +- alert: /gm)?.length;
    expect({ status, text }).toEqual({
      status: 0,
      text: expect.stringContaining(`${count} rules found`) as string,
    });
  });

  it('fire on their trouble, and not on something beside it', () => {
    const { status, text } = promtool('test', 'rules', TRIALS);
    expect({ status, text }).toEqual({ status: 0, text: expect.stringContaining('SUCCESS') as string });
  });
});
