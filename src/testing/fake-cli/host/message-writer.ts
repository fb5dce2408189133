// How the fake CLI words what it says: the messages of a session in the manner of a CLI version. It keeps the
// facts they repeat (session id, model, mode, costs) and leaves it to others when to say what.
import { randomUUID } from 'node:crypto';
import { compareVersions } from '../../../wire/process/find/cli-version.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { readFlag } from './launch-flags.js';
import type { TurnEnd } from '../script/fake-step.js';

/** What a session is started with. */
export interface FakeLaunch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
}

/** What the result of a turn tells about it. */
export interface TurnFacts {
  readonly uuids: readonly string[];
  readonly origin: WireObject | undefined;
  userLines: number;
  apiMessages: number;
  lastText: string;
  stopReason: string | null;
  readonly denials: WireObject[];
}

// The first version seen to report its state and what became of each message.
const REPORTS_SINCE = '2.1.206';
const COST_PER_MESSAGE = 0.00014;
const TOKENS = { input_tokens: 10, output_tokens: 5 };

const TERMINAL_REASONS: Readonly<Record<string, string>> = {
  success: 'completed',
  error_max_turns: 'max_turns',
  error_max_budget_usd: 'budget_exhausted',
};

export class MessageWriter {
  readonly version: string;
  /** Without manifests, states and lifecycle, and silent on what it does not know. */
  readonly isOld: boolean;
  sessionId: string;
  model: string;
  permissionMode: string;
  readonly wantsPartial: boolean;
  readonly #launch: FakeLaunch;
  readonly #write: (message: WireObject) => void;
  #apiMessages = 0;
  #results = 0;
  #state: string = 'idle';

  constructor(launch: FakeLaunch, write: (message: WireObject) => void) {
    this.#launch = launch;
    this.#write = write;
    this.version = launch.version;
    this.isOld = compareVersions(launch.version, REPORTS_SINCE) < 0;
    const { args } = launch;
    const resumed = args.includes('--fork-session') ? undefined : readFlag(args, '--resume');
    this.sessionId = readFlag(args, '--session-id') ?? resumed ?? randomUUID();
    this.model = readFlag(args, '--model') ?? 'fake-model';
    this.permissionMode = readFlag(args, '--permission-mode') ?? 'default';
    this.wantsPartial = args.includes('--include-partial-messages');
  }

  get state(): string {
    return this.#state;
  }

  get cwd(): string {
    return this.#launch.cwd;
  }

  /** Any message, with the two ids that every message has. */
  send(message: WireObject): void {
    this.#write({ ...message, session_id: this.sessionId, uuid: message['uuid'] ?? randomUUID() });
  }

  system(subtype: string, fields: WireObject = {}): void {
    this.send({ type: 'system', subtype, ...fields });
  }

  /** Tells a new state, to hosts that asked for it. */
  changeState(state: 'idle' | 'running' | 'requires_action'): void {
    this.#state = state;
    const { env } = this.#launch;
    const isAskedForAll = env['CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS'] === '1';
    if (this.isOld || !(isAskedForAll || env['CLAUDE_CODE_SDK_READS_SESSION_STATE'] === '1')) return;
    this.system('session_state_changed', { state, ...(isAskedForAll ? {} : { sdk_host_only: true }) });
  }

  /** Tells what becomes of a message that has a uuid. */
  lifecycle(uuid: string | undefined, state: string): void {
    if (this.isOld || uuid === undefined) return;
    this.send({ type: 'command_lifecycle', command_uuid: uuid, state });
  }

  /** Tells of a call that was refused without anybody being asked. */
  permissionDenied(tool: string, toolUseId: string, message: string): void {
    if (this.isOld) return;
    this.system('permission_denied', { tool_name: tool, tool_use_id: toolUseId, message });
  }

  init(tools: readonly string[], servers: readonly WireObject[]): void {
    this.system('init', {
      cwd: this.cwd,
      tools,
      mcp_servers: servers,
      model: this.model,
      permissionMode: this.permissionMode,
      slash_commands: ['compact', 'context'],
      apiKeySource: 'ANTHROPIC_API_KEY',
      claude_code_version: this.version,
      output_style: 'default',
      agents: ['general-purpose'],
      skills: [],
      plugins: [],
      ...(this.isOld ? {} : { capabilities: ['interrupt_receipt_v1'] }),
    });
  }

  initializeReply(parked: WireObject | undefined): WireObject {
    const reply = {
      commands: [
        { name: 'compact', description: 'Clears the conversation, keeps a summary', argumentHint: '' },
      ],
      output_style: 'default',
      available_output_styles: ['default'],
      models: [{ value: 'default', displayName: 'Default', description: 'The model of the fake CLI' }],
      account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY' },
    };
    if (this.isOld) return reply;
    return {
      ...reply,
      agents: [{ name: 'general-purpose', description: 'Any task' }],
      account: { ...reply.account, apiProvider: 'firstParty' },
      claude_code_version: this.version,
      current_permission_mode: this.permissionMode,
      hook_on_failure_supported: true,
      other_hook_ask_outranks_host: true,
      ...(parked && { sdk_mcp_manifests_parked: parked }),
      session_state: this.#state,
      capabilities: ['ui_surface_v1'],
    };
  }

