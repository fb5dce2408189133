// A server with thousands of tools: making it, and a query with one call besides, since what is put off must be paid there.
import { answerTool } from '../gauges.mjs';
import { loadSchemas } from '../sdk-session.mjs';
import { environmentFor, readNotes } from '../play.mjs';

export async function measure({ target, cli, notes, tools }) {
  const shapes = [];
  for (let index = 0; index < tools; index += 1)
    shapes.push((await loadSchemas({ zodUrl: target.zodUrl })).lookup);
  const sdk = await import(target.url);
  const begun = performance.now();
  const run = async (given) => answerTool('lookup', given);
  const server = sdk.createSdkMcpServer({
    name: 'bench',
    version: '1.0.0',
    tools: shapes.map((shape, index) =>
      sdk.tool(index === 0 ? 'lookup' : `tool-${index}`, 'Look an item up', shape, run),
    ),
  });
  const createMs = performance.now() - begun;
  const env = environmentFor({ name: 'questions', kind: 'call', warm: 0, measured: 1 }, notes);
  const options = { pathToClaudeCodeExecutable: cli, env, mcpServers: { bench: server } };
  for await (const message of sdk.query({ prompt: 'go', options })) void message;
  readNotes(notes);
  return { createMs, callMs: performance.now() - begun };
}
