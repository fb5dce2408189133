// Runs in every file of the unit tests: files share a worker, and none may leave its clock, its mocks, its environment or its
// folder to the next one.
import { afterAll, vi } from 'vitest';

const environment = { ...process.env };
const folder = process.cwd();
const clock = {
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  clearImmediate,
  Date,
  performance,
};

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  // A spy on a virtual clock would bring that clock back.
  Object.assign(globalThis, clock);
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  if (process.cwd() !== folder) process.chdir(folder);
});
