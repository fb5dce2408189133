// The adapter's ancestor, written for an SDK of 0.2: it keeps its own tools on an MCP server, asks, is interrupted.
const PROGRAM = '@zed-industries/claude-code-acp/dist/index.js';

export const answer =
  ({ text, toolUse }) =>
  ({ userText, toolResults }) => {
    if (toolResults.length > 0) return text(`The tool said: ${toolResults[0].text.slice(0, 13)}`);
    if (userText.endsWith('Make the file.'))
      return toolUse('Bash', { command: 'echo from-the-tool | tee made.txt' });
    return text('Nothing to say.');
  };

export async function play({ start, home }) {
  const program = start(PROGRAM);
  let last = 0;
  const send = (message) => program.write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const call = async (method, params) => {
    const id = ++last;
    send({ id, method, params });
    const line = await program.waitFor((text) => {
      const message = JSON.parse(text);
      return message.id === id && message.method === undefined;
    });
    const { result, error } = JSON.parse(line);
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}\n${program.errors()}`);
    return result;
  };
  await call('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId, modes, models } = await call('session/new', { cwd: home.cwd, mcpServers: [] });
  const turn = call('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Make the file.' }] });
  turn.catch(() => {});
  const request = JSON.parse(await program.waitFor((line) => line.includes('"session/request_permission"')));
  const allow = request.params.options.find(({ kind }) => kind === 'allow_once');
  send({ id: request.id, result: { outcome: { outcome: 'selected', optionId: allow.optionId } } });
  const { stopReason } = await turn;
  await call('session/set_mode', { sessionId, modeId: 'acceptEdits' });
  await call('session/set_model', { sessionId, modelId: models.availableModels.at(-1).modelId }).catch(
    String,
  );
  const updates = program.seen
    .map((line) => JSON.parse(line))
    .filter(({ method }) => method === 'session/update')
    .map(({ params }) => params.update);
  return {
    modes: modes.availableModes.map(({ id }) => id),
    models: models.availableModels.map(({ modelId }) => modelId),
    asked: request.params.options.map(({ kind }) => kind),
    stopReason,
    updates: [...new Set(updates.map(({ sessionUpdate }) => sessionUpdate))].map(String).toSorted(),
  };
}
