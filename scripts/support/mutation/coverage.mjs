// Which tests a mutant is tried on, nearest first: those that reach its statement, as seen in a run with probes.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TestHost } from './hosts.mjs';
import { ROOT } from './areas.mjs';

/**
 * Runs test files once on sources with probes, and returns which of their tests reached what. Those that are in `known` and
 * reach nothing that has changed since are not run again.
 */
export async function readCoverage(files, known = []) {
  const still = new Map(known.filter(isStillTrue).map((entry) => [entry.file, entry]));
  const probes = join(process.env.TMPDIR, 'probes.ndjson');
  const host = new TestHost({ hasProbes: true }, { INBOARD_MUTATION_PROBES: probes });
  const coverage = [];
  for (const file of files) {
    let entry = still.get(file) ?? (await mapFile(host, { file, probes, isFresh: false }));
    // What files before it left behind may have been in its way.
    if (entry.failed.length > 0)
      entry = { ...(await mapFile(host, { file, probes, isFresh: true })), isApart: true };
    coverage.push(entry);
    if (coverage.length % 20 === 0) console.log(`Mapped ${coverage.length} of ${files.length} test files.`);
    if (entry.failed.length > 0)
      console.log(`Without a mutant, ${entry.failed.length} tests of ${file} fail here.`);
  }
  await host.stop();
  return coverage;
}

async function mapFile(host, { file, probes, isFresh }) {
  rmSync(probes, { force: true });
  const {
    failures = [],
    modules,
    timeout,
  } = await host.ask({ files: [{ file }], testTimeout: 60_000, isFresh }, 5 * 60_000);
  const entry = { file, ms: 0, between: [], tests: [], failed: [], hashes: {} };
  // One whose tests cannot run here is of no use.
  if (timeout || !modules || !existsSync(probes)) return { ...entry, failed: [''] };
  const durations = new Map(modules[0].tests);
  const seen = JSON.parse(readFileSync(probes, 'utf8').trim().split('\n')[0]);
  const reached = new Set([...seen.between, ...seen.tests.flatMap(([, places]) => places)]);
  const sources = new Set([...reached].map((probe) => probe.slice(0, probe.lastIndexOf(':'))));
  return {
    ...entry,
    ms: modules[0].ms,
    between: seen.between,
    tests: seen.tests.map(([id, places]) => ({ id, places, ms: durations.get(id) })),
    failed: failures.map(({ id }) => id ?? ''),
    hashes: Object.fromEntries([file, ...sources].map((path) => [path, hashFile(path)])),
  };
}

/** The test files that reach a mutant; without `ids` all their tests count, and with `isApart` they need a fresh process. */
export function selectTests(coverage, { file, probe }) {
  const key = `${file}:${probe}`;
  const found = [];
  for (const entry of coverage) {
    if (entry.failed.includes('')) continue;
    const isBetween = entry.between.includes(key);
    const tests = entry.tests.filter(
      ({ id, places }) => (isBetween || places.includes(key)) && !entry.failed.includes(id),
    );
    const isAll = isBetween && entry.failed.length === 0;
    if (tests.length === 0 && !isAll) continue;
    found.push({
      file: entry.file,
      isApart: entry.isApart,
      ids: isAll ? undefined : tests.map(({ id }) => id),
      ms: isAll ? entry.ms : tests.reduce((sum, { ms }) => sum + ms, 0),
      slowestMs: Math.max(0, ...tests.map(({ ms }) => ms)),
    });
  }
  found.sort((a, b) => closeness(b.file, file) - closeness(a.file, file) || a.ms - b.ms);
  return found;
}

// A test lies where its source does, and is often called the same.
function closeness(test, source) {
  const [testParts, sourceParts] = [test.split('/').slice(1), source.split('/').slice(1)];
  const name = sourceParts.at(-1).replace(/\.ts$/, '');
  let shared = 0;
  while (shared < sourceParts.length - 1 && testParts[shared] === sourceParts[shared]) shared++;
  return shared + (testParts.at(-1).startsWith(`${name}.`) ? 100 : 0);
}

function isStillTrue({ hashes, file }) {
  return (
    hashes[file] !== undefined && Object.entries(hashes).every(([path, hash]) => hashFile(path) === hash)
  );
}

function hashFile(path) {
  const full = join(ROOT, path);
  return existsSync(full) ? createHash('sha256').update(readFileSync(full)).digest('hex') : '';
}
