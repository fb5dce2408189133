// The judge of a scene: from what was kept, what the model was sent, and what the tool did, it says which promises were broken.

/** Broken promises, as { promise, what }. Empty if all were kept. */
export function findBroken(facts) {
  const broken = [];
  const demand = (promise, isKept, what) => {
    if (!isKept) broken.push({ promise, what: what() });
  };
  const { scene, outcomes, effects, rows, rowsAtWake, rowsAfter = rows, questions, taken = [] } = facts;
  const { messages, pods } = facts;

  const { prompts, results } = readMessages(messages ?? [], facts.prompt);
  const [outcome] = outcomes;
  const { kind = 'ok' } = scene;
  const isRight = outcome?.kind === kind && (kind !== 'ok' || outcome.text === facts.answer);
  demand('one outcome', isRight, () => JSON.stringify(outcome));
  demand('one outcome', new Set(outcomes.map((each) => JSON.stringify(each))).size === 1, () =>
    JSON.stringify(outcomes),
  );
  const isUnknown = /outcome is unknown/.test(results.join());
  demand(
    'one effect',
    effects.length === (scene.effects ?? 1) || (scene.mayBeUnknown && effects.length === 0 && isUnknown),
    () => `${effects.length} effects: ${effects.join(' ')}; the model was told: ${JSON.stringify(results)}`,
  );

  const recorded = (rows.facts ?? []).flatMap(({ fact }) => (fact === undefined ? [] : JSON.parse(fact)));
  const begun = recorded.filter(({ type }) => type === 'begun').map(({ callKey }) => callKey);
  // A kill may come between the fact that a call begins and the first entry of its turn. Then the transcript does not have the call, so the
  // turn begins again, and the model makes the call as a new one. The recorder notes each call before it asks what is to become of it, so
  // this one is noted again under the same key, and the next attempt tells the model instead of running it.
  const isOnce =
    ((scene.mayBeUnknown || scene.isUnknown) && isUnknown) || new Set(begun).size === begun.length;
  demand('one effect', isOnce, () => `begun: ${begun.join(', ')}`);
  if (scene.isUnknown) demand('the model is told the truth', isUnknown, () => results.join());

  const names = rowsAfter.entries.filter(({ uuid }) => uuid !== null).map(({ uuid }) => uuid);
  demand('no uuid twice', new Set(names).size === names.length, () => names.join(', '));
  // The rows after the next turn have those as well that somebody wrote late.
  for (const [what, list] of [...new Set([rows, rowsAfter])].flatMap(Object.entries)) {
    const epochs = list.map(({ epoch }) => Number(epoch)).filter((epoch) => epoch > 0);
    const isRising = epochs.every((epoch, at) => at === 0 || epoch >= epochs[at - 1]);
    demand('no write by an old fence', isRising, () => `epochs of ${what}: ${epochs.join(' ')}`);
  }
  demand(
    'no write by an old fence',
    !rowsAtWake || JSON.stringify(rows) === JSON.stringify(rowsAtWake),
    () => `there were ${JSON.stringify(rowsAtWake).slice(-500)}, and are ${JSON.stringify(rows).slice(-500)}`,
  );

  demand('the turn goes on', prompts === 1, () => `the model was sent the prompt ${prompts} times`);
  demand('the turn goes on', results.length === 1, () => `results of tools: ${JSON.stringify(results)}`);
  // A person has allowed the call, or its result was recorded. So the model must get the result, and no excuse.
  if ((scene.asks && kind === 'ok') || scene.hasResult)
    demand('the model gets the result', /refunded 7/.test(results.join()), () => results.join());
  if (scene.asks) {
    demand(
      "the person's answer is used once",
      questions.length === 1,
      () => `questions: ${questions.join(', ')}`,
    );
    // Undefined where nobody could know.
    demand(
      "the person's answer is used once",
      taken.every((isTaken, at) => isTaken === undefined || isTaken === (at === 0)),
      () => `answers that were said to be taken: ${taken.join(', ')}`,
    );
    // The second person denied the call.
    const others = recorded.filter(({ type, answer }) => type === 'answered' && answer.behavior !== 'allow');
    demand("the person's answer is used once", others.length === 0, () => JSON.stringify(others));
  }

  const told = pods.flatMap((pod) => pod.lines.flatMap(({ message }) => message ?? []));
  const uuids = told.map(({ uuid }) => uuid);
  demand('messages are told once', new Set(uuids).size === uuids.length, () => JSON.stringify(told));
  // An attempt that found the answer in the transcript has none to tell.
  const ends = told.filter(({ type }) => type === 'result').length;
  if (facts.tellsMessages && kind === 'ok' && !outcome?.recovered)
    demand('messages are told once', ends === 1, () => JSON.stringify(told));

  // These are the messages of the next turn.
  if (kind === 'interrupted') {
    const isTold = JSON.stringify(messages ?? []).includes('[Request interrupted by user');
    demand('the model is told of the stop', isTold, () => JSON.stringify(messages).slice(-1000));
  }

  const unhandled = pods.flatMap((pod) => pod.lines.filter((line) => line.unhandled !== undefined));
  demand('no unhandled rejection', unhandled.length === 0, () => JSON.stringify(unhandled));
  return broken;
}

function readMessages(messages, prompt) {
  const blocks = messages.flatMap(({ role, content }) =>
    role !== 'user' ? [] : typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
  return {
    prompts: blocks.filter(({ type, text }) => type === 'text' && text.includes(prompt)).length,
    results: blocks
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => JSON.stringify(content)),
  };
}
