// `createSdkMcpServer` makes a server from tools, prompts and resources. It warns of tools that the model will see under
// another name or not at all.
import { InvalidOptionsError, SchemaError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';
import { anyList, checkShape, notGiven, wholeNumber } from '../../../util/option-shapes.js';
import { warnOnce } from '../../../util/warn-once.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import type {
  McpSdkServerConfigWithInstance,
  McpServerToolPolicy,
} from '../../../wire/protocol/config/mcp-config.js';
import { isOnlyOurs } from '../../schema/compile-schema.js';
import type { AnySchema } from '../../schema/infer.js';
import { checkLimits, type ToolLimits } from '../tool/limits.js';
import { createGate } from '../tool/concurrency-gate.js';
import { compilePrompt } from '../prompts/compile-prompt.js';
import type { PlainPrompt } from '../prompts/prompts.js';
import { compileResource } from '../resources/compile-resource.js';
import type { ResourceDefinition } from '../resources/resources.js';
import type {
  CompleteToolKeys,
  InlineTool,
  PlainTool,
  SdkMcpToolDefinition,
} from '../tool/tool-definition.js';
import { warnOfUnknownKeys } from '../tool/tool-keys.js';
import type { ContextOfTools, HasContext, ReadsMore, RestOfContext } from '../tool/needed-context.js';
import { findNameCollisions, rewriteName, type HasTools } from '../tool/tool-name.js';
import { catalogOf, ToolServer } from './tool-server.js';

/**
 * The parts of a server. A limit applies to each tool that does not set it, except that `retries` applies only to tools that
 * are marked as idempotent or read-only, and `concurrency` to all tools together.
 */
export interface CreateSdkMcpServerOptions<
  Schemas extends readonly AnySchema[] = readonly AnySchema[],
> extends ToolLimits {
  name: string;
  /** The server's version, for clients. Default `1.0.0`. */
  version?: string | undefined;
  /** Text about the server that the model reads. */
  instructions?: string | undefined;
  /** Made by `tool()`, or plain objects of the same form. The arguments of their handlers get types as well. */
  tools?: { readonly [Index in keyof Schemas]: InlineTool<Schemas[Index]> } | undefined;
  /** Made by `mcpPrompt()`, or plain objects of the same form. The CLI does not ask in-process servers for prompts. */
  prompts?: readonly PlainPrompt[] | undefined;
  /** Made by `mcpResource()`, or plain objects of the same form. */
  resources?: readonly ResourceDefinition[] | undefined;
  /** Whether the model sees the tools from the start. A tool's own `alwaysLoad` takes precedence. */
  alwaysLoad?: boolean | undefined;
  /** How long the CLI waits for a call, in milliseconds; at least 1000. `timeoutMs` is the limit in this process. */
  timeout?: number | undefined;
  /** Permission policies, by tool. */
  toolPolicies?: McpServerToolPolicy[] | undefined;
  /** The context that handlers get as `extra.context`. It is merged with the context of the query. */
  context?: unknown;
  /** Tools per page of `tools/list`. Default: all on one page. */
  pageSize?: number | undefined;
  /** Announces tools even while there are none, so that one can be added during a running session. Default false. */
  toolsMayChange?: boolean | undefined;
}

/**
 * A server for `mcpServers`, as `createSdkMcpServer` returns it. Its type knows the context that its tools declare, and
 * their names when `tool()` made all of them.
 */
export type SdkMcpServer<
  ToolName extends string = string,
  Context = unknown,
> = McpSdkServerConfigWithInstance & HasTools<ToolName> & HasContext<Context> & { instance: ToolServer };

// oxlint-disable-next-line typescript/no-explicit-any -- a wrapper's handler, written in place, stays free in its arguments
type CompleteTool = SdkMcpToolDefinition<any, string, any> & CompleteToolKeys;

// The options of a server whose tools were all made by `tool()`.
type OptionsOfKnownTools<Tools extends readonly CompleteTool[], Given, Resources> = Omit<
  CreateSdkMcpServerOptions,
  'tools' | 'toolsMayChange' | 'context' | 'resources'
> & {
  tools: Tools;
  toolsMayChange?: false | undefined;
  context?: Given | undefined;
  resources?: Resources;
};

// The readers of resources declare no context, so they may read any part of it.
type ServerOfKnownTools<Tools extends readonly CompleteTool[], Given, Resources> = [Resources] extends [
  undefined,
]
  ? SdkMcpServer<Tools[number]['name'], RestOfContext<ContextOfTools<Tools>, Given>>
  : SdkMcpServer<Tools[number]['name'], RestOfContext<ContextOfTools<Tools>, Given>> & ReadsMore;

