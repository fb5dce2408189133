// What the real CLI needs for its turns: a model on loopback and an environment in which it finds no login and no settings.

/** What the model says, by the scenario. */
const SCRIPTS = {
  'real-turn': ({ toolUse, text }) => ({
    script: [toolUse('mcp__bench__lookup', { id: 'item-4711' }), text('done')],
  }),
  'continued-call': ({ text }) => ({ script: [], onExhausted: text('done') }),
  'cold-resume': ({ text }) => ({ script: [], onExhausted: text('done') }),
};

/** Runs `measure` with the settings of a turn on the real CLI; `testing` is the module `inboard/testing`. */
export async function withScriptedModel({ testing, cli, scenario }, measure) {
  const model = await testing.startScriptedModel(SCRIPTS[scenario.host](testing));
  // Tool search would ask for the tool first.
  const isolated = await testing.createIsolatedEnvironment({ baseUrl: model.url, toolSearch: false });
  try {
    // An SDK says who starts the CLI; the bare host is given the same words, so that the CLI does the same.
    const cliEnv = { ...isolated.env, CLAUDE_CODE_ENTRYPOINT: 'sdk-ts', IS_SANDBOX: '1' };
    return await measure({ cli, cliEnv, cwd: isolated.cwd });
  } finally {
    await model.close({ verify: false });
    await isolated.remove();
  }
}
