// `ready()`: polls the CLI until the expected servers are connected and the expected tools are listed, or fails with
// those that are not and why. Polling needs no turn, so a server that connects late is seen too.
import { isRecord } from '../../util/guards.js';
import { sleep } from '../../util/timers.js';
import { ToolsNotReadyError } from '../../errors.js';
import type { DefinedTool } from '../../answer/mcp/answer-mcp-message.js';
import { toolName } from '../../answer/mcp/tool/tool-name.js';
import { checkStatusTools, type ToolReport } from './tool-check.js';

/** Which servers and tools to wait for, and how long. */
export interface ReadyOptions {
  /** Servers by name. Default: all that were given in `mcpServers`. */
  servers?: readonly string[];
  /** Tools by the name the model knows, `mcp__server__tool`. Default: those of the in-process servers. */
  tools?: readonly string[];
  /** Default 30 000 ms. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** What is expected of the CLI, and how to ask it. */
export interface ReadySource {
  serverNames: readonly string[];
  inProcessNames(): readonly string[];
  defined(): DefinedTool[];
  status(signal: AbortSignal | undefined): Promise<unknown>;
  /** Whether in-process servers connect only with the first message, so that their absence means nothing yet. */
  connectsLater(): boolean;
  /** The deferred tools of the last `system/init`. */
  deferred(): DefinedTool[];
}

const DEFAULT_TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/** Resolves with the report when everything is there; rejects with a ToolsNotReadyError that holds it otherwise. */
export async function awaitTools(source: ReadySource, options: ReadyOptions = {}): Promise<ToolReport> {
  const { servers = source.serverNames, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  const deadline = performance.now() + timeoutMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const report = await readReport(source, signal);
    const problems = [
      ...findServerProblems(withoutLate(servers, source), report),
      ...findToolProblems(report, options.tools),
    ];
    if (problems.length === 0) return report;
    const isFinal = problems.every((problem) => problem.isFinal);
    if (isFinal || performance.now() + pause > deadline) {
      const texts = problems.map((problem) => problem.text);
      throw new ToolsNotReadyError(
        `Some tools are not available${isFinal ? '' : ` after ${timeoutMs} ms`}: ${texts.join('; ')}`,
        report,
      );
    }
    await sleep(pause);
  }
}

function withoutLate(servers: readonly string[], source: ReadySource): readonly string[] {
  if (!source.connectsLater()) return servers;
  const own = new Set(source.inProcessNames());
  return servers.filter((name) => !own.has(name));
}

async function readReport(source: ReadySource, signal: AbortSignal | undefined): Promise<ToolReport> {
  const reply = await source.status(signal);
  const rows = isRecord(reply) && Array.isArray(reply['mcpServers']) ? reply['mcpServers'] : [];
  const report = checkStatusTools(source.defined(), rows.filter(isRecord), toolName);
  return { ...report, deferred: source.deferred() };
}

interface Problem {
  text: string;
  /** Whether waiting longer cannot help. */
  isFinal: boolean;
}

function findServerProblems(names: readonly string[], report: ToolReport): Problem[] {
  return names.flatMap((name) => {
    const server = report.servers.find((row) => row.name === name);
    const status = server?.status ?? 'absent';
    if (status === 'connected') return [];
    const why = server?.error ? ` (${server.error})` : '';
    return [
      { text: `server "${name}" is ${status}${why}`, isFinal: !['pending', 'absent'].includes(status) },
    ];
  });
}

function findToolProblems(report: ToolReport, wanted: readonly string[] | undefined): Problem[] {
  const absent = wanted
    ? wanted.filter((name) => !report.listed.includes(name))
    : report.missing.map((tool) => tool.toolName);
  return absent.map((name) => ({ text: `tool "${name}" is not listed by the CLI`, isFinal: false }));
}
