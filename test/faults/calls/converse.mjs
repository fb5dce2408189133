// One life of a conversation: begins it, sends its message, or goes on with the turn that an earlier life left.

/** Plays until the turn has ended, or this life has. `onSession` is told of the conversation. */
export async function converse({ sdk, plan, options, session: more = {}, points, onSession = () => {} }) {
  const { sessionId, message } = plan;
  const place = options.sessionStore
    ? { sessionStore: options.sessionStore, dir: options.cwd }
    : { env: options.env, dir: options.cwd };
  const state = await sdk.getTranscriptState(sessionId, place);
  points().note('found', { state: state.state });
  if (state.state === 'answered') {
    points().note('outcome', { text: state.text, found: true });
    return;
  }
  const isNew = state.state === 'empty';
  const session = sdk.openSession({
    options: { ...options, ...(isNew ? { sessionId } : { resume: sessionId }) },
    ...(isNew ? {} : { interrupted: 'continue' }),
    ...more,
  });
  onSession(session);
  try {
    const turn = isNew ? session.send(message) : await session.continued;
    if (!turn) {
      // Another host was quicker.
      const now = await sdk.getTranscriptState(sessionId, place);
      if (now.state !== 'answered')
        throw new Error(`The session did not go on with the turn, which is ${now.state}`);
      points().note('outcome', { text: now.text, found: true });
      return;
    }
    for await (const _ of turn);
    const { text, completedCalls = [] } = await turn.outcome();
    points().note('outcome', {
      text,
      completed: completedCalls.map(({ input, how, delivered, reason }) => ({
        call: input.call,
        how,
        delivered,
        reason,
      })),
    });
  } finally {
    await session.close();
  }
}
