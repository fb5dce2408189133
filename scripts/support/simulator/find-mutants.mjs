// Finds the mutations that the simulator is held to: the forty in test/simulator/faults/mutants.json. A fixed seed drew them from the code
// of cluster, conversations and calls before the simulator was tuned. A draw from the sources as they are now would be another one.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../mutation/areas.mjs';
import { listMutants } from '../mutation/mutants.mjs';

const LIST = 'test/simulator/faults/mutants.json';

/** The mutants, in the order of the list: each with its file, name, line, what was there, and the whole changed code. */
export function findMutants() {
  return JSON.parse(readFileSync(join(ROOT, LIST), 'utf8')).map(({ file, id }) => {
    const mutants = existsSync(join(ROOT, file)) ? listMutants(file) : [];
    const mutant = mutants.find((each) => each.id === id);
    if (mutant) return mutant;
    throw new Error(
      `${LIST} names a mutation that ${file} does not have: "${id}". If its code has moved, name the file and the mutation there; if it has changed, the mutation that comes closest.`,
    );
  });
}
