// What `npm run try-cli` makes of vitest's reports and of its own findings, and what it says where nothing can be tried.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCases, sortCases } from '../../scripts/support/try-cli/compare-cases.mjs';
import { summarize, writeMarkdown, writeText } from '../../scripts/support/try-cli/report.mjs';
import { PROJECT_ROOT } from '../package/project.js';

type Status = 'passed' | 'failed' | 'skipped';
const REFUSAL =
  'UnsupportedOptionError: The option "title" needs Claude CLI 2.1.113 or newer, but the CLI found is 2.1.100.';

function run(cases: Record<string, [Status, string?]>, version?: string) {
  const assertionResults = Object.entries(cases).map(([title, [status, message]]) => ({
    title,
    ancestorTitles: [`CLI ${version ?? '2.1.325'}`],
    status,
    failureMessages: message === undefined ? [] : [`\u001B[31m${message}\u001B[39m\n    at somewhere.ts:1`],
  }));
  return readCases(
    { testResults: [{ name: '/p/test/e2e/a.test.ts', assertionResults, message: '' }] },
    { root: '/p', version },
  );
}

describe('cases', () => {
  it('are the same case on every version, without colours and stacks', () => {
    const [known] = run({ talks: ['passed'] });
    const [tried] = run({ talks: ['failed', 'Error: no'], 'left out': ['skipped'] }, '2.1.400');
    expect(tried).toEqual({
      id: 'test/e2e/a.test.ts > CLI * > talks',
      file: 'test/e2e/a.test.ts',
      title: 'talks',
      status: 'failed',
      why: 'Error: no',
    });
    expect(known?.id).toBe(tried?.id);
  });

  it('of a file that cannot be loaded are one failure', () => {
    const report = {
      testResults: [{ name: '/p/test/e2e/a.test.ts', assertionResults: [], message: 'Error: no' }],
    };
    expect(readCases(report, { root: '/p', version: undefined })).toMatchObject([
      { id: 'test/e2e/a.test.ts', status: 'failed', why: 'Error: no' },
    ]);
  });

  it('are sorted by what their failure means', () => {
    const failed: [Status, string] = ['failed', 'Error: other'];
    const names = {
      good: 'passed',
      raced: 'failed',
      old: 'failed',
      refused: 'failed',
      odd: 'failed',
      bad: 'failed',
    } as const;
    const first = run(
      Object.fromEntries(Object.entries(names).map(([name, status]) => [name, [status, 'Error: x']])),
      '2.1.100',
    );
    const again = run(
      { raced: ['passed'], old: failed, refused: ['failed', REFUSAL], odd: failed, bad: failed },
      '2.1.100',
    );
    const asOldest = run({ old: ['passed'], refused: failed, odd: failed, bad: failed }, '2.1.100');
    const known = run({ refused: ['passed'], odd: failed, bad: ['passed'] });
    const sorted = sortCases({ first, again, asOldest, known });
    const titles = Object.fromEntries(
      Object.entries(sorted).map(([kind, cases]) => [kind, cases.map(({ title }) => title)]),
    );
    expect(titles).toEqual({
      passed: ['good'],
      races: ['raced'],
      likeOldest: ['old'],
      refused: ['refused'],
      broken: ['odd'],
      failed: ['bad'],
    });
  });
});

const REPORT = {
  version: '2.1.400',
  known: '2.1.325',
  parts: ['flags', 'behaviours'],
  areas: [
    { area: 'flags in --help', same: 60, added: ['--more'], gone: [], changed: [] },
    { area: 'behaviours', same: 5, added: [], gone: ['a.test.ts > talks'], changed: [] },
  ],
  faults: [{ area: 'behaviours', what: 'a.test.ts > talks', why: 'Error: no\nreally' }],
  notes: ['Scene not played: parked'],
  cases: { passed: 5, races: ['a.test.ts > raced'], likeOldest: [], refused: [] },
};

describe('the report', () => {
  it('is a table, then what is in it, then what it means', () => {
    expect(writeText(REPORT)).toBe(`CLI 2.1.400 against 2.1.325

area             same  added  gone  changed
flags in --help    60      1     0        0
behaviours          5      0     1        0

Faults
  behaviours: a.test.ts > talks
      Error: no
      really

flags in --help: added
  --more

behaviours: gone
  a.test.ts > talks

behaviours: failed first, passed alone
  a.test.ts > raced

Notes
  Scene not played: parked

1 fault with CLI 2.1.400, compared with 2.1.325: behaviours.
`);
  });

  it('is Markdown, too', () => {
    const page = writeMarkdown(REPORT);
    expect(page).toContain('| flags in --help | 60 | 1 | 0 | 0 |');
    expect(page).toContain('- `behaviours: a.test.ts > talks`\n\n  ```text\n  Error: no\n  really\n  ```');
  });

  it('says that all is well only without faults', () => {
    expect(summarize({ ...REPORT, faults: [] })).toMatch(
      /^Inboard works with CLI 2\.1\.400, as far as was tried \(flags, behaviours\)/,
    );
  });
});

describe('the command', () => {
  it.each([
    [['--no-such-option'], "Unknown option '--no-such-option'"],
    [
      ['--only', 'flags,colours'],
      '--only does not know "colours". The parts are flags, session, frames, behaviours.',
    ],
  ])('refuses %j with exit code 2', (args, message) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(PROJECT_ROOT, 'scripts', 'try-cli.mjs'), ...args],
      {
        encoding: 'utf8',
      },
    );
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  it('explains itself within 90 columns', () => {
    const script = join(PROJECT_ROOT, 'scripts', 'try-cli.mjs');
    const { status, stdout } = spawnSync(process.execPath, [script, '--help'], { encoding: 'utf8' });
    expect(status).toBe(0);
    for (const option of ['--only', '--json', '--write', '--remove'])
      expect(stdout).toContain(`  ${option} `);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(90);
  });
});
