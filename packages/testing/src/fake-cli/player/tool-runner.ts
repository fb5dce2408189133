// Takes a tool call of the model to its result: hooks, permission, and the call itself. `tool-permissions` decides
// whether a tool may be used, and `tool-reply` decides how the model sees the answer.
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { textOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import type { HookVerdict } from '../host/host-hooks.js';
import { modelName, type FoundTool, type HostServers, type ServerCall } from '../host/host-servers.js';
import type { MessageWriter } from '../host/message-writer.js';
import type { RunParts } from '../run-parts.js';
import type { RunState } from '../run-state.js';
import type { ToolAnswer, ToolCall } from '../script/fake-step.js';
import type { FakeTurn } from './fake-turn.js';
import { ToolPermissions, type RunningTool } from './tool-permissions.js';
import { readToolReply, type ToolReply } from './tool-reply.js';
import type { TurnQuestions } from './turn-questions.js';

/** The outcome of a call. */
export interface PlayedToolOutcome {
  readonly answer: ToolAnswer;
  /** The content of the `tool_result` block. */
  readonly content: unknown;
  /** The field `tool_use_result` of the line, beside the block. */
  readonly toolUseResult: unknown;
  /** Whether the host wants the turn to end after this call. */
  readonly stopsTurn: boolean;
}

/** The built-in tools that a fake CLI lists. It runs none of them. */
export const BUILT_IN = ['Task', 'Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write'];

export class ToolRunner {
  readonly #state: RunState;
  readonly #servers: HostServers;
  readonly #writer: MessageWriter;
  readonly #questions: TurnQuestions;
  readonly #permissions: ToolPermissions;
  readonly #openCalls = new Set<ServerCall>();

  constructor(parts: RunParts, questions: TurnQuestions) {
    this.#state = parts.state;
    this.#servers = parts.servers;
    this.#writer = parts.writer;
    this.#questions = questions;
    this.#permissions = new ToolPermissions(parts, questions);
  }

  /** Whether a call may run at the same time as others. */
  isReadOnly(call: ToolCall): boolean {
    return call.result !== undefined || this.#servers.find(call.name)?.isReadOnly === true;
  }

  /** Plays a call of the model to its result. */
  async run(call: ToolCall, id: string, turn: FakeTurn): Promise<PlayedToolOutcome> {
    const tool = call.result === undefined ? this.#servers.find(call.name) : undefined;
    const running: RunningTool = { call, id, turn, tool, input: { ...call.input } };
    const raw = await this.#play(running);
    const text = textOf(raw.content);
    return {
      answer: {
        name: call.name,
        toolUseId: id,
        text,
        isError: raw.isError,
        result: raw.result,
        progress: raw.progress ?? [],
        ...(raw.failure && { failure: raw.failure }),
      },
      content: raw.content,
      toolUseResult: raw.isError ? `Error: ${text}` : raw.content,
      stopsTurn: raw.stopsTurn === true,
    };
  }

  /**
   * Reports a problem if the script calls an unknown server, or a built-in tool without a result. A missing tool of a
   * known server is no problem, because the test may want that.
   */
  #complainAbout(name: string): void {
    const servers = this.#servers.listServers(true).map((server) => String(server['name']));
    const isOfServer = servers.some((server) => name.startsWith(modelName(server, '')));
    if (this.#permissions.isForbidden(name) || isOfServer) return;
    if (name.startsWith('mcp__')) {
      const known = servers.length === 0 ? 'it has none' : `it has ${servers.join(', ')}`;
      this.#state.complain(`toolUse('${name}') calls a server that the host does not have; ${known}`);
    } else if (BUILT_IN.includes(name)) {
      this.#state.complain(`toolUse('${name}') needs a result: the fake CLI runs no built-in tools`);
    }
  }

  /** Notifies the servers that all open calls are cancelled. */
  cancelAll(reason: string): void {
    for (const call of this.#openCalls) call.cancel(reason);
  }

  async #play(running: RunningTool): Promise<ToolReply> {
    const { call, tool } = running;
    const isOffered =
      (tool !== undefined || call.result !== undefined) && !this.#permissions.isForbidden(call.name);
    const isAnswer = !isOffered && isOutput(call, this.#state);
    if (!isOffered && !isAnswer) {
      this.#complainAbout(call.name);
      const content = `<tool_use_error>Error: No such tool available: ${call.name}</tool_use_error>`;
      return { content, isError: true, failure: 'unknown tool' };
    }
    const before = await this.#fireHooks(running, 'PreToolUse');
    if (before.updatedInput) running.input = before.updatedInput;
    if (before.refusal !== undefined) {
      const content = `PreToolUse:${call.name} hook error: ${before.refusal}`;
      // In its result, the older CLI lists only calls that were denied permission, not those that a hook refused.
      if (this.#writer.isOld) return { content, isError: true, failure: 'denied' };
      return this.#permissions.deny(running, content);
    }
    const refused = await this.#permissions.check(running, before);
    if (refused) return refused;
    if (isAnswer) running.turn.outputEnd = { structuredOutput: running.input };
    const { result = isAnswer ? 'Structured output provided successfully' : '', isError = false } = call;
    const raw = tool ? await this.#callServer(running, tool) : { content: result, isError };
    const failed = { error: textOf(raw.content), is_interrupt: false };
    const after = raw.isError
      ? await this.#fireHooks(running, 'PostToolUseFailure', failed)
      : await this.#fireHooks(running, 'PostToolUse', { tool_response: raw.content });
    return after.updatedOutput === undefined ? raw : { ...raw, content: after.updatedOutput };
  }

  #fireHooks(
    { call, id, tool, input }: RunningTool,
    event: string,
    more: WireObject = {},
  ): Promise<HookVerdict> {
    const fields = {
      tool_name: call.name,
      tool_input: input,
      ...more,
      tool_use_id: id,
      ...(tool && !this.#writer.isOld && { mcp_server: { name: tool.server, source: 'sdk' } }),
    };
    return this.#questions.fireHooks(event, fields, { tool: call.name, toolUseId: id });
  }

  async #callServer({ call, id, input }: RunningTool, tool: FoundTool): Promise<ToolReply> {
    const asked = this.#servers.call(tool, input, id);
    this.#openCalls.add(asked);
    if (call.cancelWhen) {
      const cancel = (): void => {
        if (asked.question.reply === undefined) asked.cancel('SdkError: Request timed out');
      };
      // The call is cancelled whether the test's promise resolves or rejects.
      void Promise.resolve(call.cancelWhen).then(cancel, cancel);
    }
    try {
      const reply = await asked.reply;
      return { ...readToolReply(reply, call.name, tool), progress: asked.progress };
    } finally {
      this.#openCalls.delete(asked);
    }
  }
}

/** Whether a call is the answer to a prompt with an output schema. */
function isOutput({ name }: ToolCall, { launch, initialize }: RunState): boolean {
  if (name !== 'StructuredOutput') return false;
  return (
    initialize?.['jsonSchema'] !== undefined || launch.args.some((word) => word.startsWith('--json-schema'))
  );
}
