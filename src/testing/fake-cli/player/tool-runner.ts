// What a CLI does between a tool call of the model and its result: hooks, permission, the call itself, and
// the shape in which the model gets to see the answer.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { coversTool, readFlag, readRules } from '../host/launch-flags.js';
import type { HookVerdict } from '../host/host-hooks.js';
import type { Reply } from '../host/question-list.js';
import { mcpResponseOf, resultOf } from '../host/host-servers.js';
import type { Asked, HostServers, FoundTool, ServerCall } from '../host/host-servers.js';
import type { ToolAnswer, ToolCall } from '../script/fake-step.js';
import type { MessageWriter } from '../host/message-writer.js';

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

/** What the runner asks of its session. */
export interface ToolSurroundings {
  readonly servers: HostServers;
  readonly writer: MessageWriter;
  readonly args: readonly string[];
  /** A question about which the session says that it needs somebody. */
  askPermission(request: WireObject): Asked;
  fireHooks(
    event: string,
    input: WireObject,
    about: { tool: string; toolUseId: string },
  ): Promise<HookVerdict>;
  noteDenial(denial: WireObject): void;
}

interface Running {
  readonly call: ToolCall;
  readonly id: string;
  readonly tool: FoundTool | undefined;
  input: WireObject;
}

interface Raw {
  readonly content: unknown;
  readonly isError: boolean;
  readonly failure?: ToolAnswer['failure'];
  readonly result?: WireObject;
  readonly progress?: readonly WireObject[];
  readonly stopsTurn?: boolean;
}

// What the real CLI uses without asking anybody.
const NEVER_ASKED = new Set(['Read', 'Glob', 'Grep', 'LS', 'Task', 'Agent', 'TodoWrite', 'StructuredOutput']);

export class ToolRunner {
  readonly #around: ToolSurroundings;
  readonly #allowed: string[];
  readonly #forbidden: readonly string[];
  readonly #underWay = new Set<ServerCall>();

