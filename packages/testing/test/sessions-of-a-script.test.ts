// One script and several sessions: a fake CLI plays it in each, a scripted model shares it. The errors say which, because a script
// that was written for the one is often tried on the other.
import { expect, it } from 'vitest';
import { run } from '@inboard/inboard/index.js';
import { createFakeCli, startScriptedModel, text } from '@inboard/inboard/testing.js';
import { createBody, postMessage } from './scripted-model/ask-model.js';

const script = [text('One.'), text('Two.')];

it('says that sessions of a model share its steps, and how each plays all of them', async () => {
  const asked = async (options: object, ...sessions: string[]): Promise<string> => {
    const model = await startScriptedModel({ script: [text('One.')], ...options });
    let body = '';
    for (const session of sessions) {
      const headers = { 'x-claude-code-session-id': session };
      body = await (await postMessage(model, createBody('hi'), { headers })).text();
    }
    await model.close({ verify: false });
    return body;
  };
  const another = await asked({}, 's1', 's2');
  expect(another).toContain('all 1 steps of script are used up by other sessions');
  expect(another).toContain('conversations: [{ when: () => true, script, perSession: true }]');
  expect(await asked({}, 's1', 's1')).toMatch(/all 1 steps of script are used up(?! by)/);
  const perSession = {
    script: [],
    conversations: [{ when: () => true, script: [text('One.')], perSession: true }],
  };
  expect(await asked(perSession, 's1', 's2')).toContain('One.');
});

it('says that each session of a fake plays the script, and how each gets its own', async () => {
  const play = async (given: Parameters<typeof createFakeCli>[0], allowEarlyEnd = false) => {
    const fake = createFakeCli(given, { allowEarlyEnd });
    const texts = [];
    for (const prompt of ['a', 'b'])
      texts.push((await run({ prompt, options: { transport: fake.transport } })).text);
    return { fake, texts };
  };
  const shared = await play(script);
  expect(shared.texts).toEqual(['One.', 'One.']);
  await expect(shared.fake.close()).rejects.toThrow(
    /session 1: steps of the script were not played[\s\S]*Each session of a fake CLI plays the script from the beginning/,
  );
  const own = await play(({ index }) => script.slice(index, index + 1));
  expect(own.texts).toEqual(['One.', 'Two.']);
  await own.fake.close();
  await (await play(script, true)).fake.close();
});
