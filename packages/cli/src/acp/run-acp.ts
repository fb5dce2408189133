// `inboard acp`: runs an agent with the tools of a file, for an editor that speaks the Agent Client Protocol.
import { resolve } from 'node:path';
import type { AcpAgent } from '@inboard/acp/acp-agent.js';
import { loadAcpLibrary } from '@inboard/acp/acp-library.js';
import type { AcpOptions } from '@inboard/acp/acp-options.js';
import { serveAgent } from '@inboard/acp/serve-agent.js';
import { claimOutput } from '@inboard/core/util/claim-output.js';
import { chooseCli } from '../agent/command-query.js';
import { loadOfflineModel } from '../agent/offline-model.js';
import { readSwitch, readText, readTexts, type CommandInput } from '../command.js';
import { nameAllowed, readSources } from '../run/run-options.js';
import { keepFresh } from '../serve/keep-fresh.js';
import { noteLine } from '../terminal/terminal.js';
import { EXIT_CODES } from '../terminal/usage-error.js';
import { loadTools, type LoadedTools } from '../tools-file/load-tools.js';

const STRAY = 'What the tools print is shown here, because standard output belongs to the editor.';

/** Serves until the editor leaves or the command is stopped. The exit code is 0 in both cases. */
export async function runAcp(input: CommandInput): Promise<number> {
  const { terminal, args } = input;
  const file = resolve(terminal.cwd, args[0] ?? '');
  const sources = readSources(input);
  const note = (line: string): void => noteLine(terminal, `inboard: ${input.inOwnWords(line)}`);
  const library = await loadAcpLibrary(file);
  if (terminal.stdin.isTTY === true) {
    note('Waiting for an editor to speak the Agent Client Protocol on standard input. Press Ctrl-C to stop.');
  }
  // The output is claimed before the file is loaded, because the file may write to it while loading.
  const { output, restore } = claimOutput(terminal.stdout, terminal.stderr, () => note(STRAY));
  const script = readText(input, 'offline-script') ?? terminal.env['INBOARD_OFFLINE_SCRIPT'];
  let offline: Awaited<ReturnType<typeof loadOfflineModel>> | undefined;
  let stopWatching: (() => Promise<void>) | undefined;
  try {
    if (script) offline = await loadOfflineModel(script, terminal.cwd);
    const tools = await loadTools(file, terminal.cwd);
    for (const { message } of tools.warnings) note(`Warning: ${message}`);
    const isolation = offline ? { env: offline.options.env, settingSources: sources ?? [] } : {};
    await serveAgent({
      library,
      servers: tools.servers,
      options: { ...(await readOptions(input, tools)), settingSources: sources ?? ['user'], ...isolation },
      name: readText(input, 'name'),
      input: terminal.stdin,
      output,
      signal: terminal.signal,
      onNote: note,
      onAgent: (agent) => {
        if (readSwitch(input, 'watch')) stopWatching = watchFile(agent, { file, note });
      },
    });
  } finally {
    await stopWatching?.();
    restore();
    await offline?.close({ verify: false });
  }
  return EXIT_CODES.ok;
}

async function readOptions(input: CommandInput, { servers, contextFor }: LoadedTools): Promise<AcpOptions> {
  return {
    allowedTools: await nameAllowed(readTexts(input, 'allow'), servers, input.terminal.signal),
    allowDangerouslySkipPermissions: readSwitch(input, 'allow-bypass') ? true : undefined,
    model: readText(input, 'model'),
    toolContext: await contextFor?.({ via: 'command' }),
    ...chooseCli(input),
  };
}

// Loads the file again when it changes, and gives its servers to the agent. All sessions keep the context of the first load.
function watchFile(
  agent: AcpAgent,
  place: { file: string; note: (line: string) => void },
): () => Promise<void> {
  return keepFresh({ replace: ({ servers }) => agent.replaceServers(servers) }, place);
}
