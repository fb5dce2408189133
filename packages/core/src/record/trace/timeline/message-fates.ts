// Reads what the messages of a conversation say of its calls: which there are, and what became of each.
import { asString, isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { completedOf, hasRun } from '../../../wire/protocol/messages/completed-call.js';
import { blocksOf } from '../../../wire/protocol/messages/message-content.js';
import { isCallBlock } from './fated-call.js';
import type { FatedCalls } from './fated-calls.js';
import { isStartedOnly, readOutcomes } from './tool-outcome.js';

/** The messages of one session. */
export class MessageFates {
  readonly #table: FatedCalls;

  constructor(table: FatedCalls) {
    this.#table = table;
  }

  observe(frame: WireObject): void {
    switch (frame['type']) {
      case 'assistant':
        this.#readAssistant(frame);
        break;
      case 'stream_event':
        this.#readStream(frame);
        break;
      case 'user':
        this.readUser(frame);
        break;
      case 'result':
        this.#endTurn(frame);
        break;
      case 'system':
        if (frame['subtype'] === 'task_notification') this.#endTask(frame);
        break;
      default:
    }
  }

  /** The call of a subagent that writes. If no event showed the call, it is added. */
  needParent(parent: unknown): string | null {
    if (typeof parent !== 'string') return null;
    this.#table.begin(parent, 'Task', null);
    return parent;
  }

  /** Reads the results in a message, or the completion of a call without a CLI. */
  readUser(frame: WireObject): void {
    const outcomes = readOutcomes(frame, blocksOf(frame));
    const completed = completedOf(frame);
    if (completed) {
      const { toolUseId, toolName } = completed;
      this.#table.cutWithCli.delete(toolUseId);
      const call = this.#table.begin(toolUseId, toolName, null);
      call.isWritten = true;
      const [outcome] = outcomes;
      if (completed.how === 'denied') this.#table.set(toolUseId, 'denied');
      else if (!hasRun(completed)) this.#table.set(toolUseId, 'cut');
      else if (outcome) this.#table.set(toolUseId, outcome.isError ? 'failed' : 'done');
      else if (call.fate === 'open') this.#table.set(toolUseId, 'cut');
      this.#table.end(toolUseId);
      return;
    }
    for (const { toolUseId, isError, isRefused, isCut } of outcomes) {
      const call = this.#table.get(toolUseId);
      if (!call) continue;
      if (isStartedOnly(frame)) call.isBackground = true;
      else if (!isError) this.#table.takeResult(toolUseId, 'done');
      else
        this.#table.takeResult(toolUseId, isRefused || call.isDenied ? 'denied' : isCut ? 'cut' : 'failed');
    }
  }

  #readAssistant(frame: WireObject): void {
    const parent = this.needParent(frame['parent_tool_use_id']);
    for (const block of blocksOf(frame)) {
      const { type, id, tool_use_id: resultOf } = block;
      if (isCallBlock(type) && typeof id === 'string')
        this.#table.begin(id, asString(block['name']) ?? '', parent).isWritten = true;
      // The result of a tool that the API runs itself is in the same message.
      else if (typeof resultOf === 'string' && this.#table.has(resultOf))
        this.#table.takeResult(resultOf, 'done');
    }
  }

  #readStream(frame: WireObject): void {
    const event = isRecord(frame['event']) ? frame['event'] : {};
    const parent = this.needParent(frame['parent_tool_use_id']);
    if (event['type'] !== 'content_block_start' || !isRecord(event['content_block'])) return;
    const { type, id, name } = event['content_block'];
    if (isCallBlock(type) && typeof id === 'string') this.#table.begin(id, asString(name) ?? '', parent);
  }

  /** Reads the end of a turn. It lists refusals that no question shows, and cuts off calls that have no result. */
  #endTurn({ permission_denials: denials }: WireObject): void {
    for (const denial of Array.isArray(denials) ? denials.filter(isRecord) : []) {
      const id = asString(denial['tool_use_id']);
      if (id !== undefined && this.#table.has(id)) this.#table.decide(id, true);
    }
    for (const id of this.#table.open) {
      const call = this.#table.get(id);
      if (call?.parent === null && !call.isBackground) this.#table.giveUp(id);
    }
  }

  #endTask({ tool_use_id: toolUseId, status }: WireObject): void {
    const call = typeof toolUseId === 'string' ? this.#table.get(toolUseId) : undefined;
    if (typeof toolUseId !== 'string' || !call) return;
    if (!call.isBackground) this.#table.giveUpCallsOf(toolUseId);
    else if (!call.isOver)
      this.#table.takeResult(
        toolUseId,
        status === 'completed' ? 'done' : status === 'failed' ? 'failed' : 'cut',
      );
  }
}
