// What the inspector costs the program it looks at, from the build: CPU and heap for streamed messages and for tool calls, while
// it is off, open without a page, with a page that reads, and with one that does not. Each figure is from a process of its own.
//
//     node scripts/measure-inspector.mjs [rounds]
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { answerTool, cpuMsSince } from '../bench/host/gauges.mjs';
import { environmentFor } from '../bench/host/play.mjs';
import { createSdkSession, loadSchemas } from '../bench/host/sdk-session.mjs';
import { createPlace } from '../bench/plan/places.mjs';

const MODES = ['off', 'open, no page', 'a page that reads', 'a page that does not read'];
const WORK = {
  stream: {
    play: { name: 'stream', megabytes: 10, characters: 40 },
    per: 10_000,
    what: '10,000 streamed messages',
  },
  calls: {
    play: { name: 'questions', kind: 'call', warm: 0, measured: 5000 },
    per: 1000,
    what: '1,000 tool calls',
  },
};
const self = fileURLToPath(import.meta.url);
const [role, ...given] = process.argv.slice(2);

if (role === 'measure') process.stdout.write(JSON.stringify(await measureHere(...given)));
else if (role === 'page') await listen(...given);
else await compare(Number(role ?? 3));

async function compare(rounds) {
  for (const [work, { what }] of Object.entries(WORK)) {
    process.stdout.write(
      `\nper ${what}${' '.repeat(34 - what.length)}CPU ms    heap kept MB   heap at most MB\n`,
    );
    for (const mode of MODES) {
      const found = [];
      for (let round = 0; round < rounds; round += 1) {
        const args = ['--expose-gc', self, 'measure', work, mode];
        const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
        found.push(JSON.parse(stdout));
      }
      const middle = (name) => found.map((each) => each[name]).sort((a, b) => a - b)[Math.floor(rounds / 2)];
      const cells = ['cpuMs', 'keptMb', 'mostMb'].map((name) => middle(name).toFixed(1).padStart(14));
      process.stdout.write(`  ${mode.padEnd(30)}${cells.join('')}\n`);
    }
  }
}

async function measureHere(work, mode) {
  const { play, per } = WORK[work];
  const sdk = await import('../dist/entry/index.js');
  const runSession = createSdkSession(sdk, await loadSchemas({ kind: 'words' }));
  const folder = mkdtempSync(join(tmpdir(), 'inboard-measure-'));
  const place = createPlace(folder, true);
  const inspector = mode === 'off' ? undefined : await openInspector();
  const page = mode.startsWith('a page')
    ? await openPage(inspector.url, mode === 'a page that reads')
    : undefined;
  try {
    let count = 0;
    let most = 0;
    globalThis.gc();
    const heap = process.memoryUsage().heapUsed;
    const before = process.cpuUsage();
    await runSession({
      cli: place.cli,
      env: environmentFor(play, place.notes),
      cwd: place.cwd,
      answerTool: (...call) => {
        count += work === 'calls' ? 1 : 0;
        if (count % 200 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
        return answerTool(...call);
      },
      isPartial: work === 'stream',
      onMessage: () => {
        count += work === 'stream' ? 1 : 0;
        if (count % 2000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
      },
    });
    // What was not worked on yet belongs to it.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const cpuMs = (cpuMsSince(before) * per) / count;
    globalThis.gc();
    return {
      cpuMs,
      keptMb: (process.memoryUsage().heapUsed - heap) / 1e6,
      mostMb: (most - heap) / 1e6,
      count,
    };
  } finally {
    page?.kill();
    await inspector?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openInspector() {
  const { inspect } = await import('../dist/entry/inspector.js');
  return await inspect({ port: 0, print: false });
}

/** A page of the first session, in a process of its own: its stream of events, read or left alone. */
async function openPage(link, reads) {
  const child = spawn(process.execPath, [self, 'page', link, String(reads)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

async function listen(link, reads) {
  const { origin, hash } = new URL(link);
  const entered = await fetch(`${origin}/api/enter`, {
    method: 'POST',
    headers: { origin, 'x-inboard': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ key: hash.slice('#key='.length) }),
  });
  const { result } = await entered.json();
  const headers = { 'x-inboard-secret': result.secret };
  const stream = request(`${origin}/api/stream?session=s1&after=0`, { headers }, (response) => {
    if (response.statusCode !== 200) throw new Error(`The stream answers ${response.statusCode}`);
    if (reads === 'true') response.resume();
    console.log('open');
  });
  stream.end();
}
