// docs/hosts.md says how each host was tested; what it names is what the scripts run, in the versions that are pinned.
import { describe, expect, it } from 'vitest';
import { readProjectFile } from './project.js';

const page = readProjectFile('docs/hosts.md');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| host '));

/** The words of a host's name by which the page must speak of it. */
const SPOKEN_OF: Readonly<Record<string, RegExp>> = {
  'CommonJS bundle, the CLI installed beside it': /^\| \[esbuild\].*CommonJS.*run-hosts/,
  'Node single-file executable': /^\| \[Node single-file executable\].*\| yes \|.*run-hosts/,
  'Bun single-file executable': /^\| \[Bun single-file executable\].*\| yes \|.*run-hosts/,
  'main process of a packaged Electron app (stand-in)': /^\| \[Electron\].*\| not run \|.*stand-in/,
  'worker thread, one terminated in a tool': /^\| \[worker threads\].*\| yes \|.*run-hosts/,
  'cluster of two workers': /^\| \[PM2, `node:cluster`\].*\| yes \|.*run-hosts/,
  'first process of a container (PID 1)': /^\| \[containers\].*\| yes \|.*run-hosts/,
  'serverless sandbox, frozen between two calls': /^\| \[AWS Lambda.*\| not run \|.*run-hosts/,
};

describe('docs/hosts.md', () => {
  it('speaks of every host that is run, and of no other as if it were', () => {
    const names = [...readProjectFile('test/hosts/hosts.mjs').matchAll(/\bname: '([^']+)'/g)].map(
      ([, name]) => name,
    );
    expect(new Set(names)).toEqual(new Set(Object.keys(SPOKEN_OF)));
    for (const pattern of Object.values(SPOKEN_OF))
      expect(rows.filter((row) => pattern.test(row))).toHaveLength(1);
    expect(rows.filter((row) => row.includes('run-hosts'))).toHaveLength(names.length);
  });

  it('names the versions that are pinned', () => {
    const { devDependencies } = JSON.parse(readProjectFile('test/bundlers/package.json')) as {
      devDependencies: Record<string, string>;
    };
    for (const name of ['esbuild', 'webpack', 'Next']) {
      const [major, minor] = devDependencies[name.toLowerCase()]?.split('.') ?? [];
      expect(page).toContain(`${name} ${major}.${minor}`);
    }
    const runtimes = readProjectFile('test/matrix/package.json');
    const [, bun] = /"@oven\/bun-linux-x64": "(.+)"/.exec(runtimes) ?? [];
    expect(page).toContain(`**Bun** (tested with ${bun})`);
  });

  it('shows the commands that the tests run', () => {
    const hosts = readProjectFile('test/hosts/hosts.mjs');
    const [, fuse = 'no fuse'] = /SEA_FUSE = '(\w+)'/.exec(hosts) ?? [];
    expect(page).toContain(`--sentinel-fuse ${fuse}`);
    for (const word of ['--experimental-sea-config', 'NODE_SEA_BLOB', '--compile']) {
      expect(page).toContain(word);
      expect(hosts).toContain(word);
    }
  });
});
