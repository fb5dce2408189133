// Turns the messages of the CLI into updates of a session in the editor, and shows each text once. `call-updates` shows the
// tool calls. This file knows nothing of the connection.
import type { ContentChunk, SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { completedOf } from '@inboard/core/wire/protocol/messages/completed-call.js';
import { blocksOf, bodyOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { CallUpdates } from './call-updates.js';
import { NoticeBoard, type NoticeKinds } from './notices.js';
import { EditorUsage } from './usage.js';

/** An answer that is being streamed. */
interface StreamedAnswer {
  id: string | undefined;
  kinds: Set<string>;
}

/** What the updates of a session depend on, besides its messages. */
export interface UpdateSetup {
  readonly cwd: string;
  /** The notices that the editor can show. */
  readonly kinds?: NoticeKinds;
  /** The calls of an earlier run that still wait for an answer. They are shown as pending. */
  readonly waiting?: ReadonlySet<string>;
  /** Returns the cost of each turn that has ended since the session was opened, in US dollars. */
  readonly listCosts: () => readonly number[];
}

/** Fields that mark messages which no person wrote: summaries, notes of the CLI, commands and their output. */
const ASIDES = ['isCompactSummary', 'is_meta', 'isCompletedLocalCommand'] as const;
/** The text that the CLI adds to the conversation when a turn is stopped. */
const INTERRUPTED = '[Request interrupted by user';

/** The updates of one session. It must be given every message, in order. */
export class MessageUpdates {
  readonly #calls: CallUpdates;
  readonly #notices: NoticeBoard;
  /** Whether the editor has been shown any text of this turn. */
  #hasSpoken = false;
  /** By the id of the call whose subagent writes the answer; '' for the main loop. */
  readonly #streamed = new Map<string, StreamedAnswer>();
  readonly #usage: EditorUsage;

  constructor({ cwd, kinds = {}, waiting, listCosts }: UpdateSetup) {
    this.#calls = new CallUpdates(cwd, waiting);
    this.#notices = new NoticeBoard(kinds);
    this.#usage = new EditorUsage(listCosts);
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
        return this.#calls.running(String(wire['tool_use_id']));
      case 'result':
        return this.#endTurn(wire);
      default:
        return this.#takeNotice(wire);
    }
  }

  /** The updates that show a message of an earlier run again. */
  replay(message: object): SessionUpdate[] {
    const wire = message as WireObject;
    this.#calls.isPast = true;
    const isPrompt = wire['type'] === 'user' && !ASIDES.some((mark) => wire[mark] === true);
    const updates = isPrompt ? [...replayPrompt(wire), ...this.#takeInput(wire)] : this.take(message);
    this.#calls.isPast = false;
    return updates;
  }

  /**
   * Notes that a person is asked about a call, perhaps before the message with the call was read here. Returns the call as it
   * is shown. If the call was not announced yet, also returns the update that announces it.
   */
  ask(
    id: string,
    name: string,
    input: Record<string, unknown>,
  ): { call: ToolCallUpdate; updates: SessionUpdate[] } {
    return this.#calls.ask(id, name, input);
  }

  /** The updates that show that a call runs. */
  running(id: string): SessionUpdate[] {
    return this.#calls.running(id);
  }

  /** Gives up the open calls, because the turn ended without results for them. */
  abandonCalls(): SessionUpdate[] {
    return this.#calls.abandon();
  }

  /** Gives up the open calls of an earlier run. Those that still wait for an answer stay open. */
  abandonPastCalls(): SessionUpdate[] {
    return this.#calls.abandonPast();
  }

  #takeNotice(wire: WireObject): SessionUpdate[] {
    const updates = this.#notices.take(wire);
    this.#hasSpoken ||= updates.some(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk');
    return updates;
  }

  #endTurn(wire: WireObject): SessionUpdate[] {
    const { result, is_error: isError } = wire;
    // Old CLIs put the output of a command only into the result.
    const isUnsaid = !this.#hasSpoken && isError !== true && typeof result === 'string' && result !== '';
    const unsaid = isUnsaid ? [chunk('agent_message_chunk', result, undefined)] : [];
    this.#hasSpoken = false;
    // A turn that was stopped without a CLI may leave calls without a result.
    const left = wire['subtype'] === 'success' ? [] : this.#calls.abandon();
    this.#calls.clear();
    this.#streamed.clear();
    return [...unsaid, ...left, ...this.#usage.report(wire)];
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
    if (event['type'] === 'content_block_start') return this.#calls.announce(event['content_block']);
    // The text of a subagent is shown with the result of the call that started it.
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

  #takeAnswer(wire: WireObject): SessionUpdate[] {
    // The CLI wrote this message in the model's place, because the API failed. The answer to the prompt reports the failure.
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
        return this.#calls.begin(String(block['id']), String(block['name']), block['input'], parent);
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

  #takeInput(wire: WireObject): SessionUpdate[] {
    const completed = completedOf(wire);
    const opened = completed ? this.#calls.openCompleted(completed) : [];
    const ended = blocksOf(wire).flatMap((block) => {
      if (block['type'] !== 'tool_result') return [];
      return this.#calls.end(
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
