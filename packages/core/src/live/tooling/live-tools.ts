// Owns the in-process servers of a live CLI. Binds them, sends their messages, replaces them at run time, and waits until they
// are ready. `tool-warnings` watches which of their tools the CLI lists.
import { bindServers, type BoundServers, type McpReply } from '../../answer/mcp/answer-mcp-message.js';
import type { CompiledTool } from '../../answer/mcp/tool/compiled-tool.js';
import { replyWith } from '../../answer/mcp/binding/rpc-message.js';
import { errorResult } from '../../answer/mcp/result/content-helpers.js';
import type { SdkServers } from '../../answer/mcp/server-table.js';
import { correctStatus } from '../../answer/mcp/tool/parallel-mark.js';
import type { WaitForPerson } from '../../answer/mcp/binding/cli-link.js';
import type { SessionToolEvent } from '../../answer/mcp/tool/tool-events.js';
import type { Options } from '../../options/options.js';
import type { PlannedServers } from '../../options/launch/launch-plan.js';
import { NEWEST_VERSION } from '../../options/supported-versions.js';
import type { AnswerContext, Answerer } from '../../wire/protocol/answer.js';
import type { IdentifyCall } from '../../wire/protocol/call-identity.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { JSONRPCId } from '../../wire/protocol/json-rpc.js';
import type { InitializeResponse } from '../../wire/protocol/control/control.js';
import {
  isInProcess,
  type McpSdkServerConfigWithInstance,
  type McpServerConfig,
} from '../../wire/protocol/config/mcp-config.js';
import type { McpSetServersResult } from '../../wire/protocol/config/mcp-status.js';
import { blocksOf } from '../../wire/protocol/messages/message-content.js';
import { randomUUID } from '../../util/random-uuid.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import { awaitTools, type ReadyOptions } from './await-tools.js';
import type { ParallelGuard } from './parallel-guard.js';
import { readToolRequest, type CallRecorder, type ToolRequest } from './call-recorder.js';
import type { ToolReport } from './tool-report.js';
import { ToolWarnings } from './tool-warnings.js';
import { subagentOf, ToolWatch } from './tool-watch.js';
import type { WarningReporter } from '../../options/check/warning-reporter.js';

/** How many calls of subagents are remembered. Far fewer can be open at a time. */
const MAX_REMEMBERED_CALLS = 1_000;

/** Why a result cannot come later in a conversation without records, where nothing more is known. */
const NOT_RECORDED = 'the calls of this conversation are not recorded';

export interface LiveToolsOptions {
  options: Options;
  warnings: WarningReporter;
  sessionId: () => string | undefined;
  identify: IdentifyCall;
  /** Follows the waits of a tool for a person, if others may use the conversation's slot meanwhile. */
  wait?: WaitForPerson | undefined;
  /** Whether a message was written or is about to be. */
  hasMessage: () => boolean;
  request: (request: { subtype: string }, options?: { signal?: AbortSignal | undefined }) => Promise<unknown>;
  /** Called if a tool is missing and the caller wants that to end the CLI. */
  onMissing: (error: Error) => void;
  /** The recorder of a conversation that records its calls. */
  recorder?: (() => CallRecorder | undefined) | undefined;
  /** Why a conversation does not record its calls, if that is known. */
  unrecorded?: (() => string | undefined) | undefined;
  /** Decides which tools the CLI may get a hint about that is not true, and which of their calls must not run. */
  guard?: ParallelGuard | undefined;
  /** Whether handlers run on although the CLI ends: it ended by itself, or its turn goes on later. */
  keepsHandlers?: (() => boolean) | undefined;
}

interface McpQuestion {
  server_name: string;
  message: unknown;
}

/** One per live CLI. It is closed with the CLI. */
export class LiveTools {
  readonly answer: Answerer;
  readonly #servers: BoundServers;
  readonly #agents = new Map<string, string>();
  readonly #given: LiveToolsOptions;
  readonly #watch: ToolWatch;
  readonly #toolWarnings: ToolWarnings;
  /** The names given to the last `replace`. */
  #setLater: readonly string[] | undefined;

