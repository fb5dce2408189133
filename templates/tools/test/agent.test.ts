// The tools in process: the agent on a fake CLI, which takes milliseconds, and on the real one with a scripted model.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeCli } from 'inboard/testing';
import { runAgent } from '../src/agent.ts';
import { createCaller } from '../src/callers.ts';
import { playModel, startScript } from '../src/model.ts';
import { useFolder } from './support.ts';

useFolder();
const ANSWER = 'Kept: {"notes":1}. All notes: ["Water the plants."]';

it('keeps a note on a fake CLI', async () => {
  const fake = createFakeCli([playModel, playModel, playModel]);
  const { text } = await runAgent('The plants!', createCaller('ada'), { transport: fake.transport });
  assert.equal(text, ANSWER);
  await fake.verify(); // the whole script was played, and the protocol was kept
});

it('keeps a note on the real CLI', async () => {
  const script = await startScript();
  try {
    const { text } = await runAgent('The plants!', createCaller('bob'), script.options);
    assert.equal(text, ANSWER);
  } finally {
    await script.close();
  }
});
