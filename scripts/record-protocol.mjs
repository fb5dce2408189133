// Records what docs/protocol.md and schema/frames.schema.json are made of: scenes on both real CLIs, offline, with a
// scripted model. Writes test/fixtures/protocol/<scene>@<version>.jsonl. Run after `npm run build`:
//   node scripts/record-protocol.mjs [--only <text>]
// Then `node scripts/write-protocol-page.mjs`.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { normalizeRecording } from './support/protocol/normalize-recording.mjs';
import { playScene, root } from './support/protocol/play-scene.mjs';
import { NEWEST, OLDEST } from './support/protocol/recorded-versions.mjs';
import { SCENES } from './support/protocol/scenes.mjs';

const target = join(root, 'test', 'fixtures', 'protocol');
const CLIS = {
  [OLDEST]: { pathToClaudeCodeExecutable: join(root, 'node_modules', `claude-code-${OLDEST}`, 'cli.js') },
  [NEWEST]: {},
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
mkdirSync(target, { recursive: true });
let failed = 0;
for (const [name, scene] of Object.entries(SCENES)) {
  for (const version of scene.on) {
    if (!`${name}@${version}`.includes(values.only ?? '')) continue;
    try {
      const cli = { version, isNew: version !== OLDEST, options: CLIS[version] };
      const played = await playScene(scene, cli, {
        noteLaunch: (pid, home) => noteLaunch(version, pid, home),
      });
      const text = normalizeRecording(played.trace, played.places);
      writeFileSync(join(target, `${name}@${version}.jsonl`), text);
      console.log(
        `${name}@${version}: ${text.split('\n').length - 1} lines, ${Buffer.byteLength(text)} bytes`,
      );
    } catch (error) {
      failed += 1;
      console.log(`${name}@${version}: ${error.stack}`);
    }
  }
}
if (failed === 0 && values.only === undefined) removeOthers();
process.exit(failed === 0 ? 0 : 1);

/** Recordings of CLIs and scenes that are no longer recorded would be read with the others. */
function removeOthers() {
  const isRecorded = (name) => {
    const [scene, version] = name.slice(0, -'.jsonl'.length).split('@');
    return SCENES[scene]?.on.includes(version) ?? false;
  };
  const stale = readdirSync(target).filter((name) => name.endsWith('.jsonl') && !isRecorded(name));
  for (const name of stale) rmSync(join(target, name));
  const file = join(target, 'launches.json');
  const launches = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
  const kept = Object.fromEntries(launches.filter(([version]) => version in CLIS));
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  if (stale.length > 0) console.log(`removed: ${stale.join(', ')}`);
}

/** Writes down how a CLI was started: its arguments, and the variables that the SDK added. Linux only. */
function noteLaunch(version, pid, home) {
  const read = (name) => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0').filter(Boolean);
  const words = read('cmdline');
  const args = words.slice(words.indexOf('--output-format'));
  const isAdded = (line) => !(line.split('=')[0] in home.env) && !line.startsWith('INBOARD_');
  const env = read('environ')
    .filter(isAdded)
    .toSorted((one, other) => (one < other ? -1 : 1));
  const file = join(target, 'launches.json');
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  writeFileSync(file, `${JSON.stringify({ ...known, [version]: { args, env } }, null, 2)}\n`);
}
