// How a version is found and installed: what npm says, with an npm of our own that has no registry behind it.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chooseVersions,
  describeUnknown,
  installCli,
  reasonOf,
} from '../../scripts/support/try-cli/install-cli.mjs';
import { TrialError } from '../../scripts/support/try-cli/trial-error.mjs';

const VERSIONS = ['2.1.33', '2.1.323', '2.1.324', '2.1.325'];
const TAGS = { latest: '2.1.325', stable: '2.1.323' };

let folder: string;
let cache: string;
const before = process.env['PATH'];

/** Puts an npm first that answers `view` and "installs" a program that says the given version. */
function beNpm({
  view = JSON.stringify({ versions: VERSIONS, 'dist-tags': TAGS }),
  says = '',
  code = 0,
  stderr = '',
}) {
  // A shell starts faster than Node.
  const quote = (words: string): string => `'${words}'`;
  const program = `#!/bin/sh
printf '%s' ${quote(stderr)} >&2
[ ${code} = 0 ] || exit ${code}
[ "$1" = view ] && { printf '%s' ${quote(view)}; exit 0; }
mkdir -p node_modules/@anthropic-ai/claude-code-linux-x64
printf '#!/bin/sh\\necho "${says}"\\n' > node_modules/@anthropic-ai/claude-code-linux-x64/claude
chmod +x node_modules/@anthropic-ai/claude-code-linux-x64/claude
`;
  writeFileSync(join(folder, 'npm'), program);
  chmodSync(join(folder, 'npm'), 0o755);
}

describe.skipIf(process.platform === 'win32')('a version of the CLI', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'inboard-npm-'));
    cache = join(folder, 'cache');
    process.env['PATH'] = `${folder}${delimiter}${before}`;
  });
  afterEach(() => {
    process.env['PATH'] = before;
    rmSync(folder, { recursive: true, force: true });
  });

  it('is the newest, a tag, or a number, each once', async () => {
    beNpm({});
    expect(await chooseVersions([], { cache })).toEqual(['2.1.325']);
    expect(await chooseVersions(['stable', '2.1.33', '2.1.323'], { cache })).toEqual(['2.1.323', '2.1.33']);
  });

  it('must be published', async () => {
    beNpm({});
    await expect(chooseVersions(['2.1.326'], { cache })).rejects.toThrow(
      'There is no version "2.1.326" of @anthropic-ai/claude-code. Published ones near it: 2.1.33, 2.1.323, 2.1.324, 2.1.325.',
    );
    expect(describeUnknown('newest', VERSIONS, TAGS)).toMatch(
      /Name a version like 2\.1\.325, or a tag: latest, stable\.$/,
    );
  });

  it('is installed once, and needs no registry the second time', async () => {
    beNpm({ says: '2.1.324 (Claude Code)' });
    const path = await installCli('2.1.324', { cache });
    expect(existsSync(path)).toBe(true);
    beNpm({
      code: 1,
      stderr: 'npm error code ECONNREFUSED\nnpm error request to http://127.0.0.1:9/x failed',
    });
    expect(await chooseVersions(['2.1.324'], { cache })).toEqual(['2.1.324']);
    expect(await installCli('2.1.324', { cache })).toBe(path);
    const asking = chooseVersions([], { cache });
    await expect(asking).rejects.toBeInstanceOf(TrialError);
    await expect(asking).rejects.toThrow(
      /could not be asked .*request to http:\/\/127\.0\.0\.1:9\/x failed \(ECONNREFUSED\)\. Versions that are installed can be tried without it: 2\.1\.324\.$/,
    );
  });

  it('leaves nothing behind that is not what it should be', async () => {
    beNpm({ says: 'Segmentation fault' });
    await expect(installCli('2.1.324', { cache })).rejects.toThrow(
      'What was installed as 2.1.324 says "Segmentation fault" to --version. The download may be broken: try again.',
    );
    beNpm({ code: 1, stderr: 'npm error code EINTEGRITY\nnpm error sha512-x integrity checksum failed' });
    await expect(installCli('2.1.324', { cache })).rejects.toThrow(
      'could not be installed: sha512-x integrity checksum failed (EINTEGRITY).',
    );
    expect(existsSync(join(cache, '2.1.324'))).toBe(false);
  });

  it('that was half removed is installed anew', async () => {
    mkdirSync(join(cache, '2.1.324'), { recursive: true });
    writeFileSync(join(cache, '2.1.324', 'installed'), join(cache, 'nowhere'));
    beNpm({ says: '2.1.324' });
    expect(existsSync(await installCli('2.1.324', { cache }))).toBe(true);
  });

  it('stops with the trial', async () => {
    beNpm({});
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(chooseVersions([], { cache, signal })).rejects.toThrow('stopped');
  });
});

it('npm is quoted with the line that says why', () => {
  expect(reasonOf('npm error code E404\nnpm error 404 Not Found\nnpm error A complete log of this run')).toBe(
    '404 Not Found (E404).',
  );
  expect(reasonOf('')).toBe('npm did not say why.');
});
