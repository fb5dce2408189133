// The adapter that editors start to speak the Agent Client Protocol: a session, a tool that asks for permission, a
// change of mode, a second turn, an interrupt, the list of sessions, all over its stdin and stdout.
const PROGRAM = '@agentclientprotocol/claude-agent-acp/dist/index.js';

export const answer =
  ({ text, toolUse }) =>
  ({ userText, toolResults }) => {
    if (toolResults.length > 0) return text(`The tool said: ${toolResults[0].text.trim()}`);
    if (userText.endsWith('And now?')) return text('A second answer.');
    if (userText.endsWith('Make the file.'))
      return toolUse('Bash', { command: 'echo from-the-tool | tee made.txt' });
    return text('Nothing to say.');
  };

export async function play({ start, home }) {
  const program = start(PROGRAM);
  let last = 0;
  const updates = [];
  const asked = [];
  const lines = () => program.seen.map((line) => JSON.parse(line));
  const call = async (method, params) => {
    const id = ++last;
    program.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const line = await program.waitFor((text) => {
      const message = JSON.parse(text);
      return message.id === id && message.method === undefined;
    });
    const { result, error } = JSON.parse(line);
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}\n${program.errors()}`);
    return result;
  };
  const initialized = await call('initialize', {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false } },
  });
  const session = await call('session/new', { cwd: home.cwd, mcpServers: [] });
  const prompt = (text) =>
    call('session/prompt', { sessionId: session.sessionId, prompt: [{ type: 'text', text }] });
  const turn = prompt('Make the file.');
  turn.catch(() => {});
  const request = JSON.parse(await program.waitFor((line) => line.includes('"session/request_permission"')));
  asked.push(
    request.params.toolCall.title,
    request.params.options.map(({ kind }) => kind),
  );
  const allow = request.params.options.find(({ kind }) => kind === 'allow_once');
  program.write(
    JSON.stringify({
      jsonrpc: '2.0',
      id: request.id,
      result: { outcome: { outcome: 'selected', optionId: allow.optionId } },
    }),
  );
  const first = await turn;
  await call('session/set_mode', { sessionId: session.sessionId, modeId: 'plan' });
  const second = await prompt('And now?');
  const listed = await call('session/list', { cwd: home.cwd }).catch((error) => String(error).slice(0, 200));
  for (const message of lines()) if (message.method === 'session/update') updates.push(message.params.update);
  const said = updates
    .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
    .map(({ content }) => content.text)
    .join('');
  return {
    protocol: initialized.protocolVersion,
    modes: session.modes?.availableModes.map(({ id }) => id),
    models: session.models?.availableModels?.length ?? null,
    asked,
    first: first.stopReason,
    second: second.stopReason,
    said,
    updates: [...new Set(updates.map(({ sessionUpdate }) => sessionUpdate))].map(String).toSorted(),
    toolStates: updates
      .filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call'))
      .map(({ status }) => status ?? null)
      // How often the adapter says more of a call between two states depends on which of its sources is faster.
      .filter((status, index, all) => status !== all[index - 1]),
    listed: listed.sessions?.map(({ title }) => title) ?? listed,
  };
}
