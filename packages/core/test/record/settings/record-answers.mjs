// Records what the official `resolveSettings` and `filterEscalatingDefaultMode` answer to the cases beside this file:
//   node packages/core/test/record/settings/record-answers.mjs <path of the official package's main module>
// The cases with policy files write to the system's policy folder, so run it where that folder is not in use, such as
// in a container or, on Linux, under `unshare -m` with another folder mounted over /etc.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const POLICY_FOLDER = '/etc/claude-code';
const here = dirname(fileURLToPath(import.meta.url));
const [, self, official, child] = process.argv;

if (child === undefined) {
  const answers = {};
  for (const { name, files = {}, policy = {}, options = {} } of readJson('cases.json')) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'settings-')));
    for (const folder of ['home', 'config', 'work']) mkdirSync(join(root, folder));
    rmSync(POLICY_FOLDER, { recursive: true, force: true });
    for (const [path, content] of Object.entries(files)) write(join(root, path), content);
    for (const [path, content] of Object.entries(policy)) write(join(POLICY_FOLDER, path), content);
    const env = {
      PATH: process.env.PATH,
      HOME: join(root, 'home'),
      CLAUDE_CONFIG_DIR: join(root, 'config'),
    };
    const given = JSON.stringify(options).replaceAll('ROOT', root);
    const output = execFileSync(process.execPath, [self, official, given], { env, cwd: join(root, 'work') });
    answers[name] = JSON.parse(String(output).replaceAll(root, 'ROOT'));
    rmSync(root, { recursive: true });
  }
  rmSync(POLICY_FOLDER, { recursive: true, force: true });
  writeFileSync(join(here, 'official-answers.json'), `${JSON.stringify(answers, null, 2)}\n`);
} else {
  const { resolveSettings, filterEscalatingDefaultMode } = await import(pathToFileURL(official).href);
  const resolved = await resolveSettings(JSON.parse(child));
  console.log(JSON.stringify({ resolved, filtered: filterEscalatingDefaultMode(resolved) }));
}

function readJson(name) {
  return JSON.parse(readFileSync(join(here, name), 'utf8'));
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}
