// Folders with a lockfile of their own: installed once, however many scripts ask for one at the same time.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from './project.js';

const SCRIPT = join(PROJECT_ROOT, 'scripts/support/install-locked.mjs');

// The npm of these tests is a shell script.
describe.runIf(process.platform !== 'win32')('a folder with a lockfile of its own', () => {
  let root: string;
  const installs = (): string[] => readFileSync(join(root, 'done'), 'utf8').trim().split('\n');

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'inboard-locked-'));
    writeFileSync(join(root, 'package-lock.json'), '{}');
    // An install that another one begins beside fails, as npm's would.
    writeFileSync(
      join(root, 'npm'),
      '#!/bin/sh\nmkdir busy || exit 9\necho "npm $1" >>done\nsleep 0.3\nmkdir -p node_modules\nrmdir busy\n',
      { mode: 0o755 },
    );
  });

  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  async function install(): Promise<string> {
    const program = `import { installLocked } from ${JSON.stringify(SCRIPT)}; installLocked(${JSON.stringify(root)});`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, PATH: `${root}${delimiter}${process.env['PATH']}`, TMPDIR: root },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const [code] = (await once(child, 'close')) as [number];
    return `${code} ${printed}`.trim();
  }

  it('is installed once by those who come at the same time, and all wait for it', async () => {
    expect(await Promise.all([install(), install(), install()])).toEqual(['0', '0', '0']);
    expect(installs()).toEqual(['npm ci']);
    expect(readdirSync(root).filter((name) => name.startsWith('inboard-install-'))).toEqual([]);
  });

  it('is installed again when its lockfile is another', async () => {
    await install();
    writeFileSync(join(root, 'package-lock.json'), '{ "name": "other" }');
    expect(await install()).toBe('0');
    expect(installs()).toEqual(['npm ci', 'npm ci']);
  });

  it('is installed after one that failed, or was killed in the middle', async () => {
    writeFileSync(join(root, 'busy'), '');
    expect(await install()).toMatch(/^1 .*npm ci/s);
    rmSync(join(root, 'busy'));
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(gone, 'close');
    const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
    writeFileSync(join(root, `inboard-install-${name}`), String(gone.pid));
    expect(await install()).toBe('0');
  });
});
