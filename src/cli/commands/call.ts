// `inboard call`: one tool, run directly. Content goes to the output; what is said about it does not.
import { text as readAll } from 'node:stream/consumers';
import type { CallToolResult } from '../../answer/mcp/result/tool-content.js';
import type { ToolProgress } from '../../answer/mcp/tool/tool-events.js';
import { findNearestName } from '../../util/nearest-name.js';
import { readSwitch, type CommandInput } from '../command.js';
import { loadTools } from '../tools/load-tools.js';
import { createStyler, noteLine, printLine, type Terminal } from '../terminal/terminal.js';
import { ToolHost, type ListedTool } from '../tools/tool-host.js';
import { CommandError, EXIT_CODES, UsageError } from '../terminal/usage-error.js';

/** Calls a tool and prints what it gave; exit code 1 when that is an error. */
export async function callTool(input: CommandInput): Promise<number> {
  const { terminal, words } = input;
  const [file = '', wanted = '', given] = words;
  const args = await readArguments(given, terminal);
  const { servers, warnings } = await loadTools(file, terminal.cwd);
  const style = createStyler(terminal, 'stderr');
  const host = new ToolHost(servers, {
    onWarning: ({ message }) => noteLine(terminal, `Warning: ${message}`),
    onToolEvent: (event) => {
      if (event.type === 'log')
        noteLine(terminal, style('dim', `${event.level}: ${describeData(event.data)}`));
    },
    // Progress is on the wire whoever made the server; of log lines, those of servers that are not ours.
    onMessage: (_server, message) => {
      const line = describeMessage(message);
      if (line !== undefined) noteLine(terminal, style('dim', line));
    },
  });
  for (const { message } of warnings) noteLine(terminal, `Warning: ${message}`);
  try {
    await host.open(terminal.signal);
    const tool = findTool(await host.listTools(terminal.signal), wanted);
    const params = { name: tool.listing.name, arguments: args, _meta: { progressToken: 1 } };
    const result = await host.ask(tool.server, { method: 'tools/call', params }, terminal.signal);
    terminal.signal.throwIfAborted();
    if (readSwitch(input, 'json')) printLine(terminal, JSON.stringify(result, undefined, 2));
    else printResult(terminal, result as unknown as CallToolResult);
    return result['isError'] === true ? EXIT_CODES.failed : EXIT_CODES.ok;
  } finally {
    host.close();
  }
}

async function readArguments(
  given: string | undefined,
  terminal: Terminal,
): Promise<Record<string, unknown>> {
  if (given === undefined) return {};
  const text = given === '-' ? await readAll(terminal.stdin) : given;
  const where = given === '-' ? 'The input' : 'The arguments';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `${where}: not JSON (${error instanceof Error ? error.message : String(error)}). Quote them as one word: '{"key":"value"}'.`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${where}: a tool takes a JSON object, as in '{"key":"value"}'.`);
  }
  return value as Record<string, unknown>;
}

// By its own name, or by the one the model knows.
function findTool(tools: readonly ListedTool[], wanted: string): ListedTool {
  const found = tools.filter(({ toolName, listing }) => toolName === wanted || listing.name === wanted);
  const [only, ...more] = found;
  if (only && more.length === 0) return only;
  if (only) {
    throw new UsageError(
      `Several servers have a tool "${wanted}": say which by ${found.map(({ toolName }) => toolName).join(' or ')}.`,
    );
  }
  const names = tools.map(({ listing }) => listing.name);
  const nearest = findNearestName(wanted, [...names, ...tools.map(({ toolName }) => toolName)]);
  const hint =
    nearest === undefined ? `There are: ${names.join(', ') || 'none'}.` : `Did you mean "${nearest}"?`;
  throw new CommandError('UNKNOWN_TOOL', `There is no tool "${wanted}". ${hint}`);
}

function printResult(terminal: Terminal, result: CallToolResult): void {
  const isError = result.isError === true;
  const print = isError ? noteLine : printLine;
  const content = (Array.isArray(result.content) ? result.content : []) as unknown as Record<
    string,
    unknown
  >[];
  for (const block of content) print(terminal, describeBlock(block));
  if (content.length === 0 && result.structuredContent !== undefined) {
    print(terminal, JSON.stringify(result.structuredContent, undefined, 2));
  }
}

function describeBlock(block: Record<string, unknown>): string {
  const { type, text, data, mimeType, uri, resource } = block;
  if (type === 'text') return String(text);
  if (typeof data === 'string') {
    return `[${String(type)}: ${String(mimeType)}, ${Buffer.byteLength(data, 'base64')} bytes; --json shows it]`;
  }
  if (type === 'resource_link') return `[resource: ${String(uri)}]`;
  const inner = resource as { uri?: unknown; text?: unknown } | undefined;
  if (typeof inner?.text === 'string') return `[resource ${String(inner.uri)}]\n${inner.text}`;
  return inner ? `[resource ${String(inner.uri)}; --json shows it]` : JSON.stringify(block);
}

function describeMessage(message: object): string | undefined {
  const { method, params = {} } = message as { method?: string; params?: Record<string, unknown> };
  if (method === 'notifications/message')
    return `${String(params['level'])}: ${describeData(params['data'])}`;
  if (method !== 'notifications/progress') return undefined;
  const { progress, total, message: text = '' } = params as unknown as ToolProgress;
  return `progress ${total === undefined ? progress : `${progress}/${total}`} ${text}`.trimEnd();
}

function describeData(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data);
}
