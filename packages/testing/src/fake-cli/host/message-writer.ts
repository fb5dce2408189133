// Writes the fake CLI's messages in the form of the CLI version it imitates. It keeps the facts that messages repeat
// (session id, model, mode, totals). Other parts decide what to write and when.
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { compareVersions } from '@inboard/core/wire/process/find/compare-versions.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { FakeLaunch } from '../pipes/fake-pipes.js';
import type { TurnEnd } from '../script/fake-step.js';
import { readFlagValue } from './launch-flags.js';
import type { LineWriter } from './line-writer.js';
import { createResult, namePrompts, TOKENS, type ResultFacts } from './result-message.js';

// The first version that was observed to report its state and the lifecycle of each message.
const REPORTS_SINCE = '2.1.206';

export class MessageWriter {
  /**
   * Whether the imitated CLI is an older one. It has no manifests, states or lifecycle messages, and does not answer
   * unknown requests.
   */
  readonly isOld: boolean;
  readonly sessionId: string;
  readonly wantsPartial: boolean;
  readonly cwd: string;
  model: string;
  permissionMode: string;
  readonly #launch: FakeLaunch;
  readonly #lines: LineWriter;
  #apiMessages = 0;
  #results = 0;
  #state: 'idle' | 'running' | 'requires_action' = 'idle';

  constructor(launch: FakeLaunch, lines: LineWriter) {
    const { args } = launch;
    this.#launch = launch;
    this.#lines = lines;
    this.isOld = compareVersions(launch.version, REPORTS_SINCE) < 0;
    const resumed = args.includes('--fork-session') ? undefined : readFlagValue(args, '--resume');
    this.sessionId = readFlagValue(args, '--session-id') ?? resumed ?? randomUUID();
    this.wantsPartial = args.includes('--include-partial-messages');
    this.cwd = launch.cwd;
    this.model = readFlagValue(args, '--model') ?? 'fake-model';
    this.permissionMode = readFlagValue(args, '--permission-mode') ?? 'default';
  }

  get isIdle(): boolean {
    return this.#state === 'idle';
  }

  /** Sends any message, and adds the session id and uuid that every message has. */
  send(message: WireObject): void {
    const line = { ...message, session_id: this.sessionId, uuid: message['uuid'] ?? randomUUID() };
    this.#lines.write('message', JSON.stringify(line));
  }

  system(subtype: string, fields: WireObject = {}): void {
    this.send({ type: 'system', subtype, ...fields });
  }

  /** Sends a `system` message that only the newer CLI sends. */
  newerSystem(subtype: string, fields: WireObject): void {
    if (!this.isOld) this.system(subtype, fields);
  }

  /** Changes the state and reports it to hosts that asked for it. */
  changeState(state: 'idle' | 'running' | 'requires_action'): void {
    this.#state = state;
    const { env } = this.#launch;
    const isAskedForAll = env['CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS'] === '1';
    if (!isAskedForAll && env['CLAUDE_CODE_SDK_READS_SESSION_STATE'] !== '1') return;
    this.newerSystem('session_state_changed', { state, ...(isAskedForAll ? {} : { sdk_host_only: true }) });
  }

  /** Reports the lifecycle state of a prompt that has a uuid. */
  lifecycle(uuid: string | undefined, state: string): void {
    if (this.isOld || uuid === undefined) return;
    this.send({ type: 'command_lifecycle', command_uuid: uuid, state });
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
      claude_code_version: this.#launch.version,
      output_style: 'default',
      agents: ['general-purpose'],
      skills: [],
      plugins: [],
      ...(this.isOld ? {} : { capabilities: ['interrupt_receipt_v1'] }),
    });
  }

  /** The answer to `initialize`. `parked` says for each server what was done with its manifest. */
  initializeReply(parked: WireObject = {}): WireObject {
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
      claude_code_version: this.#launch.version,
      current_permission_mode: this.permissionMode,
      hook_on_failure_supported: true,
      other_hook_ask_outranks_host: true,
      ...(Object.keys(parked).length > 0 && { sdk_mcp_manifests_parked: parked }),
      session_state: this.#state,
      capabilities: ['ui_surface_v1'],
    };
  }

  /** Writes one content block of the model as a line of its own. */
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
      ...(this.isOld ? {} : namePrompts(uuids)),
    });
  }

  /** Writes a message that the CLI itself makes, in place of a message of the model. */
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
      ...(this.isOld ? {} : { timestamp: new Date(clock.Date.now()).toISOString() }),
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

  /** Writes the result of a turn. Returns whether it is an error. */
  result(turn: ResultFacts, end: TurnEnd): boolean {
    this.#apiMessages += turn.apiMessages;
    const { isOld, model } = this;
    const totals = { isOld, model, apiMessages: this.#apiMessages, results: this.#results };
    this.#results += 1;
    const message = createResult(turn, end, totals);
    this.send(message);
    return message['is_error'] === true;
  }
}
