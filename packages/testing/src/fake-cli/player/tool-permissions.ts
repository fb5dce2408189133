// Decides whether a tool may be used: by the rules with which the CLI was started, by a hook, or by asking the host.
// The host's answer may add rules.
import { isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { HookVerdict } from '../host/host-hooks.js';
import type { FoundTool } from '../host/host-servers.js';
import { coversTool, readFlagValue, readRuleList } from '../host/launch-flags.js';
import type { MessageWriter } from '../host/message-writer.js';
import type { HostReply } from '../host/question-list.js';
import type { RunParts } from '../run-parts.js';
import type { ToolCall } from '../script/fake-step.js';
import type { FakeTurn } from './fake-turn.js';
import type { ToolReply } from './tool-reply.js';
import type { TurnQuestions } from './turn-questions.js';

/** A tool call that has no result yet. Hooks and permissions may change its input. */
export interface RunningTool {
  readonly call: ToolCall;
  readonly id: string;
  readonly turn: FakeTurn;
  readonly tool: FoundTool | undefined;
  input: WireObject;
}

// The tools for which the real CLI does not ask for permission.
const NEVER_ASKED = new Set(['Read', 'Glob', 'Grep', 'LS', 'Task', 'Agent', 'TodoWrite', 'StructuredOutput']);

export class ToolPermissions {
  readonly #writer: MessageWriter;
  readonly #questions: TurnQuestions;
  readonly #canAsk: boolean;
  readonly #allowed: string[];
  readonly #forbidden: readonly string[];

  constructor({ writer, state }: RunParts, questions: TurnQuestions) {
    const { args } = state.launch;
    this.#writer = writer;
    this.#questions = questions;
    this.#canAsk = readFlagValue(args, '--permission-prompt-tool') !== undefined;
    this.#allowed = [...readRuleList(args, '--allowedTools'), ...readRuleList(args, '--allowed-tools')];
    this.#forbidden = readRuleList(args, '--disallowedTools');
  }

  isForbidden(name: string): boolean {
    return this.#forbidden.some((rule) => coversTool(rule, name));
  }

  /**
   * Checks whether the tool may be used. Returns undefined if so, or else the reply that the model gets instead of a
   * result.
   */
  async check(running: RunningTool, hooks: HookVerdict): Promise<ToolReply | undefined> {
    const { call } = running;
    const need = this.#findNeed(running, hooks);
    if (need === 'none') return undefined;
    if (need === 'nobody to ask') {
      const message = `Claude requested permissions to use ${call.name}, but you haven't granted it yet.`;
      const denial = { tool_name: call.name, tool_use_id: running.id, message };
      this.#writer.newerSystem('permission_denied', denial);
      return this.deny(running, message);
    }
    const reply = await this.#ask(running);
    const decision = reply.kind === 'success' && isRecord(reply.response) ? reply.response : undefined;
    if (decision?.['behavior'] === 'allow' && decision['updatedInput'] !== null) {
      if (isRecord(decision['updatedInput'])) running.input = decision['updatedInput'];
      this.#takeRules(decision['updatedPermissions']);
      return undefined;
    }
    const isDenied = decision?.['behavior'] === 'deny' && typeof decision['message'] === 'string';
    const message = isDenied ? String(decision['message']) : describeFailure(reply);
    return this.deny(running, message, decision?.['interrupt'] === true);
  }

  async #ask(running: RunningTool): Promise<HostReply> {
    try {
      return await this.#questions.askPermission(this.#createQuestion(running)).reply;
    } catch (error) {
      // A question that was cut off counts as refused.
      this.deny(running, '');
      throw error;
    }
  }

  #findNeed({ call, tool }: RunningTool, hooks: HookVerdict): 'none' | 'ask' | 'nobody to ask' {
    const { name, permission = 'auto' } = call;
    const { permissionMode, isOld } = this.#writer;
    const question = this.#canAsk ? 'ask' : 'nobody to ask';
    const isAllowed = this.#allowed.some((rule) => coversTool(rule, name));
    if (permission === 'skip') return 'none';
    // In the older CLI, a rule that allows outweighs a hook that demands a question.
    if (hooks.isAsked && !(isOld && isAllowed)) return question;
    // While it plans, the newer CLI asks about every tool that may change something, even if a rule or a hook allows it. About
    // the others a classifier decides instead of the host. Here, it lets them run.
    if (permissionMode === 'plan' && tool && !isOld) return tool.isReadOnly ? 'none' : question;
    if (hooks.isAllowed) return 'none';
    if (permission === 'ask') return 'ask';
    if (permissionMode === 'bypassPermissions' || NEVER_ASKED.has(name)) return 'none';
    return isAllowed ? 'none' : question;
  }

  #createQuestion({ call, id, tool, input }: RunningTool): WireObject {
    const rules = [{ toolName: call.name }];
    const suggestion = { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' };
    return {
      subtype: 'can_use_tool',
      tool_name: call.name,
      ...(tool &&
        !this.#writer.isOld && {
          mcp_server: { name: tool.server, source: 'sdk' },
          display_name: tool.name.charAt(0).toUpperCase() + tool.name.slice(1),
        }),
      input,
      permission_suggestions: [suggestion],
      tool_use_id: id,
    };
  }

  /** Adds the call to the denied calls of the turn, and returns the reply for the model. */
  deny({ call, id, turn, input }: RunningTool, content: string, stopsTurn = false): ToolReply {
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
}

function describeFailure(reply: HostReply): string {
  if (reply.kind === 'failure') return `Tool permission request failed: Error: ${reply.error}`;
  if (reply.kind === 'success') return 'The canUseTool callback returned an invalid permission result.';
  return 'Tool permission request failed: AbortError: Tool permission stream closed before response received';
}
