// Shows what the CLI reports beside the conversation: commands, titles, retries, compactions. Retries and compactions are left
// out unless the editor has said that it can show them. The output of a command is always shown, because it is an answer.
import type { AvailableCommand, SessionUpdate } from '@agentclientprotocol/sdk';
import { cutText } from '@inboard/core/util/bounded-text.js';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';

/** The kinds of notices that the editor can show. */
export interface NoticeKinds {
  notices?: boolean;
  compaction?: boolean;
}

const MAX_DESCRIPTION = 200;

/** The notices of one session. */
export class NoticeBoard {
  readonly #kinds: NoticeKinds;
  /** Numbers the compactions, because the CLI does not. There is one at a time. */
  #compactions = 0;
  #isCompacting = false;

  constructor(kinds: NoticeKinds) {
    this.#kinds = kinds;
  }

  /** The updates that follow from a message about the session. Most messages lead to none. */
  take(wire: WireObject): SessionUpdate[] {
    if (wire['type'] !== 'system') return [];
    switch (wire['subtype']) {
      case 'commands_changed':
        return [listCommands(Array.isArray(wire['commands']) ? wire['commands'] : [])];
      case 'session_title_changed':
        return [{ sessionUpdate: 'session_info_update', title: String(wire['title']) }];
      case 'local_command_output':
        return [
          { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: String(wire['content']) } },
        ];
      case 'api_retry':
        return this.#kinds.notices === true ? [describeRetry(wire)] : [];
      case 'status':
        return this.#takeStatus(wire);
      case 'compact_boundary':
        return this.#noteCompaction('completed');
      default:
        return [];
    }
  }

  #takeStatus({ status, compact_result: result, compact_error: error }: WireObject): SessionUpdate[] {
    if (status === 'compacting') return this.#noteCompaction('in_progress');
    return result === 'failed' ? this.#noteCompaction('failed', asString(error)) : [];
  }

  #noteCompaction(status: 'in_progress' | 'completed' | 'failed', error?: string): SessionUpdate[] {
    if (this.#kinds.compaction !== true) return [];
    if (!this.#isCompacting) this.#compactions += 1;
    this.#isCompacting = status === 'in_progress';
    const compactionId = `compaction-${this.#compactions}`;
    return [
      {
        sessionUpdate: 'compaction_update',
        compactionId,
        status,
        ...(error === undefined ? {} : { error }),
      },
    ];
  }
}

/** The slash commands of a session. */
export function listCommands(commands: readonly unknown[]): SessionUpdate {
  return {
    sessionUpdate: 'available_commands_update',
    availableCommands: commands.filter(isRecord).map(describeCommand),
  };
}

function describeCommand({ name, description, argumentHint }: WireObject): AvailableCommand {
  const text = asString(description) ?? '';
  // The description of a skill is a whole page, written for the model.
  const command: AvailableCommand = {
    name: asString(name) ?? '',
    description: cutText(text, MAX_DESCRIPTION),
  };
  const hint = asString(argumentHint) ?? '';
  return hint === '' ? command : { ...command, input: { hint } };
}

function describeRetry(wire: WireObject): SessionUpdate {
  const { attempt, max_retries: most, retry_delay_ms: delay, error_status: status } = wire;
  const seconds = Math.max(1, Math.round(Number(delay) / 1000));
  return {
    sessionUpdate: 'notice',
    severity: 'warning',
    title: `The API ${typeof status === 'number' ? `answered ${status}` : 'did not answer'}; trying again in ${seconds} s`,
    description: `Attempt ${String(attempt)} of ${String(most)}`,
  };
}
