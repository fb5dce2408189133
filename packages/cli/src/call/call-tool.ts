// `inboard call`: runs one tool directly. Only results go to the standard output. Progress, log lines and warnings go to the
// standard error.
import { text as readAll } from 'node:stream/consumers';
import type { CallToolResult } from '@inboard/core/answer/mcp/result/tool-content.js';
import type { ToolProgress } from '@inboard/core/answer/mcp/tool/tool-events.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { messageOf, textOrJson } from '@inboard/core/util/message-of.js';
import { findNearestName } from '@inboard/core/util/nearest-name.js';
import { readSwitch, type CommandInput } from '../command.js';
import { loadTools } from '../tools-file/load-tools.js';
import { formatProgress } from '../terminal/short-texts.js';
import { createStyler, noteLine, printJson, type Terminal } from '../terminal/terminal.js';
import { printResult } from './print-result.js';
import { ToolHost, type HostedTool } from '../tools-file/tool-host.js';
import { CommandError, EXIT_CODES, UsageError } from '../terminal/usage-error.js';

/** Calls a tool and prints its result. The exit code is 1 if the result is an error. */
export async function runCallCommand(input: CommandInput): Promise<number> {
  const { terminal } = input;
  const [file = '', wanted = '', given] = input.args;
  const args = await readArguments(given, terminal);
  const { servers, contextFor, warnings } = await loadTools(file, terminal.cwd);
  const context = await contextFor?.({ via: 'command' });
  const style = createStyler(terminal, 'stderr');
  const host = new ToolHost(servers, {
    context,
    onWarning: ({ message }) => noteLine(terminal, `Warning: ${message}`),
    onToolEvent: (event) => {
      if (event.type === 'log') noteLine(terminal, style('dim', `${event.level}: ${textOrJson(event.data)}`));
    },
    // Every server sends progress as a message. Log lines are messages only if the server is not made by this library.
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
    if (readSwitch(input, 'json')) printJson(terminal, result, 2);
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
  const where = given === '-' ? 'Standard input' : 'The argument';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `${where} is not JSON (${messageOf(error)}). Give one JSON object, quoted for your shell: '{"key":"value"}'.`,
    );
  }
  if (isRecord(value)) return value;
  throw new UsageError(
    `${where} is JSON, but not an object. A tool takes an object, such as '{"key":"value"}'.`,
  );
}

// Finds a tool by its own name, or by the name the model sees.
function findTool(tools: readonly HostedTool[], wanted: string): HostedTool {
  const found = tools.filter(({ toolName, listing }) => toolName === wanted || listing.name === wanted);
  const [only, ...more] = found;
  if (only && more.length === 0) return only;
  if (only) {
    throw new UsageError(
      `Several servers have a tool "${wanted}". Use its full name: ${found.map(({ toolName }) => toolName).join(' or ')}.`,
    );
  }
  const names = tools.map(({ listing }) => listing.name);
  const nearest = findNearestName(wanted, [...names, ...tools.map(({ toolName }) => toolName)]);
  const hint =
    nearest === undefined ? `The tools are: ${names.join(', ') || 'none'}.` : `Did you mean "${nearest}"?`;
  throw new CommandError('UNKNOWN_TOOL', `There is no tool "${wanted}". ${hint}`);
}

function describeMessage(message: object): string | undefined {
  const { method, params = {} } = message as { method?: string; params?: Record<string, unknown> };
  if (method === 'notifications/message') return `${String(params['level'])}: ${textOrJson(params['data'])}`;
  if (method !== 'notifications/progress') return undefined;
  return `progress ${formatProgress(params as unknown as ToolProgress)}`;
}
