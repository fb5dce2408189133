// Runs conversations, workers, people and CLIs in simulated worlds: each seed decides time, order, chance and faults of one, and what comes of
// it is judged by what is promised (docs/decisions/2026-11-19-simulator.md).
//   node scripts/run-simulator.mjs              100 seeds, from 1 on
//     --seeds <count>     how many
//     --from <seed>       the first; "commit": made of the commit
//     --seed <seed>       only this one
//     --seconds <count>   as many as this time allows
//     --drop <parts>      leaves parts of the plan out, as a smaller run that fails names them
//     --faults <names>    of kill, freeze, cut, cli, disk, drain, journal, skew (or none), by commas; default all
//     --scene <name>      cluster or desk; default: as the seed has it
//     --log               prints the plan and all that happened in a run that fails, or in that of --seed
//     --digests           prints the digest of each run
//     --planted [<name>]  plants each fault of test/simulator/faults into a copy, one at a time, and looks how many seeds find it
//     --mutants [<number>]  the same for the mutations that were drawn for it
//     --node <program>    runs the worlds on another Node
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCommitSeed } from './support/commit-seed.mjs';
import { buildSimulator } from './support/simulator/build-simulator.mjs';
import { ROOT } from './support/mutation/areas.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    seconds: { type: 'string' },
    drop: { type: 'string' },
    faults: { type: 'string' },
    scene: { type: 'string' },
    log: { type: 'boolean' },
    digests: { type: 'boolean' },
    planted: { type: 'boolean' },
    mutants: { type: 'boolean' },
    node: { type: 'string' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
try {
  if (values.planted || values.mutants) {
    const { tryFaults } = await import('./support/simulator/try-faults.mjs');
    process.exitCode = await tryFaults({ folder, values, names: positionals, readNumber });
  } else {
    const begun = performance.now();
    await buildSimulator(folder);
    console.log(`Built in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
    const isOne = values.seed !== undefined;
    const request = {
      folder,
      from: isOne
        ? readNumber('seed')
        : values.from === 'commit'
          ? readCommitSeed(undefined, ROOT)
          : readNumber('from'),
      count: isOne
        ? 1
        : values.seeds === undefined && values.seconds !== undefined
          ? Infinity
          : readNumber('seeds', 100),
      seconds: values.seconds === undefined ? undefined : readNumber('seconds'),
      drop: values.drop?.split(',') ?? [],
      faults: values.faults?.split(',').filter((name) => name !== 'none'),
      scene: values.scene,
      log: values.log,
      digests: values.digests,
      isOne,
    };
    const program = join(import.meta.dirname, 'support/simulator/run-seeds.mjs');
    const ran = spawnSync(
      values.node ?? process.execPath,
      [program, JSON.stringify({ ...request, count: String(request.count) })],
      {
        stdio: 'inherit',
      },
    );
    process.exitCode = ran.status ?? 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function readNumber(name, otherwise) {
  if (values[name] === undefined) return otherwise;
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(`--${name} is a whole number, not ${values[name]}.`);
  return number;
}
