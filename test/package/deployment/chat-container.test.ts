// The container file of the template `chat` fits the project: it copies what the server needs, installs no tools of the page, and has
// a Node that runs the server. Its steps are not taken here, because they need a newer Node than this machine may have.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readDockerfile } from '../../services/deployment/dockerfile.js';
import { PROJECT_ROOT } from '../project.js';

const TEMPLATE = join(PROJECT_ROOT, 'templates', 'chat');
const read = (path: string): string => readFileSync(join(TEMPLATE, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  engines: { node: string };
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
};
const stages = readDockerfile(read('Dockerfile'));
const image = stages.at(-1);
const copied = (image?.steps ?? []).flatMap((step) =>
  step.kind === 'COPY' && !step.from ? step.sources : [],
);
const code = readdirSync(join(TEMPLATE, 'src')).map((file) => read(join('src', file)));

describe('the container of the template "chat"', () => {
  it('has a Node that is new enough, in every stage', () => {
    const least = Number(/^>=(\d+)/.exec(manifest.engines.node)?.[1]);
    expect(stages.map(({ base }) => Number(/^node:(\d+)-slim$/.exec(base)?.[1]) >= least)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('copies only what is there, and what .dockerignore lets through', () => {
    const sent = read('dockerignore').split('\n');
    expect(sent[0]).toBe('*');
    for (const step of stages.flatMap(({ steps }) => steps)) {
      if (step.kind !== 'COPY' || step.from !== undefined) continue;
      for (const source of step.sources) {
        expect(sent).toContain(`!${source}`);
        // npm makes it.
        if (source !== 'package-lock.json') expect(existsSync(join(TEMPLATE, source)), source).toBe(true);
      }
    }
  });

  it('has what the server imports and sends, and no tools of the page', () => {
    const names = code.flatMap((text) =>
      [...text.matchAll(/ from '([^'.][^']*)'/g)].map(([, name = '']) => name),
    );
    const packages = new Set(
      names.filter((name) => !name.startsWith('node:')).map((name) => name.split('/')[0]),
    );
    for (const name of packages) expect(Object.keys(manifest.dependencies)).toContain(name);
    const files = code.flatMap((text) => [...text.matchAll(/file: '([^']+)'/g)].map(([, file = '']) => file));
    expect(files).toHaveLength(3);
    for (const file of files) expect([...copied, 'dist']).toContain(file.split('/')[0]);
    const installs = stages.map(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'RUN' ? step.command : [])),
    );
    expect(installs.map((commands) => commands[0])).toEqual([
      'npm ci',
      'npm ci --omit=dev',
      expect.stringContaining('tini'),
    ]);
    expect(image?.steps).toContainEqual(expect.objectContaining({ from: 'modules' }));
  });

  it('starts the server as a user without rights, and its home is where the volume is', () => {
    expect(image?.user).toBe('1000:1000');
    expect([image?.entrypoint, image?.command]).toEqual([
      ['tini', '--'],
      ['node', 'src/main.ts'],
    ]);
    expect(manifest.scripts['start']).toContain('node src/main.ts');
    const { HOST, PORT, HOME, INBOARD_SOLE_CONTAINER: sole } = image?.env ?? {};
    expect([HOST, PORT, HOME, sole]).toEqual(['0.0.0.0', String(image?.ports[0]), '/home/node', '1']);
    expect(read('README.md')).toContain(`-v chats:${HOME} -p ${PORT}:${PORT}`);
    for (const name of ['HOST', 'PORT']) expect(code.join('\n')).toContain(`process.env['${name}']`);
  });
});

describe('the check of Node in the template "chat"', () => {
  it.each([
    ['>=1.2', 0, ''],
    ['>=99.1', 1, `This project needs Node 99.1 or newer. This is Node ${process.versions.node}.\n`],
  ])('compares %s with the Node that runs it', (node, status, stderr) => {
    const folder = mkdtempSync(join(tmpdir(), 'inboard-node-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(join(TEMPLATE, 'check-node.js'), join(folder, 'check-node.js'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', engines: { node } }));
    const ran = spawnSync(process.execPath, ['check-node.js'], { cwd: folder, encoding: 'utf8' });
    expect([ran.status, ran.stderr]).toEqual([status, stderr]);
    for (const script of ['test', 'start'])
      expect(manifest.scripts[script]).toMatch(/^node check-node\.js && /);
  });
});
