// `inboard trace replay`: plays a recorded run again, with the tools of a file or with the recorded results.
import { formatReport, openTape, readTrace, type ReplayReport } from '@inboard/inboard/trace.js';
import { hideSecrets } from '@inboard/core/record/trace/replay/hide-secrets.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { query } from '@inboard/core/verbs/query/query.js';
import { followQuery } from '../agent/command-query.js';
import { readSwitch, readText, readTexts, type CommandInput } from '../command.js';
import { noteLine, printJson, printLine } from '../terminal/terminal.js';
import { EXIT_CODES } from '../terminal/usage-error.js';
import { loadTools } from '../tools-file/load-tools.js';

/** Replays a trace and prints the report. The exit code is 1 if the run differs from the recording. */
export async function replayTrace(input: CommandInput, file: string): Promise<number> {
  const { terminal } = input;
  const toolsFile = readText(input, 'tools');
  const loaded = toolsFile === undefined ? undefined : await loadTools(toolsFile, terminal.cwd);
  for (const { message } of loaded?.warnings ?? []) noteLine(terminal, `Warning: ${message}`);
  const toolContext = await loaded?.contextFor?.({ via: 'command' });
  const tape = await openTape(await readTrace(file, terminal), {
    tools: loaded ? 'live' : 'taped',
    // A replay has no person to ask, so permissions are answered as in the recording.
    permissions: 'taped',
    hooks: 'taped',
    dialogs: 'taped',
    ignore: readTexts(input, 'ignore'),
  });
  const q = query({
    prompt: tape.prompt,
    options: { transport: tape.transport, mcpServers: loaded?.servers, toolContext, onWarning: () => {} },
  });
  let failure: unknown;
  await followQuery(q, terminal.signal, () => {}).catch((error: unknown) => {
    // If the recorded run failed, the replay must fail too. The report says whether the two agree.
    failure = error;
  });
  terminal.signal.throwIfAborted();
  const report = tape.report();
  if (!report.finished && !report.error && failure !== undefined) throw failure;
  if (readSwitch(input, 'json')) printJson(terminal, toJson(report), 2);
  else printLine(terminal, formatReport(report));
  return report.ok ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function toJson(found: ReplayReport): object {
  const { error, ...report } = hideSecrets(found);
  return withoutUndefined({ ...report, error: error?.message });
}
