// What a CLI does between a tool call of the model and its result: hooks, permission, the call itself. The form in
// which the model sees the answer is in `tool-reply`.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { textOf } from '../../../wire/protocol/messages/message-content.js';
import type { HookVerdict } from '../host/host-hooks.js';
import type { FoundTool, HostServers, ServerCall } from '../host/host-servers.js';
import { coversTool, readFlag, readRules } from '../host/launch-flags.js';
import type { MessageWriter } from '../host/message-writer.js';
import type { Reply } from '../host/question-list.js';
import type { RunParts } from '../run-parts.js';
import type { ToolAnswer, ToolCall } from '../script/fake-step.js';
import type { FakeTurn } from './fake-turn.js';
import { readToolReply, type ToolReply } from './tool-reply.js';
import type { TurnQuestions } from './turn-questions.js';

/** What became of a call. */
export interface ToolOutcome {
  readonly answer: ToolAnswer;
  /** The content of the `tool_result` block. */
  readonly content: unknown;
  /** What the line has beside the block. */
  readonly toolUseResult: unknown;
  /** The host wants the turn to end here. */
  readonly stopsTurn: boolean;
}

interface Running {
  readonly call: ToolCall;
  readonly id: string;
  readonly turn: FakeTurn;
  readonly tool: FoundTool | undefined;
  input: WireObject;
}

// What the real CLI uses without asking for permission.
const NEVER_ASKED = new Set(['Read', 'Glob', 'Grep', 'LS', 'Task', 'Agent', 'TodoWrite', 'StructuredOutput']);

export class ToolRunner {
  readonly #servers: HostServers;
  readonly #writer: MessageWriter;
  readonly #questions: TurnQuestions;
  readonly #canAsk: boolean;
  readonly #allowed: string[];
  readonly #forbidden: readonly string[];
  readonly #openCalls = new Set<ServerCall>();

  constructor({ servers, writer, state }: RunParts, questions: TurnQuestions) {
    const { args } = state.launch;
    this.#servers = servers;
    this.#writer = writer;
    this.#questions = questions;
    this.#canAsk = readFlag(args, '--permission-prompt-tool') !== undefined;
    this.#allowed = [...readRules(args, '--allowedTools'), ...readRules(args, '--allowed-tools')];
    this.#forbidden = readRules(args, '--disallowedTools');
  }

  /** Whether a call may run beside others. */
  isReadOnly(call: ToolCall): boolean {
    return call.result !== undefined || this.#servers.find(call.name)?.isReadOnly === true;
  }

  /** Plays a call of the model to its result. */
  async run(call: ToolCall, id: string, turn: FakeTurn): Promise<ToolOutcome> {
    const tool = call.result === undefined ? this.#servers.find(call.name) : undefined;
    const running: Running = { call, id, turn, tool, input: { ...call.input } };
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

  /** Notifies the servers of all open calls that nobody waits for the results any more. */
  cancelAll(reason: string): void {
    for (const call of this.#openCalls) call.cancel(reason);
  }

  async #play(running: Running): Promise<ToolReply> {
    const { call, tool } = running;
    const isOffered = (tool !== undefined || call.result !== undefined) && !this.#isForbidden(call.name);
    if (!isOffered) {
      const content = `<tool_use_error>Error: No such tool available: ${call.name}</tool_use_error>`;
      return { content, isError: true, failure: 'unknown tool' };
    }
    const before = await this.#fireHooks(running, 'PreToolUse');
    if (before.updatedInput) running.input = before.updatedInput;
    if (before.refusal !== undefined) {
      const content = `PreToolUse:${call.name} hook error: ${before.refusal}`;
      // The older CLI lists only what somebody was asked about.
      if (this.#writer.isOld) return { content, isError: true, failure: 'denied' };
      return this.#deny(running, content);
    }
    const refused = await this.#askPermission(running, before.isAllowed);
    if (refused) return refused;
    const { result = '', isError = false } = call;
    const raw = tool ? await this.#callServer(running, tool) : { content: result, isError };
    const after = raw.isError
      ? await this.#fireHooks(running, 'PostToolUseFailure', {
          error: textOf(raw.content),
          is_interrupt: false,
        })
      : await this.#fireHooks(running, 'PostToolUse', { tool_response: raw.content });
    return after.updatedOutput === undefined ? raw : { ...raw, content: after.updatedOutput };
  }

