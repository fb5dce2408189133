// Messages of the CLI as updates of a session in the editor: each text once, each tool call from its first word to its
// result. Knows nothing of the connection.
import type { ContentChunk, SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { completedOf, type CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
import { blocksOf, bodyOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { describeTool, type ToolDescription } from './describe-tool.js';
import { NoticeBoard, type NoticeKinds } from './notices.js';
import { PlanLedger } from './plan.js';
import { contentOfResult, type ToolResult } from './tool-result.js';
import { UsageLedger } from './usage.js';

interface OpenCall {
  description: ToolDescription;
  input: Record<string, unknown>;
  /** Whether a person was asked about it; then the answer says that it runs. */
  isAsked: boolean;
  isAnnounced: boolean;
  /** Whether its input was known and is shown. */
  isDescribed: boolean;
}

/** The answer that is being streamed, by the tool call whose subagent writes it. */
interface StreamedAnswer {
  id: string | undefined;
  kinds: Set<string>;
}

/** Marks of what nobody wrote: summaries, notes of the CLI, commands and their output. */
const ASIDES = ['isCompactSummary', 'is_meta', 'isCompletedLocalCommand'] as const;
/** What the CLI adds to the conversation when a turn is stopped. */
const INTERRUPTED = '[Request interrupted by user';

/** What a session tells its editor; given every message in order. */
export class MessageUpdates {
  readonly #cwd: string;
  readonly #notices: NoticeBoard;
  /** Whether the turn has text that the editor shows. */
  #hasSpoken = false;
  /** Whether what is taken happened long ago. */
  #isPast = false;
  readonly #calls = new Map<string, OpenCall>();
  readonly #streamed = new Map<string, StreamedAnswer>();
  readonly #plan = new PlanLedger();
  readonly #usage = new UsageLedger();

  constructor(cwd: string, kinds: NoticeKinds = {}) {
    this.#cwd = cwd;
    this.#notices = new NoticeBoard(kinds);
  }

  /** The updates that follow from a message. */
  take(message: object): SessionUpdate[] {
    const wire = message as WireObject;
    switch (wire['type']) {
      case 'stream_event':
        return this.#takePiece(wire);
      case 'assistant':
        return this.#takeAnswer(wire);
      case 'user':
        return this.#takeInput(wire);
      case 'tool_progress':
        return this.#markRunning(String(wire['tool_use_id']));
      case 'result':
        return this.#endTurn(wire);
      default:
        return this.#takeNotice(wire);
    }
  }

  /** The updates that show a message of an earlier run again. */
  replay(message: object): SessionUpdate[] {
    const wire = message as WireObject;
    this.#isPast = true;
    const isPrompt = wire['type'] === 'user' && !ASIDES.some((mark) => wire[mark] === true);
    const updates = isPrompt ? [...replayPrompt(wire), ...this.#takeInput(wire)] : this.take(message);
    this.#isPast = false;
    return updates;
  }

  /** A person is asked about a call, perhaps before its message was read here. Gives what is shown of it, and the update that announces it if none did. */
  ask(
    id: string,
    name: string,
    input: Record<string, unknown>,
  ): { call: ToolCallUpdate; updates: SessionUpdate[] } {
    const updates = this.#openCall(id, name, input);
    const open = this.#calls.get(id);
    if (open) open.isAsked = true;
    // Again: the model may have been given another input by a hook.
    const { title, kind, locations, content } = describeTool(name, input, { cwd: this.#cwd });
    const call: ToolCallUpdate = { toolCallId: id, title, kind, name, status: 'pending', rawInput: input };
    if (locations.length > 0) call.locations = locations;
    if (content.length > 0) call.content = content;
    return { call, updates };
  }

  /** A call runs. */
  running(id: string): SessionUpdate[] {
    return this.#markRunning(id);
  }

  /** The session's turn ended without results for these calls. */
  abandonCalls(): SessionUpdate[] {
    const open = [...this.#calls].filter(([, { isAnnounced }]) => isAnnounced);
    this.#calls.clear();
    return open.map(([toolCallId]) => ({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' }));
  }

  #takeNotice(wire: WireObject): SessionUpdate[] {
    const updates = this.#notices.take(wire);
    this.#hasSpoken ||= updates.some(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    return updates;
  }

  #endTurn(wire: WireObject): SessionUpdate[] {
    const { result, is_error: isError } = wire;
    // Old CLIs give the output of a command in the result alone.
    const isUnsaid = !this.#hasSpoken && isError !== true && typeof result === 'string' && result !== '';
    const unsaid = isUnsaid ? [chunk('agent_message_chunk', result, undefined)] : [];
    this.#hasSpoken = false;
    this.#calls.clear();
    this.#streamed.clear();
    return [...unsaid, ...this.#usage.report(wire)];
  }

  #takePiece(wire: WireObject): SessionUpdate[] {
    const { event } = wire;
    if (!isRecord(event)) return [];
    const parent = parentOf(wire);
    if (event['type'] === 'message_start') {
      const id = isRecord(event['message']) ? asString(event['message']['id']) : undefined;
      this.#streamed.set(parent, { id, kinds: new Set() });
      return [];
    }
    if (event['type'] === 'content_block_start') return this.#announce(event['content_block']);
    // What subagents write is in the result of the call that started them.
    if (event['type'] !== 'content_block_delta' || !isRecord(event['delta']) || parent !== '') return [];
    const { type, text, thinking } = event['delta'];
    const answer = this.#streamed.get(parent) ?? { id: undefined, kinds: new Set() };
    this.#streamed.set(parent, answer);
    if (type === 'text_delta' && typeof text === 'string' && text !== '') {
      answer.kinds.add('text');
      this.#hasSpoken = true;
      return [chunk('agent_message_chunk', text, answer.id)];
    }
    if (type === 'thinking_delta' && typeof thinking === 'string' && thinking !== '') {
      answer.kinds.add('thinking');
      return [chunk('agent_thought_chunk', thinking, answer.id)];
    }
    return [];
  }

  // Its input is still being written.
  #announce(block: unknown): SessionUpdate[] {
    if (!isRecord(block) || block['type'] !== 'tool_use') return [];
    const name = String(block['name']);
    if (PlanLedger.isAbout(name)) return [];
    const toolCallId = String(block['id']);
    if (this.#calls.has(toolCallId)) return [];
    const description = describeTool(name, {}, { cwd: this.#cwd });
    this.#calls.set(toolCallId, {
      description,
      input: {},
      isAsked: false,
      isAnnounced: true,
      isDescribed: false,
    });
    const { title, kind } = description;
    return [{ sessionUpdate: 'tool_call', toolCallId, title, kind, name, status: 'pending' }];
  }

  #takeAnswer(wire: WireObject): SessionUpdate[] {
    // What the CLI writes in the model's place when the API fails; the answer to the prompt says it.
    if (wire['error'] !== undefined || wire['is_api_error_message'] === true) return [];
    const parent = parentOf(wire);
    const id = asString(bodyOf(wire)['id']);
    if (parent === '') this.#usage.take(bodyOf(wire));
    const streamed = this.#streamed.get(parent);
    const isStreamed = (kind: string): boolean =>
      streamed !== undefined && streamed.kinds.has(kind) && (streamed.id === undefined || streamed.id === id);
    return blocksOf(wire).flatMap((block): SessionUpdate[] => {
      const { type, text, thinking } = block;
      if (type === 'tool_use' && isRecord(block['input'])) {
        return this.#beginCall(String(block['id']), String(block['name']), block['input'], parent);
      }
      if (parent !== '') return [];
      if (type === 'text' && typeof text === 'string' && text !== '' && !isStreamed('text')) {
        this.#hasSpoken = true;
        return [chunk('agent_message_chunk', text, id)];
      }
      if (type === 'thinking' && typeof thinking === 'string' && thinking !== '' && !isStreamed('thinking')) {
        return [chunk('agent_thought_chunk', thinking, id)];
      }
      return [];
    });
  }

  #beginCall(id: string, name: string, input: Record<string, unknown>, parent: string): SessionUpdate[] {
    const updates = this.#openCall(id, name, input, parent);
    const open = this.#calls.get(id);
    return open?.isAnnounced === true && !open.isAsked ? [...updates, ...this.#markRunning(id)] : updates;
  }

  #openCall(id: string, name: string, input: Record<string, unknown>, parent = ''): SessionUpdate[] {
    const known = this.#calls.get(id);
    if (known?.isDescribed === true) return [];
    const description = describeTool(name, input, { cwd: this.#cwd, isPast: this.#isPast });
    const isAnnounced = !PlanLedger.isAbout(name);
    this.#calls.set(id, { description, input, isAsked: false, isAnnounced, isDescribed: true });
    if (!isAnnounced) return [];
    const { title, kind, locations, content } = description;
    const shown = {
      toolCallId: id,
      title,
      kind,
      name,
      rawInput: input,
      ...(locations.length > 0 ? { locations } : {}),
      ...(content.length > 0 ? { content } : {}),
      ...(parent === '' ? {} : { _meta: { 'inboard/parentToolCallId': parent } }),
    };
    return known?.isAnnounced === true
      ? [{ sessionUpdate: 'tool_call_update', ...shown }]
      : [{ sessionUpdate: 'tool_call', status: 'pending', ...shown }];
  }

  #markRunning(toolCallId: string): SessionUpdate[] {
    if (this.#calls.get(toolCallId)?.isAnnounced !== true) return [];
    return [{ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' }];
  }

  #takeInput(wire: WireObject): SessionUpdate[] {
    const completed = completedOf(wire);
    const opened = completed ? this.#openCompleted(completed) : [];
    const ended = blocksOf(wire).flatMap((block) => {
      if (block['type'] !== 'tool_result') return [];
      return this.#endCall(
        String(block['tool_use_id']),
        {
          content: block['content'],
          isError: block['is_error'] === true,
          structure: wire['tool_use_result'],
        },
        completed,
      );
    });
    return [...opened, ...ended];
  }

  /** A call that was cut off is completed, perhaps in another process than the one that announced it. */
  #openCompleted({ toolUseId, toolName, input }: CompletedCall): SessionUpdate[] {
    return this.#openCall(toolUseId, toolName, isRecord(input) ? input : {});
  }

  #endCall(toolCallId: string, result: ToolResult, completed: CompletedCall | undefined): SessionUpdate[] {
    const call = this.#calls.get(toolCallId);
    if (!call) return [];
    this.#calls.delete(toolCallId);
    const { description, input, isAnnounced } = call;
    if (!isAnnounced) return result.isError ? [] : this.#plan.take(description.name, input, result);
    const content = contentOfResult(description, result);
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: result.isError ? 'failed' : 'completed',
        rawOutput: result.structure ?? result.content,
        ...(content === undefined ? {} : { content }),
        ...(completed ? describeCompletion(completed) : {}),
      },
    ];
  }
}

/** How a call was completed: who answered, and what it ran with where that was edited. */
function describeCompletion({
  how,
  by,
  ranInput,
}: CompletedCall): Pick<ToolCallUpdate, 'rawInput' | '_meta'> {
  return {
    ...(ranInput === undefined ? {} : { rawInput: ranInput }),
    _meta: { 'inboard/completed': { how, ...(by === undefined ? {} : { by }) } },
  };
}

function replayPrompt(wire: WireObject): SessionUpdate[] {
  const { content } = bodyOf(wire);
  const id = asString(wire['uuid']);
  if (typeof content === 'string') return replayText(content, id);
  return blocksOf(wire).flatMap((block): SessionUpdate[] => {
    const { type, text, source } = block;
    if (type === 'text' && typeof text === 'string') return replayText(text, id);
    if (type !== 'image' || !isRecord(source) || typeof source['data'] !== 'string') return [];
    const mimeType = asString(source['media_type']) ?? 'image/png';
    const shown: ContentChunk = { content: { type: 'image', data: source['data'], mimeType } };
    return [
      { sessionUpdate: 'user_message_chunk', ...shown, ...(id === undefined ? {} : { messageId: id }) },
    ];
  });
}

function replayText(text: string, id: string | undefined): SessionUpdate[] {
  return text === '' || text.startsWith(INTERRUPTED) ? [] : [chunk('user_message_chunk', text, id)];
}

function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  text: string,
  messageId: string | undefined,
): SessionUpdate {
  const content = { type: 'text' as const, text };
  return messageId === undefined ? { sessionUpdate, content } : { sessionUpdate, content, messageId };
}

function parentOf(message: WireObject): string {
  return asString(message['parent_tool_use_id']) ?? '';
}
