// Gives a message a name and a summary on one line.
import { asString, isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import {
  completedOf,
  describeCompleted,
  hasRun,
  type CompletedCall,
} from '../../../wire/protocol/messages/completed-call.js';
import { blocksOf, bodyOf } from '../../../wire/protocol/messages/message-content.js';
import { describePlain, previewJson, previewText, type FrameDescription } from './frame-description.js';

/** Describes a message of the conversation, a result, a part of a stream, or a notice. */
export function describeMessage(frame: WireObject): FrameDescription {
  const type = asString(frame['type']) ?? 'message';
  const subtype = asString(frame['subtype']);
  switch (type) {
    case 'user':
    case 'assistant':
      return describeTurn(type, frame);
    case 'result': {
      const cost = frame['total_cost_usd'];
      const parts = [
        frame['result'] ?? previewJson(frame['errors']),
        typeof cost === 'number' ? `$${cost.toFixed(4)}` : '',
      ];
      return {
        ...describePlain(`result/${subtype ?? ''}`, parts.map(previewText).filter(Boolean).join(' · ')),
        isError: frame['is_error'] === true,
      };
    }
    case 'stream_event': {
      const event = isRecord(frame['event']) ? frame['event'] : {};
      const delta = isRecord(event['delta']) ? event['delta'] : {};
      const text = delta['text'] ?? delta['thinking'] ?? delta['partial_json'] ?? '';
      return describePlain(`stream_event/${previewText(event['type'])}`, previewText(text));
    }
    default:
      return describePlain(subtype === undefined ? type : `${type}/${subtype}`, describeNotice(frame));
  }
}

function describeTurn(type: string, frame: WireObject): FrameDescription {
  const { content } = bodyOf(frame);
  const blocks = blocksOf(frame);
  const completed = completedOf(frame);
  if (completed) return describeResult(completed, blocks);
  const call = blocks.find((block) => block['type'] === 'tool_use' || block['type'] === 'tool_result');
  const text = typeof content === 'string' ? content : describeBlocks(blocks);
  return {
    ...describePlain(call ? `${type} (${String(call['type'])})` : type, text),
    toolUseId: asString(call?.['id'] ?? call?.['tool_use_id']),
    isError: blocks.some((block) => block['is_error'] === true) || typeof frame['error'] === 'string',
  };
}

/** Describes a call that was completed without a CLI, and what the model was told about it. */
function describeResult(call: CompletedCall, blocks: readonly WireObject[]): FrameDescription {
  const told = describeBlocks(blocks);
  const summary = `${call.toolName}: ${describeCompleted(call)}${told === '' ? '' : ` · ${told}`}`;
  const isError = hasRun(call) && blocks.some((block) => block['is_error'] === true);
  return { ...describePlain('completed', summary), toolUseId: call.toolUseId, isError };
}

/** The informative fields of messages that are neither conversation nor result. */
function describeNotice(frame: WireObject): string {
  const { state, model, tools, tool_name: tool, hook_event: hook, description, status, content } = frame;
  const texts = [state, model, tool, hook, description, status, content].filter(
    (value) => typeof value === 'string',
  );
  if (Array.isArray(tools)) texts.push(`${tools.length} tools`);
  return texts.join(' · ');
}

/** The summaries of content blocks, joined. A block of an unknown kind is named by its type. */
export function describeBlocks(blocks: readonly unknown[]): string {
  return blocks.filter(isRecord).map(describeBlock).filter(Boolean).join(' · ');
}

function describeBlock(block: WireObject): string {
  switch (block['type']) {
    case 'text':
      return previewText(block['text']);
    case 'thinking':
      return `thinking: ${previewText(block['thinking'])}`;
    case 'tool_use':
      return `${previewText(block['name'])} ${previewJson(block['input'])}`;
    case 'tool_result': {
      const { content } = block;
      return Array.isArray(content) ? describeBlocks(content) : previewText(content);
    }
    default:
      return `[${previewText(block['type'])}]`;
  }
}
