// Runs a call of an in-process tool without a CLI, with the same servers, checks, limits, events and callbacks as for a call
// from the CLI.
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
import { readRecordedResult } from './read-result.js';

export interface CallRunnerInput {
  options: Options;
  warnings: WarningReporter;
  sessionId: string;
  identify: IdentifyCall;
  /** Undefined where the program that keeps the records also writes them. */
  recorder: CallRecorder | undefined;
}

/** A tool and the server that has it. */
export interface ToolPlace {
  readonly server: string;
  /** The name of the tool on its server. */
  readonly tool: string;
  /**
   * Undefined where the server has no such tool, where the tool is disallowed, and for a foreign server, whose tools
   * are unknown.
   */
  readonly compiled: CompiledTool | undefined;
  /** Whether the server is foreign: not made by this library. */
  readonly isForeign: boolean;
}

/** The in-process tools of a conversation that has no CLI at the moment. The caller closes it. */
export class CallRunner {
  readonly #tools: LiveTools;
  /** In-process servers. The longest names come first, because one name may be the beginning of another. */
  readonly #servers: readonly (readonly [name: string, isForeign: boolean])[];
  /** Names of tools and of whole servers that the CLI would not offer the model. */
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

  /** Finds the tool that the model knows by this name. Undefined where no in-process server has that name. */
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

  /** Runs the call and returns its result, which may be an error. */
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
      // The answer of a cancelled call is not its result.
      get isWithdrawn() {
        return isWithdrawn();
      },
    };
    return readRecordedResult(
      (await this.#tools.answer({ server_name: server, message }, context)) as McpAnswer,
    );
  }

  close(reason: Error): void {
    this.#isClosed = true;
    this.#tools.close(reason);
  }
}

/** Stands in for the CLI. Reports of handlers have no reader, and their questions fail at once instead of waiting forever. */
function refuseQuestions(asked: { subtype: string; message?: unknown }): Promise<unknown> {
  if (isRecord(asked.message) && 'id' in asked.message)
    throw new SessionClosedError('The call runs without a CLI, so nothing can be asked of it');
  return Promise.resolve();
}
