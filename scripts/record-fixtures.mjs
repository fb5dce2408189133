// Records the sessions that the inspector's tests and pictures are made from: the real CLI, offline, with a scripted model. The
// folders of the machine are replaced, and ids that are new each time are left as they came. Run after `npm run build`:
// `node scripts/record-fixtures.mjs [name …]`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { query } from '../dist/entry/index.js';
import { createIsolatedEnvironment, startScriptedModel } from '../dist/entry/testing.js';
import { PLAYS } from './support/fixture-plays.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'test', 'fixtures', 'inspector');
const OLD_CLI = join(root, 'node_modules', 'claude-code-2.1.33', 'cli.js');

/** Prompts that are said one after the other, each when the turn before is over. */
function openMouth() {
  let mouth;
  const prompt = new ReadableStream({ start: (controller) => void (mouth = controller) });
  return { prompt, say: (words) => mouth.enqueue(words), end: () => mouth.close() };
}

/** Plays one session to its end and gives its lines, without the folders of this machine. */
async function record({
  script,
  conversations,
  prompts,
  options,
  files = {},
  isOld,
  during,
  resultsOfFirst = 1,
}) {
  const model = await startScriptedModel({ script, conversations });
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  const folder = mkdtempSync(join(tmpdir(), 'inboard-record-'));
  const file = join(folder, 'trace.jsonl');
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(home.cwd, name), content);
    const { prompt, say, end } = openMouth();
    const running = query({
      prompt,
      options: {
        env: home.env,
        cwd: home.cwd,
        trace: { file },
        ...(isOld && { pathToClaudeCodeExecutable: OLD_CLI }),
        ...options,
      },
    });
    const waiting = [...prompts];
    let expected = resultsOfFirst;
    say(waiting.shift());
    for await (const message of running) {
      await during?.(message, running);
      if (message.type !== 'result' || --expected > 0) continue;
      expected = 1;
      const next = waiting.shift();
      if (next === undefined) end();
      else say(next);
    }
    model.verify();
  } finally {
    await model.close({ verify: false });
  }
  const places = [
    [home.cwd, '/home/you/project'],
    [home.configDir, '/home/you/.claude'],
    [home.home, '/home/you'],
    [home.env.TMPDIR ?? '/nowhere', '/tmp'],
    [root.replace(/\/$/, ''), '/home/you/inboard'],
  ];
  let lines = readFileSync(file, 'utf8');
  for (const [from, to] of places)
    lines = lines.replaceAll(from, to).replaceAll(from.replaceAll(/[^A-Za-z0-9]/g, '-'), '-home-you-project');
  rmSync(folder, { recursive: true });
  await home.remove();
  return lines;
}

mkdirSync(target, { recursive: true });
const wanted = process.argv.slice(2);
for (const [name, play] of Object.entries(PLAYS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(name);
  const lines = await record(play());
  writeFileSync(join(target, `${name}.jsonl`), lines);
  console.log(`  ${lines.split('\n').length - 1} lines, ${Buffer.byteLength(lines)} bytes`);
}
