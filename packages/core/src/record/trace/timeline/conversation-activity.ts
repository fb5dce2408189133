// Finds out from the messages of the conversation what is working: the model, a tool, a subagent. `activity-follower`
// reads the requests between host and CLI.
import { asString, isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { blocksOf } from '../../../wire/protocol/messages/message-content.js';
import type { Activity, WritingPhase } from './activity.js';
import { previewText } from './frame-description.js';
import type { CallFates } from './call-fates.js';
import type { OpenActivities } from './open-activities.js';

const SUBAGENT_TOOLS = new Set(['Agent', 'Task']);
const PHASE_OF: Readonly<Record<string, WritingPhase['kind']>> = {
  text: 'text',
  thinking: 'thinking',
  redacted_thinking: 'thinking',
  tool_use: 'input',
};

/** Follows the messages of a session, and begins and ends activities in `open`, which has the current time. */
export class ConversationActivity {
  readonly #open: OpenActivities;
  readonly #fates: CallFates;
  readonly #isOurs: (toolName: string) => boolean;
  /** Calls without a result, by the conversation they were made in. */
  readonly #calls = new Map<string | null, Map<string, Activity>>();
  /** Conversations whose model is writing a message. This is known only if its stream is seen. */
  readonly #writing = new Set<string | null>();
  /** Calls that have a result, but whose subagent goes on. */
  readonly #tasks = new Set<string>();
  /** Whether the CLI reports when it is idle. If it does not, the turn ends with its result. */
  #tellsIdle = false;

  /** `fates` decides when calls are over. `isOurs` says whether the program itself runs a tool. */
  constructor(open: OpenActivities, fates: CallFates, isOurs: (toolName: string) => boolean) {
    this.#open = open;
    this.#fates = fates;
    this.#isOurs = isOurs;
  }

  observe(frame: WireObject, isPrompt: boolean): void {
    const parent = asString(frame['parent_tool_use_id']) ?? null;
    switch (frame['type']) {
      case 'user':
        this.#observeUser(frame, parent, isPrompt);
        break;
      case 'assistant':
        this.#observeAssistant(frame, parent);
        break;
      case 'stream_event':
        if (isRecord(frame['event'])) this.#observeStream(frame['event'], parent);
        break;
      case 'system':
        this.#observeSystem(frame);
        break;
      case 'result':
        this.#endWork();
        if (!this.#tellsIdle) this.#open.end('turn');
        break;
      default:
    }
  }

  /** Takes pieces of a streamed answer that were joined to one event. */
  observePieces(kind: WritingPhase['kind'], parent: string | null): void {
    const { phases } = this.#beginWriting(parent);
    const last = phases?.at(-1);
    if (last?.kind === kind) last.end = this.#open.t;
    else phases?.push({ kind, start: this.#open.t, end: this.#open.t });
  }

  /** Counts the time of a call anew that was denied, or that may run after all. */
  recountCall(toolUseId: string): void {
    const call = this.#open.get(`call ${toolUseId}`);
    if (!call) return;
    const runs = this.#calls.get(call.parent)?.has(toolUseId) === true && !this.#writing.has(call.parent);
    this.#open.recount(call, runs ? this.#shareOfCall(call.name, toolUseId) : undefined);
  }

  /** Forgets everything, because the CLI has ended or another one follows. */
  forget(): void {
    this.#calls.clear();
    this.#writing.clear();
    this.#tasks.clear();
    this.#tellsIdle = false;
  }

  #observeUser(frame: WireObject, parent: string | null, isPrompt: boolean): void {
    if (isPrompt) {
      this.#beginTurn();
      return;
    }
    this.#beginAgent(parent, undefined);
    const calls = this.#calls.get(parent);
    for (const block of blocksOf(frame)) {
      if (block['type'] !== 'tool_result') continue;
      const id = previewText(block['tool_use_id']);
      calls?.delete(id);
      const call = this.#open.get(`call ${id}`);
      // The conversation does not wait for what goes on in the background.
      if (call) this.#open.recount(call, undefined);
      else if (!this.#tasks.has(id)) this.#endAgent(id);
    }
    // The model works next when every call has its result. After a prompt, it begins with `system/init`.
    if (!calls || calls.size > 0) return;
    if (parent !== null || this.#open.get('turn')) this.#beginModel(parent);
  }

  #observeAssistant(frame: WireObject, parent: string | null): void {
    if (parent === null) this.#beginTurn();
    else this.#beginAgent(parent, undefined);
    for (const block of blocksOf(frame)) {
      const { type, id } = block;
      if (type === 'tool_use' && typeof id === 'string')
        this.#beginCall(id, previewText(block['name']), parent);
      else if (type === 'server_tool_use' && typeof id === 'string')
        this.#beginApiCall(id, previewText(block['name']), parent);
    }
  }

  /** A call that the API itself runs, while the model writes. */
  #beginApiCall(toolUseId: string, name: string, parent: string | null): void {
    // Its result may be in the same message.
    const isOver = this.#fates.ended.includes(toolUseId);
    if (this.#fates.isOver(toolUseId) && !isOver) return;
    this.#open.begin(`call ${toolUseId}`, { kind: 'call', name, parent, toolUseId });
    if (isOver) this.#open.end(`call ${toolUseId}`);
  }

  #beginCall(toolUseId: string, name: string, parent: string | null): void {
    // The message of a call that is over is one that came again.
    if (this.#fates.isOver(toolUseId)) return;
    const isWriting = this.#writing.has(parent);
    if (!isWriting) this.#open.end(modelKey(parent));
    const call = this.#open.begin(`call ${toolUseId}`, {
      kind: 'call',
      name,
      parent,
      toolUseId,
      share: isWriting ? undefined : this.#shareOfCall(name, toolUseId),
    });
    const calls = this.#calls.get(parent) ?? new Map<string, Activity>();
    this.#calls.set(parent, calls.set(toolUseId, call));
  }

  /** The share of a call itself. A call of a tool of the program has none, because its handler counts the time. */
  #shareOfCall(name: string, toolUseId: string | undefined): 'model' | 'cliTools' | undefined {
    if (toolUseId !== undefined && this.#fates.fateOf(toolUseId) === 'denied') return undefined;
    if (SUBAGENT_TOOLS.has(name)) return 'model';
    return this.#isOurs(name) ? undefined : 'cliTools';
  }

  #observeStream(event: WireObject, parent: string | null): void {
    const now = this.#open.t;
    switch (event['type']) {
      case 'message_start':
        if (parent === null) this.#beginTurn();
        this.#beginWriting(parent);
        break;
      case 'content_block_start': {
        const block = isRecord(event['content_block']) ? event['content_block'] : {};
        const kind = PHASE_OF[previewText(block['type'])];
        if (kind) this.#beginWriting(parent).phases?.push({ kind, start: now, end: now });
        break;
      }
      case 'content_block_delta':
      case 'content_block_stop': {
        const phase = this.#open.get(modelKey(parent))?.phases?.at(-1);
        if (phase) phase.end = now;
        break;
      }
      case 'message_stop':
        this.#writing.delete(parent);
        this.#open.end(modelKey(parent));
        // Until now the time counted for the model, even if the CLI had already begun with the first calls.
        for (const call of this.#calls.get(parent)?.values() ?? [])
          this.#open.recount(call, this.#shareOfCall(call.name, call.toolUseId));
        break;
      default:
    }
  }

  #observeSystem(frame: WireObject): void {
    const toolUseId = asString(frame['tool_use_id']);
    switch (frame['subtype']) {
      case 'init':
        this.#beginTurn();
        this.#beginModel(null);
        break;
      case 'status':
        if (frame['status'] === 'requesting') this.#beginModel(null);
        if (frame['status'] === 'compacting')
          this.#open.begin('compaction', { kind: 'compaction', name: 'compaction', share: 'model' });
        else if (frame['status'] !== 'requesting') this.#open.end('compaction');
        break;
      case 'compact_boundary':
        this.#markCompaction(frame['compact_metadata']);
        break;
      case 'api_retry':
        this.#markRetry(frame);
        break;
      case 'session_state_changed':
        this.#tellsIdle = true;
        if (frame['state'] !== 'idle') this.#beginTurn();
        else this.#open.end('turn');
        break;
      case 'task_started':
        if (toolUseId === undefined || !this.#isSubagent(frame, toolUseId)) break;
        this.#tasks.add(toolUseId);
        this.#beginAgent(toolUseId, nameOfTask(frame));
        break;
      case 'task_notification':
        if (toolUseId === undefined) break;
        this.#tasks.delete(toolUseId);
        this.#endAgent(toolUseId);
        break;
      case 'hook_started':
        this.#open.begin(`command ${previewText(frame['hook_id'])}`, {
          kind: 'command',
          name: previewText(frame['hook_name']),
          share: 'cliTools',
        });
        break;
      case 'hook_response':
        this.#open.end(`command ${previewText(frame['hook_id'])}`, { isError: frame['outcome'] === 'error' });
        break;
      default:
    }
  }

  #isSubagent(frame: WireObject, toolUseId: string): boolean {
    if (typeof frame['subagent_type'] === 'string') return true;
    return SUBAGENT_TOOLS.has(this.#open.get(`call ${toolUseId}`)?.name ?? '');
  }

  #markCompaction(metadata: unknown): void {
    const took = isRecord(metadata) ? metadata['duration_ms'] : 0;
    const start = this.#open.t - (typeof took === 'number' && took >= 0 ? took : 0);
    this.#open.begin('compaction', { kind: 'compaction', name: 'compaction', share: 'model', start });
    this.#open.end('compaction');
  }

  /** Notes the pause before another attempt. It has no share of its own, because its time counts for the model. */
  #markRetry(frame: WireObject): void {
    const pause = frame['retry_delay_ms'];
    this.#open.begin('retry', { kind: 'retry', name: `retry ${previewText(frame['attempt'])}` });
    this.#open.end('retry', {
      end: this.#open.t + (typeof pause === 'number' && pause >= 0 ? pause : 0),
      isError: true,
    });
  }

  #beginTurn(): void {
    this.#open.begin('turn', { kind: 'turn', name: 'turn', share: 'overhead' });
  }

  #beginModel(parent: string | null): Activity {
    return this.#open.begin(modelKey(parent), { kind: 'model', name: 'model', share: 'model', parent });
  }

  #beginWriting(parent: string | null): Activity {
    this.#writing.add(parent);
    const model = this.#beginModel(parent);
    model.phases ??= [];
    return model;
  }

  #beginAgent(toolUseId: string | null, name: string | undefined): void {
    if (toolUseId === null || this.#open.get(`agent ${toolUseId}`)) return;
    const parent = this.#open.get(`call ${toolUseId}`)?.parent ?? null;
    this.#open.begin(`agent ${toolUseId}`, {
      kind: 'agent',
      name: name ?? 'subagent',
      share: 'overhead',
      parent,
      toolUseId,
    });
    this.#beginModel(toolUseId);
  }

  #endAgent(toolUseId: string, isCut = false): void {
    if (!this.#open.get(`agent ${toolUseId}`)) return;
    this.#open.end(modelKey(toolUseId), { isCut });
    // The agent ends before its calls. In a file made by hand, an agent may be among its own calls, and without this order
    // the recursion would not end.
    this.#open.end(`agent ${toolUseId}`, { isCut });
    this.#forgetCalls(toolUseId);
  }

  /** Ends the subagents of the calls that a conversation has not got back. */
  #forgetCalls(parent: string | null): void {
    const calls = this.#calls.get(parent);
    this.#calls.delete(parent);
    this.#writing.delete(parent);
    for (const id of calls?.keys() ?? []) this.#endAgent(id, true);
  }

  #endWork(): void {
    this.#open.end(modelKey(null));
    this.#open.end('compaction');
    this.#forgetCalls(null);
  }
}

function nameOfTask({ subagent_type: type, description }: WireObject): string | undefined {
  const parts = [type, description].filter((part) => typeof part === 'string' && part !== '');
  return parts.length === 0 ? undefined : parts.join(': ');
}

function modelKey(parent: string | null): string {
  return `model ${parent ?? ''}`;
}
