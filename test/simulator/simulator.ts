// The simulator as one module: compiles the programs of its folder once, and runs plans.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPlan, type Programs, type RunReport } from './run-seed.js';
import type { Plan } from './plan.js';
import { compileProgram, type Program } from './world/sandbox.js';

export { createPlan, FAULTS } from './plan.js';
export { dropParts, shrink } from './shrink.js';
export type { RunReport } from './run-seed.js';

/** Loads what was built into a folder. */
export function openSimulator(folder: string): { run: (plan: Plan) => Promise<RunReport> } {
  const load = (name: string): Program => compileProgram(readFileSync(join(folder, name), 'utf8'), name);
  const programs: Programs = {
    scene: load('scene.cjs'),
    cli: {
      'fake-cli': load('fake-cli.cjs'),
      'fake-together': load('fake-together.cjs'),
      'fake-transcript': load('fake-transcript.cjs'),
    },
  };
  return { run: (plan) => runPlan(programs, plan) };
}
