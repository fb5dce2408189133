// `await using` as the runtime itself understands it, on everything that has an end.
import assert from 'node:assert/strict';
import { query, startup } from 'inboard';
import { createIsolatedEnvironment, gate, held, startScriptedModel, text } from 'inboard/testing';
import { isRunning, pidOf } from './stage.mjs';

const pids = [];
{
  const never = gate();
  await using model = await startScriptedModel({ script: [held(text('This is never said.'), never)] });
  await using home = await createIsolatedEnvironment({ baseUrl: model.url });
  const options = {
    env: home.env,
    cwd: home.cwd,
    settingSources: [],
  };
  await using warm = await startup({ options });
  pids.push(warm.pid);
  await using q = query({ prompt: 'Wait.', options });
  await never.reached;
  pids.push(pidOf(q));
}
assert.equal(pids.length, 2);
for (const pid of pids) assert.equal(isRunning(pid), false, 'a CLI outlives its block');
