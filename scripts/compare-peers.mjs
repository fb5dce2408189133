// Tries the cells of docs/comparison.md that a program can try, on the packages themselves: installs them from the lockfile of
// test/peers, in its own folder, and runs each probe in a process of its own. Needs the registry to install, and `npm run build` before.
//   node scripts/compare-peers.mjs              all cells; exits with 1 where one differs
//   node scripts/compare-peers.mjs --peer ai-sdk --row parallel   those of one peer, or of one row
//   node scripts/compare-peers.mjs --install    install only
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installLocked } from './support/install-locked.mjs';

const LIMIT_MS = 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test', 'peers');
const { values } = parseArgs({
  options: { install: { type: 'boolean' }, peer: { type: 'string' }, row: { type: 'string' } },
});

installLocked(folder, ['--omit=optional', '--ignore-scripts']);
if (!values.install) await compare();

async function compare() {
  const { peers, rows } = JSON.parse(readFileSync(join(folder, 'comparison.json'), 'utf8'));
  const counts = { agrees: 0, differs: 0, 'by reading': 0, 'by trial': 0 };
  for (const peer of peers.filter(({ id }) => id === (values.peer ?? id))) {
    console.log(`\n${peer.name} ${peer.version ?? 'of this checkout'}, looked at ${peer.date}`);
    for (const { id, title, cells } of rows.filter((row) => row.id === (values.row ?? row.id))) {
      const cell = cells[peer.id];
      if (cell === undefined) continue;
      const verdict = await judge(peer.id, id, cell);
      counts[verdict.word] += 1;
      console.log(`  ${verdict.word.padEnd(10)}  ${title}: ${cell.value}${verdict.detail}`);
    }
  }
  console.log(
    `\n${Object.entries(counts)
      .map(([word, count]) => `${count} ${word}`)
      .join(', ')}`,
  );
  if (counts.differs > 0) process.exitCode = 1;
}

async function judge(peer, row, cell) {
  if (cell.how !== 'program') return { word: `by ${cell.how}`, detail: ` (${cell.at})` };
  const { found, trouble } = await runProbe(peer, row);
  if (found === cell.value) return { word: 'agrees', detail: '' };
  return { word: 'differs', detail: found === undefined ? `\n${trouble}` : ` (found: ${found})` };
}

/** What a probe found, or what it printed if it found nothing. */
function runProbe(peer, row) {
  const child = spawn(process.execPath, [join(folder, 'run-probe.mjs'), peer, row], {
    // Nothing of an account: a probe that asked for more than its mock would fail. The OpenAI Agents SDK sends traces unless told not to.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, OPENAI_AGENTS_DISABLE_TRACING: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      const line = printed
        .trimEnd()
        .split('\n')
        .find((text) => text.startsWith('{"found":'));
      if (code === 0 && line !== undefined) resolve(JSON.parse(line));
      else resolve({ trouble: `${printed.trimEnd()}\nThe probe ended with ${code ?? signal}.` });
    });
  });
}
