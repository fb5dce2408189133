import { defineConfig } from 'vitest/config';

// Run by scripts/compare-official.mjs, which installs the official package into this folder first. Half of the time goes into one file
// that computes alone, and half into files that wait for processes: a second worker is worth it on two cores.
export default defineConfig({
  test: { include: ['test/official/*.official.ts'], testTimeout: 300_000, maxWorkers: 2 },
});
