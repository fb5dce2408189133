// Resumes a long conversation in a process that has done nothing else, and measures from the question to the model's answer.
// The real CLI reads its transcript again, which is most of it; what an SDK adds is what it costs more than the bare host.
// `kind` is the way: query, session (openSession) or store (a query whose transcript is in a session store, not on the disk).
import { randomUUID } from 'node:crypto';
import { BARE_ARGUMENTS } from '../bare-arguments.mjs';
import { answerPermission, answerTool, cpuMsSince } from '../gauges.mjs';
import { loadTarget } from '../load-target.mjs';
import { composeLongTranscript, saveTranscript } from '../long-transcript.mjs';

export async function measure({ target, cli, cliEnv, cwd, kind, megabytes }) {
  const { runSession, sdk } = await loadTarget(target);
  const sessionId = randomUUID();
  const { lines } = composeLongTranscript({ cwd, sessionId, bytes: megabytes * 1e6 });
  const save = (all) =>
    saveTranscript({ configFolder: cliEnv.CLAUDE_CONFIG_DIR, cwd, sessionId, lines: all });
  const entries = kind === 'store' ? lines.map((line) => JSON.parse(line)) : undefined;
  if (!entries) save(lines);
  const before = process.cpuUsage();
  const begun = performance.now();
  let figures;
  let text;
  const end = (result) => {
    figures = { ms: performance.now() - begun, cpuMs: cpuMsSince(before) };
    text = result;
  };
  if (kind === 'session' && target.url) {
    const mcpServers = { bench: createServer(sdk) };
    const options = { pathToClaudeCodeExecutable: cli, env: cliEnv, cwd, mcpServers, resume: sessionId };
    const session = sdk.openSession({ options });
    end((await session.send('And?').outcome()).text);
    await session.close();
  } else {
    // Without an SDK the least that leads from a store to the CLI is to write its entries.
    if (entries && !target.url) save(entries.map((entry) => `${JSON.stringify(entry)}\n`));
    await runSession({
      cli,
      env: cliEnv,
      cwd,
      args: [...BARE_ARGUMENTS, '--resume', sessionId],
      options: { resume: sessionId, ...(entries && { sessionStore: createStore(sessionId, entries) }) },
      prompt: 'And?',
      answerTool,
      answerPermission,
      onMessage: (message) => {
        if (message.type === 'result') end(message.result);
      },
    });
  }
  if (text !== 'done') throw new Error(`The turn did not go as scripted: ${text}`);
  return figures;
}

function createServer({ createSdkMcpServer, tool }) {
  const lookup = tool('lookup', 'Look an item up', { id: 'string' }, async (given) =>
    answerTool('lookup', given),
  );
  return createSdkMcpServer({ name: 'bench', tools: [lookup] });
}

/** A store with one session, in memory, as both SDKs take it. */
function createStore(sessionId, entries) {
  const sessions = new Map([[sessionId, entries]]);
  return {
    append: async (key, more) => {
      if (key.subpath !== undefined) return;
      sessions.set(key.sessionId, [...(sessions.get(key.sessionId) ?? []), ...more]);
    },
    load: async (key) => (key.subpath === undefined ? (sessions.get(key.sessionId) ?? null) : null),
  };
}
