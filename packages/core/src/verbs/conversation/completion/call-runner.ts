// Runs a call of an in-process tool without a CLI: the same servers, checks, limits, events and callbacks as for a call that the CLI
// asks for.
import type { McpAnswer } from '../../../answer/mcp/answer-mcp-message.js';
import type { CompiledTool } from '../../../answer/mcp/tool/compiled-tool.js';
import { ToolServer } from '../../../answer/mcp/server/tool-server.js';
import { rewriteName } from '../../../answer/mcp/tool/tool-name.js';
import { SessionClosedError } from '../../../errors.js';
import type { CallRecorder } from '../../../live/tooling/call-recorder.js';
import { LiveTools } from '../../../live/tooling/live-tools.js';
import type { Options } from '../../../options/options.js';
import type { WarningReporter } from '../../../options/check/warning-reporter.js';
import { isRecord } from '../../../util/guards.js';
import { randomUUID } from '../../../util/random-uuid.js';
import type { IdentifyCall } from '../../../wire/protocol/call-identity.js';
import type { RecordedResult } from '../../../wire/protocol/config/call-records.js';
import { isInProcess } from '../../../wire/protocol/config/mcp-config.js';
import { readResult } from './read-result.js';

export interface CallRunnerInput {
  options: Options;
  warnings: WarningReporter;
  sessionId: string;
  identify: IdentifyCall;
  /** Undefined where whoever keeps the records notes calls by itself. */
  recorder: CallRecorder | undefined;
}

/** Where a tool is. */
export interface ToolPlace {
  readonly server: string;
  /** By the name its server knows. */
  readonly tool: string;
  /** Undefined where the server has no such tool, where it is disallowed, or where the server is not one of ours and tells nothing of its tools. */
  readonly compiled: CompiledTool | undefined;
  /** Whether the server is a foreign one. */
  readonly isForeign: boolean;
}

/** The in-process tools of a conversation that has no CLI at the moment. Ends by `close`. */
export class CallRunner {
  readonly #tools: LiveTools;
  /** In-process servers, longest names first: names may begin with each other. The value says whether it is a foreign one. */
  readonly #servers: readonly (readonly [name: string, isForeign: boolean])[];
  /** What the CLI would not offer the model: tools, or all of a server. */
  readonly #disallowed: ReadonlySet<string>;
  #lastId = 0;
  #isClosed = false;

  constructor({ options, warnings, sessionId, identify, recorder }: CallRunnerInput) {
    this.#servers = Object.entries(options.mcpServers ?? {})
      .flatMap(([name, config]) =>
        isInProcess(config) ? [[name, !((config.instance as unknown) instanceof ToolServer)] as const] : [],
      )
      .toSorted(([one], [other]) => other.length - one.length);
    this.#disallowed = new Set((options.disallowedTools ?? []).map(String));
    this.#tools = new LiveTools({
      options,
      warnings,
      sessionId: () => sessionId,
      identify,
      hasMessage: () => true,
      request: refuseQuestions,
      onMissing: () => {},
      recorder: recorder && (() => recorder),
    });
  }

  /** Where the tool is that the model knows by this name; undefined where no in-process server has that name. */
  find(toolName: string): ToolPlace | undefined {
    for (const [server, isForeign] of this.#servers) {
      const start = `mcp__${rewriteName(server)}__`;
      if (!toolName.startsWith(start)) continue;
      const names = [toolName, start.slice(0, -'__'.length), `${start}*`];
      if (names.some((name) => this.#disallowed.has(name)))
        return { server, tool: toolName.slice(start.length), compiled: undefined, isForeign: false };
      const compiled = this.#tools.findTool(toolName);
      return { server, tool: compiled?.name ?? toolName.slice(start.length), compiled, isForeign };
    }
    return undefined;
  }

  findInputProblem(toolName: string, input: unknown): string | undefined | Promise<string | undefined> {
    return this.#tools.findInputProblem(toolName, input);
  }

  /** Runs the call; gives its result, also where it is an error. */
  async run(
    { server, tool }: ToolPlace,
    { toolUseId, input, signal }: { toolUseId: string; input: unknown; signal: AbortSignal },
  ): Promise<RecordedResult> {
    this.#lastId += 1;
    const params = { name: tool, arguments: input, _meta: { 'claudecode/toolUseId': toolUseId } };
    const message = { jsonrpc: '2.0', id: this.#lastId, method: 'tools/call', params };
    const isWithdrawn = (): boolean => this.#isClosed || signal.aborted;
    const context = {
      requestId: `completion_${randomUUID()}`,
      signal,
      // What a call gives that was cancelled is not its result.
      get isWithdrawn() {
        return isWithdrawn();
      },
    };
    return readResult((await this.#tools.answer({ server_name: server, message }, context)) as McpAnswer);
  }

  close(reason: Error): void {
    this.#isClosed = true;
    this.#tools.close(reason);
  }
}

/** Stands for the CLI: nobody reads what handlers report, and what they ask ends at once instead of never. */
function refuseQuestions(asked: { subtype: string; message?: unknown }): Promise<unknown> {
  if (isRecord(asked.message) && 'id' in asked.message)
    throw new SessionClosedError('The call runs without a CLI, so nothing can be asked of it');
  return Promise.resolve();
}
