// A host of its own for the CLI: waits for its network interface, then serves on it, with a model that only it can reach.
// Needs the built package.
import { execFileSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { serveCli } from '../../../dist/entry/remote.js';
import { startOffline, text, toolUse } from '../../../dist/entry/testing.js';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

say({ pid: process.pid });
const { value } = await lines.next();
const { device, address, listen, token, idleMs, script } = JSON.parse(value);
for (const args of [
  ['link', 'set', 'lo', 'up'],
  ['addr', 'add', `${address}/24`, 'dev', device],
  ['link', 'set', device, 'up'],
])
  execFileSync('ip', args);

const offline = await startOffline(
  script.map((step) => (typeof step === 'string' ? text(step) : toolUse(step.tool, step.input))),
);
const server = await serveCli({
  listen: { ...listen, host: address },
  token,
  idleMs,
  env: offline.options.env,
  cwd: offline.options.cwd,
  onEvent: (event) => say({ event }),
});
say({ port: server.address.port });
for await (const line of lines) {
  if (line === 'requests') say({ requests: offline.model.requests.length });
}
await server.close();
await offline.close({ verify: false });
process.exit(0);
