// docs/getting-started.md in TypeScript: its files compile, and its commands do what it says. In JavaScript, and with nothing
// but the packed package, scripts/check-tarball.mjs walks it.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSteps, walk, type Step } from '../../scripts/support/walk-page.mjs';
import {
  createIsolatedEnvironment,
  startScriptedModel,
  text,
  toolUse,
} from '../../packages/inboard/src/testing.js';
import { buildPackage, compileTypeScript, type BuiltPackage } from '../package/built-package.js';
import { PROJECT_ROOT, readProjectFile } from '../package/project.js';

const page = readProjectFile('docs/getting-started.md');
const steps = readSteps(page);
// The last file of a name counts, as for a reader who follows the page.
const files = new Map(
  steps.flatMap(({ kind, name = '', code = '' }) =>
    kind === 'file' ? [[name.replace(/\.js$/, '.ts'), code] as const] : [],
  ),
);
const isForTypeScript = ({ command = '' }: Step): boolean => /^(?!npm ).*\.ts\b/.test(command);

let built: BuiltPackage;
beforeAll(async () => {
  built = await buildPackage();
  writeFileSync(join(built.folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  for (const [name, code] of files) writeFileSync(join(built.folder, name), code);
});
afterAll(() => built.remove());

describe('docs/getting-started.md in TypeScript', () => {
  it('has the files it needs', () => {
    expect([...files.keys()].toSorted()).toEqual(['agent.test.ts', 'agent.ts', 'main.ts', 'tools.ts']);
    expect(files.get('agent.ts')).toContain('question: string');
  });

  it('compiles', async () => {
    const [, config = ''] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const project = join(built.folder, 'project');
    mkdirSync(project);
    for (const [name, code] of files) writeFileSync(join(project, name), code);
    writeFileSync(join(project, 'tsconfig.json'), config);
    await compileTypeScript(['-p', project]);
    // The files are really looked at.
    writeFileSync(join(project, 'wrong.ts'), "import { ask } from './agent.js';\nawait ask(5);\n");
    await expect(compileTypeScript(['-p', project])).rejects.toThrow(/wrong\.ts.*TS2345/);
  });

  it('runs', async () => {
    // What npm would put there.
    const bin = join(built.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n');
    chmodSync(join(bin, 'npx'), 0o755);
    const model = await startScriptedModel([
      toolUse('mcp__shop__count', { article: 'apples' }),
      text('There are 7 apples in stock.'),
    ]);
    const home = await createIsolatedEnvironment({ baseUrl: model.url });
    const path = [bin, join(PROJECT_ROOT, 'node_modules', '.bin'), process.env['PATH']].join(':');
    try {
      expect(steps.filter(isForTypeScript)).toHaveLength(2);
      await walk(steps, { folder: built.folder, env: { ...home.env, PATH: path }, choose: isForTypeScript });
      expect(model.conversation).toHaveLength(2);
    } finally {
      await model.close();
      await home.remove();
    }
  });
});
