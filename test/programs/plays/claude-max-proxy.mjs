// A server on HTTP that answers with a query for each request and lets the SDK find the CLI by itself.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPort } from '../../../scripts/support/free-port.mjs';

export const answer =
  ({ text, toolUse }) =>
  ({ userText, toolResults, systemText }) => {
    if (toolResults.length > 0)
      return text(`${systemText.includes('I am the spirit')} ${toolResults[0].text.trim()}`);
    if (userText.includes('Look')) return toolUse('Bash', { command: 'cat here.json' });
    return text('Nothing.');
  };

export async function play({ start, home }) {
  const workspace = join(home.home, 'agent');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'SOUL.md'), 'I am the spirit.');
  writeFileSync(join(workspace, 'here.json'), '{"here":1}');
  const config = join(home.home, 'openclaw.json');
  writeFileSync(config, JSON.stringify({ agents: { list: [{ id: 'one', workspace }] } }));
  const port = await findPort();
  const program = start('claude-max-proxy/dist/proxy.js', {
    args: [config, '--port', String(port), '--host', '127.0.0.1'],
  });
  await program.waitFor((line) => line.includes('listening'));
  const ask = async (message) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/agent/one`, {
      method: 'POST',
      body: JSON.stringify({ message }),
    });
    return await response.json();
  };
  return { answers: await Promise.all([ask('Look around.'), ask('Look again.'), ask('Hm.')]) };
}
