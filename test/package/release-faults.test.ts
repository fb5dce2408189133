// Each rule of a release, with a package that breaks it: a check that cannot fail would let anything through.
import { describe, expect, it } from 'vitest';
import {
  findFileFaults,
  findManifestFaults,
  findMissingAddresses,
  readSection,
} from '../../scripts/support/release/release-faults.mjs';
import { listProjectFiles, readProjectFile } from './project.js';

const manifest = {
  name: 'inboard',
  version: '1.2.3',
  description: 'a package',
  keywords: ['agent'],
  license: 'MIT',
  engines: { node: '>=20.12' },
  exports: { '.': { types: './dist/entry/index.d.ts', default: './dist/entry/index.js' } },
  bin: { inboard: './dist/cli/main.js' },
  files: ['dist'],
};
const changelog = '# Changelog\n\n## Unreleased\n\n## 1.2.3\n\n- One thing.\n\n## 1.2.2\n\n- Another.\n';
const paths = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'dist/entry/index.d.ts',
  'dist/entry/index.js',
  'dist/cli/main.js',
];

function judge(more: readonly (readonly [string, string])[], left: readonly string[] = []): string {
  const files = [...paths.filter((path) => !left.includes(path)).map((path) => [path, ''] as const), ...more];
  return findFileFaults({ files, manifest, places: ['/home/ann/inboard/'] }).join('\n');
}

describe('the manifest and the change log', () => {
  it('pass when nothing is wrong', () => {
    expect(findManifestFaults(manifest, changelog)).toEqual([]);
    expect(findMissingAddresses(manifest)).toEqual(['repository', 'homepage', 'bugs']);
  });

  it('pass for this project, whose lockfile has the same version', () => {
    const own = JSON.parse(readProjectFile('package.json')) as { version: string };
    expect(findManifestFaults(own, readProjectFile('CHANGELOG.md'))).toEqual([]);
    const lock = JSON.parse(readProjectFile('package-lock.json')) as {
      version: string;
      packages: Record<string, { version?: string }>;
    };
    expect([lock.version, lock.packages['']?.version]).toEqual([own.version, own.version]);
  });

  it.each([
    ['"private"', { private: true }, changelog],
    ['no "license"', { license: undefined }, changelog],
    ['"keywords"', { keywords: [] }, changelog],
    ['none that npm takes', { version: '1.2' }, changelog],
    ['no section "## 2.0.0"', { version: '2.0.0' }, changelog],
    ['no entry', {}, changelog.replace('- One thing.', '')],
    ['"## Unreleased"', {}, changelog.replace('## Unreleased', '')],
  ])('fail for %s', (fault, change, text) => {
    expect(findManifestFaults({ ...manifest, ...change }, text).join('\n')).toContain(fault);
  });

  it('reads the section of one release', () => {
    expect(readSection(changelog, '1.2.3')?.trim()).toBe('- One thing.');
    expect(readSection(changelog, '1.2.2')?.trim()).toBe('- Another.');
    expect(readSection(changelog, '1.2')).toBeUndefined();
    expect(readSection('## 1x2x3\n', '1.2.3')).toBeUndefined();
  });
});

describe('the packed files', () => {
  it('pass when nothing is wrong', () => {
    expect(judge([['docs/tools.md', 'Keys look like sk-ant-… and are hidden.']])).toBe('');
  });

  // The rehearsal looks at the tarball itself, long after such a file was added.
  it('are of a kind that may be published, also in the folders that are packed whole', () => {
    const whole = ['docs/operations', 'schema', 'templates'].flatMap((folder) => listProjectFiles(folder));
    expect(whole.length).toBeGreaterThan(20);
    expect(judge(whole.map((path) => [path, '']))).toBe('');
  });

  it.each([
    ['dist/entry/index.js.map', ''],
    ['src/index.ts', ''],
    ['test/a.test.ts', ''],
    ['.env', ''],
    ['docs/decisions/one.md', ''],
    ['templates/agent-ts/.env', ''],
  ])('may not hold %s', (path, text) => {
    expect(judge([[path, text]])).toContain(`${path} is of no kind`);
  });

  it.each([
    ['a key of the Anthropic API', `sk-ant-api03-${'x'.repeat(60)}`],
    ['a token of npm', `npm_${'a'.repeat(36)}`],
    ['a token of GitHub', `ghp_${'a'.repeat(36)}`],
    ['a token of GitHub', `github_pat_${'a'.repeat(82)}`],
    ['a key of Google', `AIza${'a'.repeat(35)}`],
    ['a token of Slack', `xoxb-${'1'.repeat(24)}`],
    ['a key of AWS', `AKIA${'A'.repeat(16)}`],
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${'A'.repeat(64)}`],
    ['this machine', 'see /home/ann/inboard/src/a.ts'],
    ['a source map', 'code\n//# sourceMappingURL=a.js.map'],
  ])('may not name %s', (what, text) => {
    expect(judge([['docs/a.md', text]])).toContain(what);
  });

  it.each(['LICENSE', 'dist/entry/index.d.ts', 'dist/cli/main.js'])('must hold %s', (path) => {
    expect(judge([], [path])).toContain(`${path} is promised and not packed`);
  });
});
