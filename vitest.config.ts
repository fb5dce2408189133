import { defineConfig } from 'vitest/config';

// A test that hangs is ended; one on a machine that has no time for it just now is not.
const HANGING_MS = 60_000;

// These look at what a process does first, or once: its first CLI, the first id it makes up, a warning that is not repeated.
const APART = [
  'packages/core/test/wire/process/**/*.test.ts',
  'packages/core/test/answer/schema/lazy-loading.test.ts',
  'packages/core/test/record/trace/replay.test.ts',
  'packages/core/test/flows/callback-faults.test.ts',
  'packages/core/test/flows/waiting/many-waiting.test.ts',
  'packages/cluster/test/conversation.test.ts',
  'packages/cluster/test/dispatch/memory-dispatcher.test.ts',
  // It replaces a module that other tests have loaded.
  'packages/engines/test/temporal/turn-activities.test.ts',
  'packages/remote/test/serve.test.ts',
];

// These build the whole package first, which takes longer than most folders of tests. test/package/test-projects.test.ts finds them.
const BUILT = [
  'packages/cli/test/command.test.ts',
  'packages/cli/test/inspect.test.ts',
  'packages/inboard/test/public-names.test.ts',
  'test/package/lazy-parts.test.ts',
  'test/package/readme.test.ts',
];

// What is polled for comes, or the test is wrong: a second is not enough for that where a machine is busy.
const PATIENT = { poll: { timeout: 15_000 } };

// Several real CLIs start side by side there, and each needs a processor for seconds. `waitUntil` reads it.
const FOR_REAL_CLIS = { TEST_PATIENCE_MS: '60000' };

// What a test finds out about a CLI must not be found again by another run, or by a program of this user.
process.env['INBOARD_CACHE'] = 'off';

// Where scripts/run-tests.mjs wants to know what failed. A run of tests inside of a test is not meant.
const reportPath = process.env['INBOARD_TEST_REPORT'];
delete process.env['INBOARD_TEST_REPORT'];

// Unit tests start no real CLI and wait for timers a third of the time: a third worker fills that on two cores. What is said on the
// command line counts.
const UNIT_WORKERS = process.argv.some((word) => word.startsWith('--maxWorkers')) ? {} : { maxWorkers: 3 };

// Ten projects: `unit` needs no CLI, `apart` are those of its kind that must begin in a fresh process, `built` are those of its
// kind that build the package, `e2e` drives the real
// CLI for seconds, `long` is the full set on both CLI versions, `docs` runs the code on the pages of docs, `browser` opens
// pages in a real browser, `examples` opens those of the examples (scripts/run-examples.mjs installs them first), `site`
// opens the documentation site (scripts/build-site.mjs builds it first), `services` needs PostgreSQL and Redis, which it starts.
export default defineConfig({
  test: {
    // Most of the time goes into waiting for processes, so a second worker is worth it on two cores.
    maxWorkers: 2,
    reporters: [
      'default',
      ...(reportPath === undefined
        ? []
        : [['./test/support/report-failures.ts', { path: reportPath }] as [string, { path: string }]]),
    ],
    projects: [
      {
        test: {
          name: 'unit',
          ...UNIT_WORKERS,
          // After the projects that have two workers, in which real CLIs run.
          sequence: { groupOrder: 1 },
          expect: PATIENT,
          include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [
            'test/e2e/**',
            'test/docs/**',
            'test/browser/**',
            'test/examples/**',
            'test/front-ends/**',
            'test/services/**',
            'test/site/built/**',
            ...APART,
            ...BUILT,
            '**/node_modules/**',
          ],
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          // Loading the sources once per worker instead of once per file halves the time of the whole.
          isolate: false,
          setupFiles: ['test/support/restore-worker.ts', 'test/support/fix-seed.ts'],
        },
      },
      {
        test: {
          name: 'apart',
          expect: PATIENT,
          include: APART,
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          setupFiles: ['test/support/fix-seed.ts'],
        },
      },
      {
        test: {
          name: 'built',
          expect: PATIENT,
          include: BUILT,
          testTimeout: HANGING_MS,
          hookTimeout: HANGING_MS,
          isolate: false,
          setupFiles: ['test/support/restore-worker.ts', 'test/support/fix-seed.ts'],
        },
      },
      {
        test: {
          name: 'e2e',
          env: FOR_REAL_CLIS,
          expect: PATIENT,
          include: ['test/e2e/**/*.test.ts'],
          exclude: ['test/e2e/**/*.long.test.ts'],
          testTimeout: 90_000,
          hookTimeout: 90_000,
          isolate: false,
          setupFiles: ['test/support/restore-worker.ts'],
        },
      },
      {
        test: {
          name: 'long',
          env: FOR_REAL_CLIS,
          expect: PATIENT,
          include: ['test/e2e/**/*.long.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'docs',
          expect: PATIENT,
          include: ['test/docs/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'browser',
          expect: PATIENT,
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'examples',
          expect: PATIENT,
          include: ['test/examples/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'site',
          expect: PATIENT,
          include: ['test/site/built/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'services',
          expect: PATIENT,
          // Trials need what few machines have: PgBouncer, a disk that fills up.
          include: [
            process.env['INBOARD_TRIALS'] ? 'test/services/**/*.trial.ts' : 'test/services/**/*.test.ts',
          ],
          globalSetup: ['test/services/support/start-services.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
