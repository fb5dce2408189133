import { defineConfig } from 'vitest/config';

// Run by scripts/compare-official.mjs, which installs the official package into this folder first.
export default defineConfig({
  test: { include: ['test/official/*.official.ts'], testTimeout: 300_000, fileParallelism: false },
});