/**
 * Makes an in-process MCP server, usable in any number of queries at once. Throws an InvalidOptionsError
 * for duplicate names and limits that make no sense. A tool in the official form whose schema cannot be
 * converted is left out, with the process warning `CLAUDE_SDK_MCP_TOOL_SCHEMA_UNCONVERTIBLE`.
 * @example
 * ```ts
 * mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [count] }) },
 * allowedTools: [count],
 * ```
 */
export function createSdkMcpServer<
  const Tools extends readonly CompleteTool[],
  Given = undefined,
  Resources extends readonly ResourceDefinition[] | undefined = undefined,
>(options: OptionsOfKnownTools<Tools, Given, Resources>): ServerOfKnownTools<Tools, Given, Resources>;
export function createSdkMcpServer<const Schemas extends readonly AnySchema[]>(
  options: CreateSdkMcpServerOptions<Schemas>,
): SdkMcpServer;
export function createSdkMcpServer(options: CreateSdkMcpServerOptions): SdkMcpServer {
  checkForm(options);
  const { name, alwaysLoad, pageSize, timeoutMs, maxResultChars, retries, concurrency } = options;
  checkOptions(options);
  const instance = new ToolServer({
    name,
    version: options.version ?? '1.0.0',
    instructions: options.instructions,
    context: options.context,
    defaults: withoutUndefined({
      timeoutMs,
      maxResultChars,
      retries,
      alwaysLoad,
      gate: createGate(concurrency),
    }),
    pageSize,
    toolsMayChange: options.toolsMayChange ?? false,
  });
  addTools(instance, options.tools ?? [], name);
  const catalog = catalogOf(instance);
  for (const prompt of options.prompts ?? []) catalog.addPrompt(compilePrompt(prompt));
  for (const resource of options.resources ?? []) catalog.addResource(compileResource(resource));
  const { timeout, toolPolicies: tools } = options;
  return withoutUndefined({ type: 'sdk', name, instance, timeout, tools });
}

function checkForm(options: unknown): void {
  if (!isRecord(options))
    throw new InvalidOptionsError(
      [],
      'createSdkMcpServer() takes an object: createSdkMcpServer({ name: "shop", tools: [count] })',
    );
  for (const list of ['tools', 'prompts', 'resources']) {
    const given = options[list];
    if (given !== null) checkShape(list, given, anyList, { called: `"${list}" of createSdkMcpServer()` });
  }
}

function checkOptions(options: Omit<CreateSdkMcpServerOptions, 'tools'>): void {
  const { name, pageSize } = options;
  if (typeof name !== 'string' || name === '') {
    throw new InvalidOptionsError(['name'], 'createSdkMcpServer needs a name: a string that is not empty');
  }
  checkLimits(options, () => `the server "${name}"`);
  checkShape('pageSize', pageSize, wholeNumber(1), {
    called: `pageSize of the server "${name}"`,
    end: notGiven,
  });
}

function addTools(server: ToolServer, tools: readonly PlainTool[], serverName: string): void {
  const catalog = catalogOf(server);
  for (const tool of tools) {
    try {
      catalog.addTool(tool);
      warnOfUnknownKeys(tool, { onlyTypos: true });
    } catch (error) {
      // A tool with `run`, or with a schema that only this SDK takes, was written for this SDK, so its mistake is thrown.
      // A tool in the official form must not keep the server from starting.
      const isOurs = tool.run ?? (isOnlyOurs(tool.inputSchema) || isOnlyOurs(tool.outputSchema));
      if (!(error instanceof SchemaError) || isOurs) throw error;
      process.emitWarning(
        `The tool "${error.tool}" of the server "${serverName}" was left out${error.path ? ` (at "${error.path}")` : ''}: ${error.message}`,
        { code: 'CLAUDE_SDK_MCP_TOOL_SCHEMA_UNCONVERTIBLE' },
      );
    }
  }
  warnOfNames(catalog.toolNames, serverName);
}

function warnOfNames(names: readonly string[], serverName: string): void {
  const collisions = findNameCollisions(names);
  for (const group of collisions) {
    warnOnce(
      `The tools ${group.map((name) => `"${name}"`).join(' and ')} of the server "${serverName}" have the same name for the model ("${rewriteName(group[0] ?? '')}"); it can call only the first`,
      'INBOARD_TOOL_NAME_COLLISION',
    );
  }
  const reported = new Set(collisions.flat());
  for (const name of names) {
    const rewritten = rewriteName(name);
    if (rewritten === name || reported.has(name)) continue;
    warnOnce(
      `The model knows the tool "${name}" of the server "${serverName}" as "${rewritten}": the CLI accepts only letters, digits, "_" and "-"`,
      'INBOARD_TOOL_NAME_REWRITTEN',
    );
  }
}
