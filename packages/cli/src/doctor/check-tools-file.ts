// Checks how the model would see the tools of a file, in a session of the real CLI with a scripted model and the CLI's
// own defaults. The result explains why a tool is not called.
import { countOf, messageOf } from '@inboard/core/util/message-of.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { ToolsNotReadyError } from '@inboard/core/errors.js';
import { rewriteName } from '@inboard/core/answer/mcp/tool/tool-name.js';
import type { ToolCauseKind, ToolDiagnosis } from '@inboard/core/answer/diagnosis/diagnose-tool.js';
import type { ToolReport } from '@inboard/core/live/tooling/tool-report.js';
import { isSystemInit } from '@inboard/core/wire/protocol/messages/messages.js';
import { query, type Query } from '@inboard/core/verbs/query/query.js';
import { startOffline, text } from '@inboard/inboard/testing.js';
import { withQuery } from '../agent/command-query.js';
import { loadTools, type LoadedTools } from '../tools-file/load-tools.js';
import type { Check, CheckStatus } from './check.js';
import { trialOptions, type SessionLimits } from './check-session.js';

const STATUS: Record<ToolCauseKind, CheckStatus> = {
  missing: 'failed',
  denied: 'failed',
  shadowed: 'failed',
  deferred: 'note',
  renamed: 'note',
};

/** Where the tools are, and the CLI to try them on. */
export interface ToolsFileInput extends SessionLimits {
  file: string;
  cwd: string;
  /** The CLI's path. Undefined if no CLI was found; the file is then only loaded. */
  cli: string | undefined;
}

/** Returns a check for each warning about the file, one for the file, and one for each tool with something to report. */
export async function checkToolsFile(input: ToolsFileInput): Promise<Check[]> {
  const found = { id: 'tools-file', title: `Tools of ${input.file}` };
  let loaded: LoadedTools;
  try {
    loaded = await loadTools(input.file, input.cwd);
  } catch (error) {
    return [{ ...found, status: 'failed', detail: messageOf(error) }];
  }
  const leftOut = loaded.warnings.map(({ message }): Check => ({
    ...found,
    status: 'note',
    detail: message,
  }));
  if (input.cli === undefined) return [...leftOut, { ...found, status: 'skipped', detail: 'no CLI' }];
  try {
    const { diagnoses } = await tryTools(loaded, input.cli, input);
    return [...leftOut, ...judgeTools(diagnoses, found)];
  } catch (error) {
    return [...leftOut, { ...found, status: 'failed', detail: messageOf(error) }];
  }
}

/** Returns one check that sums up all tools, and one for each tool that is missing, denied, shadowed, deferred or renamed. */
export function judgeTools(diagnoses: readonly ToolDiagnosis[], found: Pick<Check, 'id' | 'title'>): Check[] {
  const hindered = diagnoses.filter(({ causes }) => causes.length > 0);
  const visible = diagnoses.length - hindered.length;
  const all = `${countOf(diagnoses.length, 'tool')}; the model sees ${visible} of them from the start`;
  return [
    { ...found, status: 'ok', detail: all },
    ...hindered.map(({ name, causes }): Check => {
      const statuses = causes.map(({ kind }) => STATUS[kind]);
      return {
        id: `tool ${name}`,
        title: name,
        status: statuses.includes('failed') ? 'failed' : 'note',
        detail: causes.map(({ kind, reason }) => `${kind}: ${reason}`).join('; '),
        advice: causes.map(({ advice }) => advice).join(' '),
      };
    }),
  ];
}

async function* askOnce(until: Promise<void>): AsyncGenerator<string> {
  yield 'Which tools do you have?';
  await until;
}

async function readReport(q: Query, timeoutMs: number): Promise<ToolReport> {
  try {
    return await q.ready({ timeoutMs });
  } catch (error) {
    if (error instanceof ToolsNotReadyError) return error.report as ToolReport;
    throw error;
  }
}

async function tryTools(
  { servers }: LoadedTools,
  path: string,
  { signal, limitMs }: SessionLimits,
): Promise<ToolReport> {
  const offline = await startOffline({ script: [], onExhausted: text('Done.') });
  const looked = createDeferred<void>();
  const q = query({
    prompt: askOnce(looked.promise),
    options: {
      mcpServers: servers,
      allowedTools: Object.keys(servers).map((name) => `mcp__${rewriteName(name)}`),
      ...trialOptions(path, offline, limitMs),
      // Warnings are dropped, because the diagnosis reports the same facts.
      onWarning: () => {},
    },
  });
  try {
    return await withQuery(q, signal, async () => {
      // This is not a `for await`, because leaving such a loop would end the session. A turn is needed, because only a
      // turn shows which tools the CLI defers.
      for (let step = await q.next(); !step.done; step = await q.next()) {
        if (isSystemInit(step.value)) return await readReport(q, limitMs);
      }
      throw new Error('the session ended before the CLI listed its tools');
    });
  } finally {
    looked.resolve();
    await offline.close({ verify: false });
  }
}
