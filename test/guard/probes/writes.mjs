// Writes to the CLI's input, and on Linux all reads and writes of this process, per call of a tool. Argument: calls that
// the CLI makes at once.
import childProcess from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chooseCli, readAll, report } from './session.mjs';
import { makeShapes, offerTools } from './tools.mjs';

const window = Number(process.argv[2]);
const [WARM_UP, COUNTED] = [320, 640];
const COUNTS = '/proc/self/io';

let writes = 0;
const { spawn } = childProcess.ChildProcess.prototype;
childProcess.ChildProcess.prototype.spawn = function (options) {
  const result = spawn.call(this, options);
  // Every way of writing to a pipe that there is: each is one request to the system.
  const handle = this.stdin?._handle;
  for (const name in handle) {
    if (!name.startsWith('write') || typeof handle[name] !== 'function') continue;
    const write = handle[name];
    handle[name] = function (...given) {
      writes += 1;
      return write.apply(this, given);
    };
  }
  return result;
};

function readCounts() {
  const system = existsSync(COUNTS)
    ? Array.from(readFileSync(COUNTS, 'utf8').matchAll(/^sysc[rw]: (\d+)$/gm), ([, count]) => Number(count))
    : undefined;
  return { writes, systemCalls: system && system[0] + system[1] };
}

const inboard = await import('inboard');
const taken = [];
let calls = 0;
const mcpServers = offerTools(inboard, await makeShapes('zod'), () => {
  if (calls === WARM_UP || calls === WARM_UP + COUNTED) taken.push(readCounts());
  calls += 1;
});
const options = { ...chooseCli({ calls: WARM_UP + COUNTED + window, window }), mcpServers };
await readAll(inboard.query({ prompt: 'go', options }));
const [before, after] = taken;
report({
  writes: (after.writes - before.writes) / COUNTED,
  ...(before.systemCalls && { systemCalls: (after.systemCalls - before.systemCalls) / COUNTED }),
});