  constructor(around: ToolSurroundings) {
    this.#around = around;
    this.#allowed = [
      ...readRules(around.args, '--allowedTools'),
      ...readRules(around.args, '--allowed-tools'),
    ];
    this.#forbidden = readRules(around.args, '--disallowedTools');
  }

  /** Whether it may run beside others. */
  isReadOnly(call: ToolCall): boolean {
    return call.result !== undefined || this.#around.servers.find(call.name)?.isReadOnly === true;
  }

  async run(call: ToolCall, id: string): Promise<ToolOutcome> {
    const tool = call.result === undefined ? this.#around.servers.find(call.name) : undefined;
    const running: Running = { call, id, tool, input: { ...call.input } };
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

  /** Tells the servers of all calls under way that nobody waits any longer. */
  cancelAll(reason: string): void {
    for (const call of this.#underWay) call.cancel(reason);
  }

  async #play(running: Running): Promise<Raw> {
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
      if (this.#around.writer.isOld) return { content, isError: true, failure: 'denied' };
      return this.#deny(running, content);
    }
    const refused = await this.#askPermission(running, before.isAllowed);
    if (refused) return refused;
    const raw = tool ? await this.#callServer(running, tool) : givenResult(call);
    const isFailed = raw.isError;
    const after = await this.#fireHooks(
      running,
      isFailed ? 'PostToolUseFailure' : 'PostToolUse',
      isFailed ? { error: textOf(raw.content), is_interrupt: false } : { tool_response: raw.content },
    );
    return after.updatedOutput === undefined ? raw : { ...raw, content: after.updatedOutput };
  }

  #fireHooks({ call, id, tool, input }: Running, event: string, more: WireObject = {}): Promise<HookVerdict> {
    const fields = {
      tool_name: call.name,
      tool_input: input,
      ...more,
      tool_use_id: id,
      ...(tool && !this.#around.writer.isOld && { mcp_server: { name: tool.server, source: 'sdk' } }),
    };
    return this.#around.fireHooks(event, fields, { tool: call.name, toolUseId: id });
  }

  async #askPermission(running: Running, isAllowedByHook: boolean): Promise<Raw | undefined> {
    const { call } = running;
    const need = this.#findNeed(call, isAllowedByHook);
    if (need === 'none') return undefined;
    if (need === 'nobody to ask') {
      const content = `Claude requested permissions to use ${call.name}, but you haven't granted it yet.`;
      this.#around.writer.permissionDenied(call.name, running.id, content);
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
      isDenied ? String(decision['message']) : wordFailure(reply),
      decision?.['interrupt'] === true,
    );
  }

  async #ask(running: Running): Promise<Reply> {
    try {
      return await this.#around.askPermission(this.#wordQuestion(running)).reply;
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
    if (this.#around.writer.permissionMode === 'bypassPermissions' || NEVER_ASKED.has(name)) return 'none';
    if (this.#allowed.some((rule) => coversTool(rule, name))) return 'none';
    return readFlag(this.#around.args, '--permission-prompt-tool') === undefined ? 'nobody to ask' : 'ask';
  }

  #wordQuestion({ call, id, tool, input }: Running): WireObject {
    const isNew = !this.#around.writer.isOld;
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

  #deny({ call, id, input }: Running, content: string, stopsTurn = false): Raw {
    this.#around.noteDenial({ tool_name: call.name, tool_use_id: id, tool_input: input });
    return { content, isError: true, failure: 'denied', stopsTurn };
  }

  #takeRules(updates: unknown): void {
    for (const update of Array.isArray(updates) ? updates.filter(isRecord) : []) {
      if (update['type'] === 'setMode') this.#around.writer.permissionMode = String(update['mode']);
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

  async #callServer({ call, id, input }: Running, tool: FoundTool): Promise<Raw> {
    const asked = this.#around.servers.call(tool, input, id);
    this.#underWay.add(asked);
    if (call.cancelWhen) {
      const cancel = (): void => {
        if (asked.question.reply === undefined) asked.cancel('SdkError: Request timed out');
      };
      // Whatever the test's promise comes to, it is over.
      void Promise.resolve(call.cancelWhen).then(cancel, cancel);
    }
    try {
      const reply = await asked.reply;
      return { ...readToolReply(reply, call.name, tool), progress: asked.progress };
    } finally {
      this.#underWay.delete(asked);
    }
  }
}

function givenResult({ result = '', isError = false }: ToolCall): Raw {
  return { content: result, isError };
}

function readToolReply(reply: Reply, name: string, tool: FoundTool): Raw {
  if (reply.kind === 'cancelled') {
    const content = `MCP server "${tool.server}" tool "${tool.name}" timed out`;
    return { content, isError: true, failure: 'cancelled' };
  }
  if (reply.kind === 'input ended') {
    const content = 'The tool call was interrupted before a result was received.';
    return { content, isError: true, failure: 'input ended' };
  }
  const result = resultOf(reply);
  if (!result) {
    const error = mcpResponseOf(reply)?.['error'];
    const message = isRecord(error) ? String(error['message']) : undefined;
    const content = message ?? (reply.kind === 'failure' ? reply.error : 'The server gave no result');
    return { content, isError: true, failure: 'error' };
  }
  const blocks = Array.isArray(result['content']) ? result['content'].filter(isRecord) : [];
  if (result['isError'] === true) {
    const texts = blocks.flatMap((block) => (typeof block['text'] === 'string' ? block['text'] : []));
    return { content: texts.join('\n') || 'Unknown error', isError: true, result };
  }
  const { structuredContent } = result;
  // Where there is a structured answer, the model does not get to see the text beside it.
  if (structuredContent !== undefined) {
    return { content: JSON.stringify(structuredContent), isError: false, result };
  }
  const content = blocks.length === 0 ? `(${name} completed with no output)` : blocks.map(showBlock);
  return { content, isError: false, result };
}

function showBlock(block: WireObject): WireObject {
  if (block['type'] === 'image') {
    const source = { type: 'base64', media_type: block['mimeType'], data: block['data'] };
    return { type: 'image', source };
  }
  const { annotations: _, ...shown } = block;
  return shown;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  return blocks.flatMap((block) => (typeof block['text'] === 'string' ? block['text'] : [])).join('\n');
}

function wordFailure(reply: Reply): string {
  if (reply.kind === 'failure') return `Tool permission request failed: Error: ${reply.error}`;
  if (reply.kind === 'success') return 'The canUseTool callback returned an invalid permission result.';
  return 'Tool permission request failed: AbortError: Tool permission stream closed before response received';
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
