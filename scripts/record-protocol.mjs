// Records what docs/protocol.md and schema/frames.schema.json are made of: scenes on both real CLIs, offline, with a
// scripted model. Writes test/fixtures/protocol/<scene>@<version>.jsonl. Run after `npm run build`:
//   node scripts/record-protocol.mjs [--only <text>]
// Then `node scripts/write-protocol-page.mjs`.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { query } from '../dist/doors/index.js';
import { createIsolatedEnvironment, startScriptedModel } from '../dist/doors/testing.js';
import { normalizeRecording } from './support/protocol/normalize-recording.mjs';
import { SCENES } from './support/protocol/scenes.mjs';

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)));
const target = join(root, 'test', 'fixtures', 'protocol');
const CLIS = {
  '2.1.33': { pathToClaudeCodeExecutable: join(root, 'node_modules', 'claude-code-2.1.33', 'cli.js') },
  '2.1.325': {},
};
/** A scene that hangs says so, instead of holding all others. */
const SCENE_LIMIT_MS = 60_000;

const { values } = parseArgs({ options: { only: { type: 'string' } } });
mkdirSync(target, { recursive: true });
let failed = 0;
for (const [name, scene] of Object.entries(SCENES)) {
  for (const version of scene.on) {
    if (!`${name}@${version}`.includes(values.only ?? '')) continue;
    try {
      const text = await play(scene, version);
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
process.exit(failed === 0 ? 0 : 1);

async function play({ script = [], files = {}, act, model: modelOptions }, version) {
  const model = await startScriptedModel({ script, ...modelOptions });
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  const folder = mkdtempSync(join(tmpdir(), 'inboard-record-'));
  const file = join(folder, 'trace.jsonl');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home.cwd, name), content);
  const options = { env: home.env, cwd: home.cwd, trace: { file }, settingSources: [], ...CLIS[version] };
  const stage = {
    version,
    isNew: version !== '2.1.33',
    noteLaunch: (pid) => noteLaunch(version, pid, home),
    root,
    home,
    model,
    options,
    start: (more) => open(options, more),
  };
  let timer;
  const limit = new Promise((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`It took more than ${SCENE_LIMIT_MS / 1000} s.`)),
      SCENE_LIMIT_MS,
    );
  });
  try {
    await Promise.race([act(stage), limit]);
    const places = [
      [home.cwd, '/home/you/project'],
      [home.configDir, '/home/you/.claude'],
      [home.home, '/home/you'],
      [home.env.TMPDIR ?? '/nowhere', '/tmp'],
      [root, '/home/you/inboard'],
    ];
    return normalizeRecording(readFileSync(file, 'utf8'), places);
  } finally {
    clearTimeout(timer);
    await model.close({ verify: false });
    await home.remove();
    rmSync(folder, { recursive: true, force: true });
  }
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

/** A running query that is spoken to turn by turn. */
function open(base, { prompt, ...options }) {
  let mouth;
  const words = prompt ?? new ReadableStream({ start: (controller) => void (mouth = controller) });
  const running = query({ prompt: words, options: { ...base, ...options } });
  const messages = running[Symbol.asyncIterator]();
  const until = async (test) => {
    for (;;) {
      const { value, done } = await messages.next();
      if (done) throw new Error('The CLI ended before what was waited for.');
      if (test(value)) return value;
    }
  };
  return {
    query: running,
    say: (text) => mouth.enqueue(text),
    until,
    /** Says something, and reads until its turn is over. */
    ask(text) {
      mouth.enqueue(text);
      return until(({ type }) => type === 'result');
    },
    /** Ends the input and reads what is left; an error of the last turn belongs to the scene. */
    async end() {
      mouth?.close();
      try {
        for (let next = await messages.next(); !next.done; next = await messages.next());
      } catch {
        // The scene shows how it came to it.
      }
    },
  };
}
