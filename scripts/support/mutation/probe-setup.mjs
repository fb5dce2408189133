// Runs in each test file of the first run, before it: writes down which test reached which probe.
import { appendFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';

// What loading the file reached, and everything that runs between tests.
const between = new Set();
const byTest = {};
let current = between;

globalThis.mutationReached = (probe) => {
  current.add(probe);
};

beforeEach(({ task }) => {
  // Tests that run at the same time cannot be told apart.
  if (task.concurrent || task.suite?.concurrent) return;
  current = new Set();
  byTest[task.id] = current;
});

afterEach(() => {
  current = between;
});

afterAll(() => {
  const tests = Object.entries(byTest).map(([id, reached]) => [id, [...reached]]);
  const line = { file: expect.getState().testPath, between: [...between], tests };
  appendFileSync(process.env.INBOARD_MUTATION_PROBES, `${JSON.stringify(line)}\n`);
});
