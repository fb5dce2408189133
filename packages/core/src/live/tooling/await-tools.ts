// Implements `ready()`: polls the CLI until the expected servers are connected and the expected tools are listed. If that
// fails, the error names what is missing and why. Polling needs no turn, so a server that connects late is noticed too.
import { BackOff } from '../../util/back-off.js';
import { isRecord } from '../../util/guards.js';
import { onAbort } from '../../util/on-abort.js';
import { LONGEST_TIMER_MS, sleep } from '../../util/timers.js';
import { ToolsNotReadyError } from '../../errors.js';
import type { DefinedTool } from '../../answer/mcp/tool/defined-tool.js';
import { toolName } from '../../answer/mcp/tool/tool-name.js';
import type { Options } from '../../options/options.js';
import { diagnoseTool } from '../../answer/diagnosis/diagnose-tool.js';
import { checkStatusTools } from './tool-check.js';
import { collectFacts, completeReport, type ToolReport } from './tool-report.js';

/** Which servers and tools to wait for, and how long. */
export interface ReadyOptions {
  /** The names of the servers. Default: the servers in `mcpServers`, and those that were set at run time. */
  servers?: readonly string[] | undefined;
  /** The tools, by the names that the model knows: `mcp__server__tool`. Default: the tools of the in-process servers. */
  tools?: readonly string[] | undefined;
  /** How long to wait, in milliseconds. Default 30 000. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The expected servers and tools, and the means to ask the CLI about them. */
export interface ReadySource {
  serverNames: readonly string[];
  inProcessNames(): readonly string[];
  defined(): DefinedTool[];
  status(signal: AbortSignal): Promise<unknown>;
  /** Whether in-process servers connect only with the first message. Their absence means nothing until then. */
  connectsLater(): boolean;
  /** The deferred tools of the last `system/init`. */
  deferred(): DefinedTool[];
  options: Options;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const PAUSES = { firstMs: 20, longestMs: 500 };

/**
 * Resolves with the report when everything is available. If waiting longer cannot help, or the time is up, rejects with a
 * ToolsNotReadyError that contains the report.
 */
export async function awaitTools(source: ReadySource, options: ReadyOptions = {}): Promise<ToolReport> {
  const { servers = source.serverNames, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  const deadline = performance.now() + timeoutMs;
  const backOff = new BackOff(PAUSES);
  for (;;) {
    const found = await readReport(source, { deadline, timeoutMs, signal });
    const late = findLate(servers, source);
    const report = { ...found, unknown: late };
    const expected = servers.filter((name) => !late.includes(name));
    const problems = [
      ...findServerProblems(expected, report),
      ...findToolProblems(source, report, options.tools),
    ];
    if (problems.length === 0) return report;
    const isFinal = problems.every((problem) => problem.isFinal);
    const pause = backOff.next();
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

/** The servers that cannot be connected yet. */
function findLate(servers: readonly string[], source: ReadySource): string[] {
  if (!source.connectsLater()) return [];
  const own = new Set(source.inProcessNames());
  return servers.filter((name) => own.has(name));
}

interface Limit {
  deadline: number;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

async function readReport(source: ReadySource, { deadline, timeoutMs, signal }: Limit): Promise<ToolReport> {
  let timer: NodeJS.Timeout | undefined;
  // After the wait, a request that is still open is withdrawn, and no listener is left on the caller's signal.
  const unwanted = new AbortController();
  const withdraw = (): void => unwanted.abort(signal?.reason);
  const forgetSignal = signal && onAbort(signal, withdraw);
  if (signal?.aborted) withdraw();
  const late = new Promise<undefined>((resolve) => {
    const ms = Math.max(1, deadline - performance.now());
    timer = setTimeout(() => resolve(undefined), Math.min(ms, LONGEST_TIMER_MS));
  });
  try {
    const reply = await Promise.race([source.status(unwanted.signal).then((answer) => ({ answer })), late]);
    if (reply) return reportOn(source, reply.answer);
  } finally {
    clearTimeout(timer);
    forgetSignal?.();
    withdraw();
  }
  throw new ToolsNotReadyError(
    `The CLI did not report within ${timeoutMs} ms which servers are connected`,
    reportOn(source, undefined),
  );
}

function reportOn(source: ReadySource, reply: unknown): ToolReport {
  const rows = isRecord(reply) && Array.isArray(reply['mcpServers']) ? reply['mcpServers'] : [];
  const defined = source.defined();
  const lists = checkStatusTools(defined, rows.filter(isRecord), toolName);
  return completeReport({ ...lists, deferred: source.deferred() }, defined, source.options);
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

function findToolProblems(
  source: ReadySource,
  report: ToolReport,
  wanted: readonly string[] | undefined,
): Problem[] {
  const absent = wanted
    ? wanted.filter((name) => !report.listed.includes(name))
    : report.missing.map((tool) => tool.toolName);
  if (absent.length === 0) return [];
  const facts = collectFacts(report, source.defined(), source.options);
  return absent.map((name) => {
    const [cause] = diagnoseTool(name, facts).causes;
    const why = cause ? `: ${cause.reason}. ${cause.advice}` : '';
    return { text: `tool "${name}" is not listed by the CLI${why}`, isFinal: cause?.kind === 'denied' };
  });
}