  /** One content block of the model, as a line of its own. */
  assistant(messageId: string, block: WireObject, uuids: readonly string[]): void {
    this.send({
      type: 'assistant',
      message: {
        id: messageId,
        type: 'message',
        role: 'assistant',
        model: this.model,
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...TOKENS, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      },
      parent_tool_use_id: null,
      ...this.#nameMessages(uuids),
    });
  }

  /** What the CLI itself says in the model's place. */
  synthetic(text: string, fields: WireObject = {}): void {
    this.send({
      type: 'assistant',
      message: {
        id: randomUUID(),
        type: 'message',
        role: 'assistant',
        model: '<synthetic>',
        content: [{ type: 'text', text }],
        stop_reason: 'stop_sequence',
        stop_sequence: '',
        usage: { input_tokens: 0, output_tokens: 0 },
      },
      parent_tool_use_id: null,
      ...fields,
    });
  }

  user(content: string | readonly WireObject[], fields: WireObject = {}): void {
    this.send({
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id: null,
      ...(this.isOld ? {} : { timestamp: new Date().toISOString() }),
      ...fields,
    });
  }

  streamEvent(event: WireObject, messageId: string): void {
    this.send({
      type: 'stream_event',
      event,
      parent_tool_use_id: null,
      ...(this.isOld ? {} : { api_message_id: messageId }),
    });
  }

  /** The result of a turn; gives whether it was an error. */
  result(turn: TurnFacts, end: TurnEnd): boolean {
    const { subtype = 'success', apiError } = end;
    const isError =
      end.isError ?? (apiError !== undefined || (subtype !== 'success' && !this.#forgives(subtype)));
    this.#apiMessages += turn.apiMessages;
    const structured = end.structuredOutput === undefined ? undefined : JSON.stringify(end.structuredOutput);
    const text = end.text ?? apiErrorText(apiError) ?? structured ?? turn.lastText;
    const reason = apiError ? 'api_error' : TERMINAL_REASONS[subtype];
    const used = turn.apiMessages;
    const fields: WireObject = {
      type: 'result',
      subtype,
      is_error: isError,
      duration_ms: 1,
      duration_api_ms: 1,
      num_turns: 1 + turn.userLines,
      stop_reason: end.stopReason ?? (apiError ? 'stop_sequence' : this.isOld ? null : turn.stopReason),
      total_cost_usd: this.#apiMessages * COST_PER_MESSAGE,
      usage: {
        input_tokens: used * TOKENS.input_tokens,
        output_tokens: used * TOKENS.output_tokens,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
        service_tier: 'standard',
      },
      modelUsage: this.#modelUsage(),
      permission_denials: turn.denials,
      ...(subtype === 'success'
        ? { result: text }
        : { errors: end.errors ?? defaultErrors(subtype, this.isOld) }),
      ...(structured === undefined ? {} : { structured_output: end.structuredOutput }),
      ...(this.isOld ? {} : this.#newerFields(turn, reason, apiError)),
      ...end.fields,
    };
    this.#results += 1;
    this.send(fields);
    return fields['is_error'] === true;
  }

  #newerFields(turn: TurnFacts, reason: string | undefined, apiError: TurnEnd['apiError']): WireObject {
    return {
      ...(reason === undefined ? {} : { terminal_reason: reason }),
      api_error_status: apiError?.status ?? null,
      ...(apiError?.type === undefined ? {} : { api_error_type: apiError.type }),
      queued_turn_count: 0,
      result_index: this.#results,
      ...(turn.origin && { origin: turn.origin }),
      ...this.#nameMessages(turn.uuids),
    };
  }

  #nameMessages(uuids: readonly string[]): WireObject {
    if (this.isOld || uuids.length === 0) return {};
    return { user_message_uuid: uuids.at(-1), user_message_uuids: uuids };
  }

  #modelUsage(): WireObject {
    if (this.#apiMessages === 0) return {};
    return {
      [this.model]: {
        inputTokens: this.#apiMessages * TOKENS.input_tokens,
        outputTokens: this.#apiMessages * TOKENS.output_tokens,
        cacheReadInputTokens: 0,
        cacheCreationInputTokens: 0,
        webSearchRequests: 0,
        costUSD: this.#apiMessages * COST_PER_MESSAGE,
        contextWindow: 200_000,
        maxOutputTokens: 32_000,
      },
    };
  }

  // The older CLI does not take an interrupted or cut-short turn for an error.
  #forgives(subtype: string): boolean {
    return this.isOld && (subtype === 'error_during_execution' || subtype === 'error_max_turns');
  }
}

function apiErrorText(apiError: TurnEnd['apiError']): string | undefined {
  if (!apiError) return undefined;
  return `API Error: ${apiError.status === null ? '' : `${apiError.status} `}${apiError.message}`;
}

function defaultErrors(subtype: string, isOld: boolean): string[] {
  if (isOld) return [];
  return subtype === 'error_max_turns'
    ? ['Reached maximum number of turns']
    : [`The script ended the turn with ${subtype}`];
}