  #fireHooks({ call, id, tool, input }: Running, event: string, more: WireObject = {}): Promise<HookVerdict> {
    const fields = {
      tool_name: call.name,
      tool_input: input,
      ...more,
      tool_use_id: id,
      ...(tool && !this.#writer.isOld && { mcp_server: { name: tool.server, source: 'sdk' } }),
    };
    return this.#questions.fireHooks(event, fields, { tool: call.name, toolUseId: id });
  }

  async #askPermission(running: Running, isAllowedByHook: boolean): Promise<ToolReply | undefined> {
    const { call } = running;
    const need = this.#findNeed(call, isAllowedByHook);
    if (need === 'none') return undefined;
    if (need === 'nobody to ask') {
      const content = `Claude requested permissions to use ${call.name}, but you haven't granted it yet.`;
      this.#writer.newerSystem('permission_denied', {
        tool_name: call.name,
        tool_use_id: running.id,
        message: content,
      });
      return this.#deny(running, content);
    }
    const reply = await this.#ask(running);
    const decision = reply.kind === 'success' && isRecord(reply.response) ? reply.response : undefined;
    if (decision?.['behavior'] === 'allow' && decision['updatedInput'] !== null) {
      if (isRecord(decision['updatedInput'])) running.input = decision['updatedInput'];
      this.#takeRules(decision['updatedPermissions']);
      return undefined;
    }
    const isDenied = decision?.['behavior'] === 'deny' && typeof decision['message'] === 'string';
    return this.#deny(
      running,
      isDenied ? String(decision['message']) : describeFailure(reply),
      decision?.['interrupt'] === true,
    );
  }

  async #ask(running: Running): Promise<Reply> {
    try {
      return await this.#questions.askPermission(this.#createQuestion(running)).reply;
    } catch (error) {
      // A question that was cut off counts as refused.
      this.#deny(running, '');
      throw error;
    }
  }

  #findNeed(
    { name, permission = 'auto' }: ToolCall,
    isAllowedByHook: boolean,
  ): 'none' | 'ask' | 'nobody to ask' {
    if (permission === 'skip' || isAllowedByHook) return 'none';
    if (permission === 'ask') return 'ask';
    if (this.#writer.permissionMode === 'bypassPermissions' || NEVER_ASKED.has(name)) return 'none';
    if (this.#allowed.some((rule) => coversTool(rule, name))) return 'none';
    return this.#canAsk ? 'ask' : 'nobody to ask';
  }

  #createQuestion({ call, id, tool, input }: Running): WireObject {
    const isNew = !this.#writer.isOld;
    return {
      subtype: 'can_use_tool',
      tool_name: call.name,
      ...(tool && isNew && { mcp_server: { name: tool.server, source: 'sdk' } }),
      ...(tool && isNew && { display_name: capitalize(tool.name) }),
      input,
      permission_suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: call.name }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
      tool_use_id: id,
    };
  }

  #deny({ call, id, turn, input }: Running, content: string, stopsTurn = false): ToolReply {
    turn.denials.push({ tool_name: call.name, tool_use_id: id, tool_input: input });
    return { content, isError: true, failure: 'denied', stopsTurn };
  }

  #takeRules(updates: unknown): void {
    for (const update of Array.isArray(updates) ? updates.filter(isRecord) : []) {
      if (update['type'] === 'setMode') this.#writer.permissionMode = String(update['mode']);
      if (update['type'] !== 'addRules' || update['behavior'] !== 'allow') continue;
      const rules = Array.isArray(update['rules']) ? update['rules'].filter(isRecord) : [];
      for (const { toolName, ruleContent } of rules) {
        if (ruleContent === undefined) this.#allowed.push(String(toolName));
      }
    }
  }

  #isForbidden(name: string): boolean {
    return this.#forbidden.some((rule) => coversTool(rule, name));
  }

  async #callServer({ call, id, input }: Running, tool: FoundTool): Promise<ToolReply> {
    const asked = this.#servers.call(tool, input, id);
    this.#openCalls.add(asked);
    if (call.cancelWhen) {
      const cancel = (): void => {
        if (asked.question.reply === undefined) asked.cancel('SdkError: Request timed out');
      };
      // The test's promise ends the call whether it resolves or rejects.
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

function describeFailure(reply: Reply): string {
  if (reply.kind === 'failure') return `Tool permission request failed: Error: ${reply.error}`;
  if (reply.kind === 'success') return 'The canUseTool callback returned an invalid permission result.';
  return 'Tool permission request failed: AbortError: Tool permission stream closed before response received';
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
