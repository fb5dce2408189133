// A process that keeps one Vitest alive and runs tests on changed sources when told to. It is a process of its own because a
// mutant may loop for ever: then it is killed with all it started, and another takes its place.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { createKeptPool } from './kept-worker.mjs';
import { addProbes } from './probes.mjs';
import { AREAS, ROOT, listAreaFiles } from './areas.mjs';

const { hasProbes } = JSON.parse(process.argv[2]);

// Path -> what it holds instead of what is on the disk.
const changed = new Map();
if (hasProbes)
  for (const file of Object.keys(AREAS).flatMap(listAreaFiles))
    changed.set(join(ROOT, file), addProbes(file, readFileSync(join(ROOT, file), 'utf8')));

const { pool, renew } = createKeptPool();
const vitest = await createVitest(
  'test',
  {
    config: false,
    root: ROOT,
    watch: false,
    pool,
    isolate: true,
    maxWorkers: 1,
    bail: hasProbes ? 0 : 1,
    cache: false,
    reporters: [{}],
    setupFiles: [
      join(ROOT, 'test/support/restore-worker.ts'),
      ...(hasProbes ? [join(import.meta.dirname, 'probe-setup.mjs')] : []),
    ],
  },
  {
    cacheDir: join(process.env.TMPDIR, 'vite'),
    logLevel: 'silent',
    plugins: [{ name: 'mutation', enforce: 'pre', load: (id) => changed.get(id.split('?')[0]) }],
  },
);
await vitest.standalone();

/** Runs test files (all their tests, or those with these ids) and says what failed. */
async function run(files, testTimeout) {
  vitest.projects[0].config.testTimeout = testTimeout;
  const specifications = files.map(({ file, ids }) =>
    vitest.projects[0].createSpecification(join(ROOT, file), ids ? { testIds: ids } : {}),
  );
  // From an earlier run.
  vitest.state.filesMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  return {
    failures: [
      ...testModules.flatMap(listFailures),
      ...unhandledErrors.map((error) => ({ message: firstLine(error) })),
    ],
    modules: testModules.map((module) => ({
      file: module.relativeModuleId,
      ms: module.diagnostic().duration + module.diagnostic().collectDuration,
      tests: [...module.children.allTests()].map((test) => [test.id, test.diagnostic()?.duration ?? 0]),
    })),
  };
}

// On both sides: what this process has made of the file, and what the worker has got.
function forget(path) {
  vitest.invalidateFile(path);
  vitest.watcher.invalidates.add(path);
}

function listFailures(module) {
  const file = module.relativeModuleId;
  const tests = [...module.children.allTests('failed')].map((test) => ({
    file,
    id: test.id,
    test: test.fullName,
    message: firstLine(test.result().errors[0]),
  }));
  return [...tests, ...module.errors().map((error) => ({ file, message: firstLine(error) }))];
}

function firstLine(error) {
  return String(error?.message ?? error).split('\n')[0];
}

async function answer({ mutant, files, testTimeout, isFresh }) {
  if (isFresh) renew();
  const path = mutant && join(ROOT, mutant.file);
  if (path) {
    changed.set(path, mutant.code);
    forget(path);
  }
  let result = await run(files, testTimeout);
  // Where the first failure ended the run before this, tests beside it may still be going on: that is no verdict on a mutant.
  if (result.failures.some(({ message }) => message.includes('Worker is already running tests'))) {
    renew();
    result = await run(files, testTimeout);
  }
  if (path) {
    changed.delete(path);
    forget(path);
  }
  return result;
}

process.on('message', (question) => {
  answer(question).then(
    (result) => process.send(result),
    (error) => process.send({ error: error.stack }),
  );
});
process.on('disconnect', () => process.exit());
process.send({ isReady: true });