  constructor(given: LiveToolsOptions) {
    this.#given = given;
    const {
      options,
      warnings,
      sessionId,
      identify,
      wait,
      request,
      recorder,
      unrecorded,
      guard,
      keepsHandlers,
    } = given;
    const servers = bindServers({
      servers: pickInProcess(options.mcpServers ?? {}),
      // The CLI's reply has no content, and a CLI that is over refuses the message. Both are ignored.
      notify: (server_name, message) => {
        request({ subtype: 'mcp_message', server_name, message } as { subtype: string }).catch(() => {});
      },
      context: options.toolContext,
      sessionId,
      identify,
      wait,
      agentIdOf: (toolUseId) => this.agentIdOf(toolUseId),
      // Undefined if the caller does not listen, because an event for each call has a cost.
      onToolEvent: options.onToolEvent && ((event) => this.#emit({ inProcess: true, ...event })),
      aroundTool: options.aroundTool,
      recordProgress: recorder && ((requestId, progress) => recorder()?.noteProgress(requestId, progress)),
      recordWait:
        recorder && (async (requestId, wait) => await (recorder()?.wait(requestId, wait) ?? wait.answer)),
      pend:
        recorder &&
        (async (requestId, call) =>
          (await recorder()?.pend(requestId, call)) ?? { refused: unrecorded?.() ?? NOT_RECORDED }),
      keepRunning:
        recorder &&
        ((call, requestId) => keepsHandlers?.() === true && recorder()?.keep(call, requestId) === true),
      mayHint: guard && ((name) => guard.covers(name)),
      onWarning: (warning) => warnings.emit(warning),
    });
    guard?.cover(servers.parallelToolNames());
    this.#servers = servers;
    this.#watch = new ToolWatch({
      isInProcess: (name) => servers.definedTools().some((tool) => tool.toolName === name),
      tell: (event) => this.#emit(event),
    });
    this.#toolWarnings = new ToolWarnings(given, () => servers.definedTools());
    // A query records nothing, so it skips the recorder entirely.
    const answer: Answerer = recorder
      ? (asked, context) => this.#answerRecorded(asked as unknown as McpQuestion, context, recorder())
      : (asked, context) => servers.answer(asked as unknown as McpQuestion, context);
    this.answer = guard?.isNeeded
      ? (asked, context) =>
          this.#refuseUnguarded(guard, asked as unknown as McpQuestion) ?? answer(asked, context)
      : answer;
  }

  /** The answer to a call of a parallel tool that must not run. Undefined for all other messages. */
  #refuseUnguarded(guard: ParallelGuard, { server_name, message }: McpQuestion): McpReply | undefined {
    const call = readToolRequest(server_name, message);
    const problem = call && guard.findProblem(call.toolName, call.toolUseId);
    if (!problem) return undefined;
    const text = `The call of the parallel tool ${call.toolName} was not run: ${problem}`;
    this.#given.warnings.emit({ code: 'PARALLEL_CALL_REFUSED', message: text });
    return { mcp_response: replyWith(call.id as JSONRPCId, errorResult(new Error(text))) };
  }

  #answerRecorded(asked: McpQuestion, context: AnswerContext, recorder: CallRecorder | undefined): McpReply {
    const call = recorder && readToolRequest(asked.server_name, asked.message);
    if (!call) return this.#servers.answer(asked, context);
    const tool = this.#servers.findTool(call.toolName);
    const activity = tool?.waits ? 'person' : tool?.detached ? 'detached' : undefined;
    const request: ToolRequest = { ...call, context, onRepeat: tool?.onRepeat, activity };
    return recorder.run(request, () => this.#servers.answer(asked, context));
  }

  /** Finds the in-process tool that the model knows by this name. */
  findTool(toolName: string): CompiledTool | undefined {
    return this.#servers.findTool(toolName);
  }

  /** The CLI's answer to `mcp_status`, with the annotations as the authors of the tools wrote them. */
  correctStatus(status: unknown): unknown {
    return correctStatus(status, (server, tool) => this.#servers.isMarkedParallel(server, tool));
  }

  /** The names of the current servers. */
  get serverNames(): readonly string[] {
    return this.#servers.names;
  }

  /** Sends a message to a server as the CLI would, outside any turn. Resolves with the JSON-RPC reply. */
  async ask(server_name: string, message: unknown): Promise<unknown> {
    const { signal } = new AbortController();
    const { mcp_response: reply } = await this.#servers.answer(
      { server_name, message },
      { requestId: `inspector_${randomUUID()}`, signal },
    );
    return reply;
  }

  /** Why a call of an in-process tool with this input would be refused. Undefined if it would be accepted. */
  findInputProblem(toolName: string, input: unknown): string | undefined | Promise<string | undefined> {
    return this.#servers.findInputProblem(toolName, input);
  }

  /** Whether a server is told the CLI's version. */
  get tellsVersion(): boolean {
    return this.#servers.areToldVersion;
  }

  /** The servers' part of the handshake. It is a promise only if a foreign server must be asked first. */
  plan(version: string | undefined): PlannedServers | Promise<PlannedServers> {
    const manifests = this.#servers.manifests(version ?? NEWEST_VERSION);
    const complete = (found: Awaited<typeof manifests>): PlannedServers => ({
      names: this.#servers.names,
      configs: this.#servers.configs(),
      manifests: found,
    });
    return manifests instanceof Promise ? manifests.then(complete) : complete(manifests);
  }

  /** Looks in a message for calls of subagents, for tools that the CLI runs itself, and for the tools that it lists. */
  observe(message: WireObject): void {
    if (this.#given.options.onToolEvent) this.#watch.observe(message);
    this.#toolWarnings.observe(message);
    this.#given.guard?.observe(message);
    this.#rememberAgent(message);
  }

  /** The subagent behind a tool call, once the CLI has shown the call. */
  agentIdOf(toolUseId: string): string | undefined {
    return this.#agents.get(toolUseId);
  }

  /**
   * Waits until the expected servers and tools are available. Calls `needMessage` if some of them wait for the first
   * message.
   */
  async ready(
    reply: Promise<InitializeResponse>,
    options?: ReadyOptions,
    needMessage: () => void = () => {},
  ): Promise<ToolReport> {
    // A CLI that names no capabilities (before 2.1.289) connects in-process servers with the first message.
    const isLate = !Array.isArray((await reply).capabilities);
    if (isLate && this.#servers.names.length > 0) needMessage();
    return await awaitTools(
      {
        serverNames: this.#expectedServers(),
        inProcessNames: () => this.#servers.names,
        connectsLater: () =>
          isLate && this.#toolWarnings.lastLists === undefined && !this.#given.hasMessage(),
        defined: () => this.#servers.definedTools(),
        status: (signal) => this.#given.request({ subtype: 'mcp_status' }, { signal }),
        deferred: () => this.#toolWarnings.lastLists?.deferred ?? [],
        options: this.#given.options,
      },
      options,
    );
  }

  /** The servers of the options. If servers were set at run time, they take the place of the in-process ones. */
  #expectedServers(): string[] {
    const given = Object.entries(this.#given.options.mcpServers ?? {});
    const later = this.#setLater;
    if (!later) return given.map(([name]) => name);
    const kept = given.filter((entry) => !isOwnEntry(entry)).map(([name]) => name);
    return [...new Set([...kept, ...later])];
  }

  #rememberAgent(message: WireObject): void {
    const agent = message['type'] === 'assistant' ? subagentOf(message) : undefined;
    if (agent === undefined) return;
    for (const block of blocksOf(message)) {
      if (block['type'] === 'tool_use') this.#agents.set(String(block['id']), agent);
    }
    for (const oldest of this.#agents.keys()) {
      if (this.#agents.size <= MAX_REMEMBERED_CALLS) return;
      this.#agents.delete(oldest);
    }
  }

  /** Replaces the servers that were set at run time, and all in-process ones. The latter change only if the CLI agrees. */
  async replace(
    servers: Record<string, McpServerConfig>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<McpSetServersResult> {
    const inProcess = pickInProcess(servers);
    const swap = this.#servers.replace(inProcess);
    try {
      const request = { subtype: 'mcp_set_servers', servers: describeServers(servers) };
      const result = await this.#given.request(request, options);
      swap.commit();
      this.#setLater = Object.keys(servers);
      return result as McpSetServersResult;
    } catch (error) {
      swap.rollback();
      throw error;
    }
  }

  close(reason: Error): void {
    this.#servers.close(reason);
    this.#watch.close(reason);
    this.#agents.clear();
  }

  #emit(event: SessionToolEvent): void {
    this.#given.warnings.call('onToolEvent', () => this.#given.options.onToolEvent?.(event));
  }
}

/** Picks the servers that run in this process. */
function pickInProcess(servers: Record<string, McpServerConfig>): SdkServers {
  return Object.fromEntries(Object.entries(servers).filter(isOwnEntry));
}

function isOwnEntry(entry: [string, McpServerConfig]): entry is [string, McpSdkServerConfigWithInstance] {
  return isInProcess(entry[1]);
}

/** Describes the servers for `mcp_set_servers`: external ones first, then the in-process ones without their instance. */
function describeServers(servers: Record<string, McpServerConfig>): Record<string, object> {
  const entries = Object.entries(servers);
  const own = entries
    .filter(isOwnEntry)
    .map(([name, { timeout, tools }]) => [name, withoutUndefined({ type: 'sdk', name, timeout, tools })]);
  const others = entries.filter((entry) => !isOwnEntry(entry));
  return Object.fromEntries([...others, ...own]) as Record<string, object>;
}
