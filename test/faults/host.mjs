// A host process of the matrix: plays the cells of one batch side by side, then looks at itself. What cells leave behind in
// the process (listeners, handles, files, unhandled errors) belongs to the batch; the runner finds out to which cell.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playCell } from './play.mjs';
import { giveTime, isRunning } from './processes.mjs';
import { STATES } from './table.mjs';

const [entryPoints, folder] = process.argv.slice(2);
const sdk = await import(entryPoints);
const troubles = [];
const note = (kind) => (trouble) => troubles.push(`${kind}: ${trouble?.stack ?? String(trouble)}`);
/** Cells on their way to their step; those that wait there cost nothing, so that many can. */
const AT_ONCE = 6;
/** What starting a program takes where nothing else runs. */
const QUIET_START_MS = 80;
/** Long enough on any machine; what is left is left for good. */
const PATIENCE_MS = 15_000;
let onTheWay = 0;
const queue = [];
let batches = 0;
/** How much slower than a machine of its own this one is: all limits are longer by that. */
let slowness = 1;

process.on('unhandledRejection', note('unhandled rejection'));
process.on('uncaughtException', note('uncaught exception'));
process.on('warning', (warning) => {
  // Warnings with a code are what the SDK means to say; one without is Node's own, as of a leak.
  if (!String(warning.code ?? '').startsWith('INBOARD_')) note('process warning')(warning);
});

process.on('message', (batch) => void playBatch(batch));

async function playBatch({ cells, limits }) {
  batches += 1;
  const place = join(folder, `batch-${batches}`);
  mkdirSync(place);
  slowness = await measureSlowness();
  const records = await Promise.all(
    cells.map((cell, at) => playAndLook(cell, join(place, String(at)), limits[at])),
  );
  const leftovers = await findLeftovers();
  process.send({ type: 'batch', records, troubles: [...troubles.splice(0), ...leftovers] });
}

// Everything that is loaded on first use, and the guardian, is there before anything is compared.
mkdirSync(join(folder, 'warm-up'));
await Promise.all(STATES.map((state) => warmUp(state)));
await giveTime(() => takeStock().handles.Timeout === undefined, 2000);
const ordinary = takeStock();
process.send({ type: 'ready' });

async function measureSlowness() {
  const begun = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return Math.min(8, Math.max(1, (performance.now() - begun) / QUIET_START_MS));
}

async function warmUp(state) {
  const cell = { name: `warm-up/${state}`, step: 'none', fault: 'silence', state, action: 'none' };
  await playCell(cell, { sdk, folder: join(folder, 'warm-up', state), limitMs: 30_000 });
}

async function playAndLook(cell, place, limitMs) {
  const arrive = await depart();
  const record = await playCell(cell, {
    sdk,
    folder: place,
    limitMs: limitMs * slowness,
    slowness,
    onReached: arrive,
  });
  arrive();
  return { ...record, orphans: record.isHung ? [] : await findOrphans(place) };
}

/** Waits for its turn; gives what to call, once or more often, when the step is reached. */
async function depart() {
  if (onTheWay >= AT_ONCE) await new Promise((resolve) => queue.push(resolve));
  onTheWay += 1;
  let isOnTheWay = true;
  return () => {
    if (!isOnTheWay) return;
    isOnTheWay = false;
    onTheWay -= 1;
    queue.shift()?.();
  };
}

/** What of the processes of a cell still runs. What a child left behind is ended after it, so it gets a moment. */
async function findOrphans(place) {
  const pids = ['.', 'neighbour'].flatMap((name) => readPids(join(place, name, 'pids')));
  await giveTime(() => !pids.some(isRunning), PATIENCE_MS);
  return pids.filter(isRunning);
}

function readPids(file) {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').map(Number);
  } catch {
    // It never got so far, or there is none.
    return [];
  }
}

/** What a process has that a cell could leave behind. */
function takeStock() {
  const listeners = process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
  const handles = process.getActiveResourcesInfo();
  const counts = {};
  for (const handle of handles) counts[handle] = (counts[handle] ?? 0) + 1;
  return { listeners: Object.fromEntries(listeners), handles: counts, files: readdirSync(tmpdir()) };
}

async function findLeftovers() {
  // Pipes are closed, and unhandled errors told, a few turns of the event loop later.
  await giveTime(() => compareStock().length === 0, PATIENCE_MS);
  return compareStock();
}

function compareStock() {
  const now = takeStock();
  const more = (kind, before, after) =>
    Object.entries(after)
      .filter(([name, count]) => count > (before[name] ?? 0))
      .map(([name, count]) => `${kind} left: ${name}, ${count} instead of ${before[name] ?? 0}`);
  return [
    ...more('listeners', ordinary.listeners, now.listeners),
    ...more('handles', ordinary.handles, now.handles),
    ...now.files.filter((name) => !ordinary.files.includes(name)).map((name) => `file left: ${name}`),
  ];
}
