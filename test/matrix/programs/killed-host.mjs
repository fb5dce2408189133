// Starts two CLIs, one in the middle of a turn and one that neither leaves nor can be asked to, and waits to be killed:
// the runner sees to it that nothing is left then.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { query } from 'inboard';
import { gate, held, text } from 'inboard/testing';
import { onStage, pidOf, readAll } from './stage.mjs';

const STUBBORN = `#!/bin/sh
if [ "$1" = --version ]; then echo '2.1.325 (Claude Code)'; exit 0; fi
trap '' TERM HUP INT PIPE
while :; do sleep 1; done
`;

async function waitForPid(q) {
  while (q.pid === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  return pidOf(q);
}

const never = gate();
await onStage([held(text('This is never said.'), never)], async ({ options, home }) => {
  const stubborn = join(home.home, 'stubborn');
  writeFileSync(stubborn, STUBBORN);
  chmodSync(stubborn, 0o755);
  const q = query({ prompt: 'Wait.', options });
  const other = query({ prompt: 'Wait.', options: { ...options, pathToClaudeCodeExecutable: stubborn } });
  const reading = [q, other].map(readAll);
  await never.reached;
  console.log(`${pidOf(q)} ${await waitForPid(other)}`);
  await Promise.all(reading);
});
