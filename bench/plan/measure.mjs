// One measurement: a fresh place, a fresh process, its figures.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createPackageMeasurer } from './measure-package.mjs';
import { createPlace } from './places.mjs';
import { withScriptedModel } from './real-turn.mjs';
import { settingsOf } from './scenarios.mjs';
import { writeTranscripts } from './transcripts.mjs';

const HOST = fileURLToPath(new URL('../host/run-host.mjs', import.meta.url));
const LIMIT_MS = 180_000;

/**
 * Measures scenarios on targets in one size. `temporary` is a folder that the caller removes; `realCli` and `testing` (the
 * module `inboard/testing`) are for turns on the real CLI.
 */
export function createMeasurer({ size, temporary, realCli, testing }) {
  const measurePackage = createPackageMeasurer(temporary);
  let transcripts;

  return async (scenario, target) => {
    if (scenario.host === 'package') return measurePackage(target);
    const settings = { ...settingsOf(scenario, size), target: { ...target, schema: scenario.schema } };
    const place = createPlace(temporary, scenario.isPackage);
    const { home, cwd, notes } = place;
    const env = { PATH: process.env.PATH, HOME: home };
    const run = (more) =>
      runHost({ settings: { ...settings, ...more }, env, cwd, flags: scenario.nodeFlags });
    try {
      if (scenario.isCluster) {
        const { INBOARD_PGBIN } = process.env;
        if (INBOARD_PGBIN !== undefined) env.INBOARD_PGBIN = INBOARD_PGBIN;
        return await run({});
      }
      if (scenario.isReal) return await withScriptedModel({ testing, cli: realCli, scenario }, run);
      if (scenario.host === 'listing') {
        transcripts ??= writeTranscripts(temporary, settings.transcripts);
        env.CLAUDE_CONFIG_DIR = transcripts.configFolder;
        return await run({ projectFolder: transcripts.projectFolder });
      }
      return await run({ cli: scenario.isQuickCli ? place.quickCli : place.cli, notes });
    } finally {
      place.remove();
    }
  };
}

function runHost({ settings, env, cwd, flags = [] }) {
  const options = { env, cwd, timeout: LIMIT_MS, killSignal: 'SIGKILL' };
  return new Promise((resolve, reject) => {
    const args = [...flags, HOST, JSON.stringify(settings)];
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (error)
        reject(
          new Error(
            `${error.killed ? `stopped after ${LIMIT_MS} ms` : 'failed'}: ${stderr.trim().slice(-600)}`,
          ),
        );
      else resolve(JSON.parse(stdout.trim().split('\n').at(-1)));
    });
  });
}
