// Plants one fault after another into the code that the simulator runs, and looks how many seeds it takes until a promise is broken.
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PLANTED } from '../../../test/simulator/faults/planted.mjs';
import { buildScene, buildSimulator } from './build-simulator.mjs';
import { findMutants } from './find-mutants.mjs';

/** How long a fault may stay unfound. */
const SECONDS = 60;
const PARTS = ['simulator.mjs', 'fake-cli.cjs', 'fake-together.cjs', 'fake-transcript.cjs'];

/** Tries them, and prints a line for each; gives the exit code. */
export async function tryFaults({ folder, values, names, readNumber }) {
  await buildSimulator(folder);
  const faults = (values.planted ? listPlanted() : listMutants()).filter(
    ({ name }) => names.length === 0 || names.includes(name),
  );
  const settings = {
    seeds: readNumber('seeds', 10_000),
    seconds: readNumber('seconds', SECONDS),
    from: readNumber('from'),
    node: values.node ?? process.execPath,
  };
  let missed = 0;
  for (const fault of faults) {
    const result = await tryFault(folder, fault, settings);
    const isExpected = fault.beyond !== undefined;
    if (!result.found && !isExpected) missed += 1;
    const what = result.found
      ? `found in ${result.seeds} seeds: ${result.broken}`
      : `NOT FOUND in ${result.seeds} seeds${isExpected ? `, as expected: ${fault.beyond}` : ''}`;
    console.log(`${fault.name}: ${fault.what}\n    ${what}`);
  }
  console.log(`${faults.length - missed} of ${faults.length} were found, or named as out of reach.`);
  return missed === 0 ? 0 : 1;
}

function listPlanted() {
  return PLANTED.map(({ name, what, edits, scene, beyond }) => ({
    name,
    what,
    scene,
    beyond,
    change(file, read) {
      const own = edits.filter((edit) => edit.file === file);
      if (own.length === 0) return undefined;
      return own.reduce((text, { from, to }) => {
        if (text.split(from).length !== 2)
          throw new Error(`"${name}" is not about ${file} as it is now: "${from}"`);
        return text.replace(from, () => to);
      }, read());
    },
  }));
}

function listMutants() {
  return findMutants().map(({ file, line, name, before, after, code }, index) => ({
    name: String(index),
    what: `${file}:${line} ${name}: ${before} => ${after}`,
    scene: file.startsWith('packages/cluster/') ? 'cluster' : undefined,
    change: (path) => (path === file ? code : undefined),
  }));
}

async function tryFault(folder, { name, scene, change }, { seeds, seconds, from, node }) {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  for (const part of PARTS) symlinkSync(join(folder, part), join(own, part));
  await buildScene(own, change);
  const request = { folder: own, from, count: String(seeds), seconds, drop: [], scene, isPlain: true };
  const program = join(import.meta.dirname, 'run-seeds.mjs');
  const child = spawn(node, [program, JSON.stringify(request)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  // A fault may also make a world turn in circles.
  const limit = setTimeout(() => child.kill('SIGKILL'), (seconds + 60) * 1000);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(limit);
  const seed = Number(/^Seed (\d+)/m.exec(output)?.[1] ?? /to (\d+):/.exec(output)?.[1] ?? from);
  const broken =
    /^ {2}(\S.*)$/m.exec(output)?.[1] ??
    (code === null ? 'the world stood still' : output.trim().split('\n')[0]);
  return { found: code !== 0, seeds: seed - from + 1, broken: broken.slice(0, 160) };
}
