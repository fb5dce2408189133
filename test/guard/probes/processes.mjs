// Processes that queries start. Argument: where the CLI lies (session.mjs says where it can).
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { chooseCli, readAll, report } from './session.mjs';

const started = [];
const { spawn } = childProcess.ChildProcess.prototype;
childProcess.ChildProcess.prototype.spawn = function (options) {
  started.push([options.file, ...(options.args ?? []).slice(1)].join(' ').slice(0, 160));
  return spawn.call(this, options);
};
const { spawnSync } = childProcess;
childProcess.spawnSync = (command, ...rest) => {
  started.push(`${command} (synchronously)`);
  return spawnSync(command, ...rest);
};
syncBuiltinESMExports();

const { query } = await import('inboard');
await readAll(query({ prompt: 'go', options: chooseCli({}, process.argv[2]) }));
const first = started.length;
await readAll(query({ prompt: 'go', options: chooseCli({}, process.argv[2]) }));
report({ first, second: started.length - first, details: started });
