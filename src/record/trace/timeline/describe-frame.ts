// What a frame is called and what it is about, on one line.
import { isRecord } from '../../../util/guards.js';
import { frameOf, type WireObject } from '../../../wire/protocol/codec.js';
import { readMcpAnswer, readQuestion, type WireQuestion } from './wire-question.js';

/** `message` is the conversation, `control` the requests between host and CLI, `mcp` the JSON-RPC inside them. */
export type TimelineLayer = 'message' | 'control' | 'mcp' | 'process';

/** A frame in a few words. */
export interface FrameDescription {
  layer: TimelineLayer;
  role: 'message' | 'question' | 'answer' | 'notice';
  event: string;
  summary: string;
  requestId: string | undefined;
  toolUseId: string | undefined;
  isError: boolean;
}

const SUMMARY_CHARACTERS = 160;

/** Describes a frame; `findQuestion` gives what is known of the request that it answers. */
export function describeFrame(
  frame: WireObject,
  findQuestion: (requestId: string) => FrameDescription | undefined,
): FrameDescription {
  const question = readQuestion(frame);
  if (question) return describeQuestion(question);
  const read = frameOf(frame);
  switch (read.kind) {
    case 'success':
      return describeAnswer(read.requestId, read.response, findQuestion(read.requestId));
    case 'failure':
      return {
        ...describeAnswer(read.requestId, undefined, findQuestion(read.requestId)),
        summary: shorten(read.error),
        isError: true,
      };
    case 'cancel': {
      const asked = findQuestion(read.requestId);
      return {
        layer: 'control',
        role: 'notice',
        event: `cancel ${asked?.event ?? 'request'}`,
        summary: '',
        requestId: read.requestId,
        toolUseId: asked?.toolUseId,
        isError: false,
      };
    }
    case 'keep-alive':
      return describePlain('keep_alive', '');
    default:
      return describeMessage(frame);
  }
}

function describeQuestion({
  mcp,
  subtype,
  request,
  requestId,
  toolUseId,
  name,
}: WireQuestion): FrameDescription {
  const base = { requestId, toolUseId, isError: false, role: 'question' as const };
  if (!mcp) {
    const given = request['input'] ?? request['payload'];
    const input = subtype === 'hook_callback' && isRecord(given) ? pickHookSubject(given) : given;
    const subject = name === subtype ? '' : name;
    const details = input === undefined ? describeFields(request) : preview(input);
    return {
      ...base,
      layer: 'control',
      event: subtype,
      summary: shorten([subject, details].filter(Boolean).join(' ')),
    };
  }
  const { message, server } = mcp;
  const params = isRecord(message['params']) ? message['params'] : {};
  const method = typeof message['method'] === 'string' ? message['method'] : 'answer';
  const details =
    method === 'tools/call'
      ? `${textOf(params['name'])} ${preview(params['arguments'])}`
      : method === 'answer'
        ? preview(message['result'] ?? message['error'])
        : describeFields(params);
  return {
    ...base,
    layer: 'mcp',
    event: method,
    summary: shorten(`${server}: ${details}`.replace(/: $/, '')),
  };
}

/** A hook is told much that is the same each time; what it is about is the rest. */
function pickHookSubject(input: WireObject): unknown {
  const { tool_name: tool, tool_input: toolInput, prompt, reason, source, message } = input;
  if (tool !== undefined) return { [textOf(tool)]: toolInput };
  return prompt ?? message ?? reason ?? source;
}

function describeAnswer(
  requestId: string,
  response: unknown,
  asked: FrameDescription | undefined,
): FrameDescription {
  const body = readMcpAnswer(response);
  const failure = isRecord(body) ? (body['error'] ?? undefined) : undefined;
  const result = isRecord(body) && isRecord(body['result']) ? body['result'] : undefined;
  return {
    layer: asked?.layer ?? 'control',
    role: 'answer',
    event: `${asked?.event ?? 'request'} ${asked?.layer === 'mcp' || asked?.event === 'hook_callback' ? 'answer' : 'reply'}`,
    summary: shorten(describeResult(failure ?? result ?? body)),
    requestId,
    toolUseId: asked?.toolUseId,
    isError: failure !== undefined || result?.['isError'] === true,
  };
}

function describeResult(value: unknown): string {
  if (value === undefined) return '';
  if (isRecord(value)) {
    if (typeof value['behavior'] === 'string')
      return `${value['behavior']} ${textOf(value['message'])}`.trim();
    const content = value['content'];
    if (Array.isArray(content)) return describeBlocks(content);
    if (Array.isArray(value['commands']) && Array.isArray(value['models']))
      return `${countOf(value['commands'], 'command')}, ${countOf(value['models'], 'model')}`;
    if (Array.isArray(value['tools'])) return countOf(value['tools'], 'tool');
    if (typeof value['message'] === 'string') return value['message'];
  }
  return preview(value);
}

function describeMessage(frame: WireObject): FrameDescription {
  const type = typeof frame['type'] === 'string' ? frame['type'] : 'message';
  const subtype = typeof frame['subtype'] === 'string' ? frame['subtype'] : undefined;
  const message = isRecord(frame['message']) ? frame['message'] : {};
  const content = message['content'];
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  switch (type) {
    case 'user':
    case 'assistant': {
      const calls = blocks.filter((block) => block['type'] === 'tool_use' || block['type'] === 'tool_result');
      const id = calls[0]?.['id'] ?? calls[0]?.['tool_use_id'];
      const words = typeof content === 'string' ? content : describeBlocks(blocks);
      const kind = calls[0]?.['type'];
      return {
        ...describePlain(typeof kind === 'string' ? `${type} (${kind})` : type, words),
        toolUseId: typeof id === 'string' ? id : undefined,
        isError: blocks.some((block) => block['is_error'] === true) || typeof frame['error'] === 'string',
      };
    }
    case 'result': {
      const cost = frame['total_cost_usd'];
      const words = [
        frame['result'] ?? preview(frame['errors']),
        typeof cost === 'number' ? `$${cost.toFixed(4)}` : '',
      ];
      return {
        ...describePlain(`result/${subtype ?? ''}`, words.map(String).filter(Boolean).join(' · ')),
        isError: frame['is_error'] === true,
      };
    }
    case 'stream_event': {
      const event = isRecord(frame['event']) ? frame['event'] : {};
      const delta = isRecord(event['delta']) ? event['delta'] : {};
      const words = delta['text'] ?? delta['thinking'] ?? delta['partial_json'] ?? '';
      return describePlain(`stream_event/${textOf(event['type'])}`, textOf(words));
    }
    default:
      return describePlain(subtype === undefined ? type : `${type}/${subtype}`, describeNotice(frame));
  }
}

/** The fields worth a look of messages that are neither conversation nor result. */
function describeNotice(frame: WireObject): string {
  const { state, model, tools, tool_name: tool, hook_event: hook, description, status, content } = frame;
  const words = [state, model, tool, hook, description, status, content].filter(
    (value) => typeof value === 'string',
  );
  if (Array.isArray(tools)) words.push(`${tools.length} tools`);
  return words.join(' · ');
}

function describePlain(event: string, summary: string): FrameDescription {
  return {
    layer: 'message',
    role: 'message',
    event,
    summary: shorten(summary),
    requestId: undefined,
    toolUseId: undefined,
    isError: false,
  };
}

function describeBlocks(blocks: readonly unknown[]): string {
  return blocks.filter(isRecord).map(describeBlock).filter(Boolean).join(' · ');
}

function describeBlock(block: WireObject): string {
  switch (block['type']) {
    case 'text':
      return textOf(block['text']);
    case 'thinking':
      return `thinking: ${textOf(block['thinking'])}`;
    case 'tool_use':
      return `${textOf(block['name'])} ${preview(block['input'])}`;
    case 'tool_result': {
      const { content } = block;
      return Array.isArray(content) ? describeBlocks(content) : textOf(content);
    }
    default:
      return `[${textOf(block['type'])}]`;
  }
}

function describeFields(fields: WireObject): string {
  return Object.entries(fields)
    .filter(([name, value]) => name !== 'subtype' && ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}

/** Strings as they are, anything else as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : preview(value);
}

function preview(value: unknown): string {
  if (value === undefined) return '';
  return JSON.stringify(value).slice(0, SUMMARY_CHARACTERS * 2);
}

function shorten(text: string): string {
  const line = text
    .slice(0, SUMMARY_CHARACTERS * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > SUMMARY_CHARACTERS ? `${line.slice(0, SUMMARY_CHARACTERS - 1)}…` : line;
}

function countOf(list: readonly unknown[], what: string): string {
  return `${list.length} ${what}${list.length === 1 ? '' : 's'}`;
}
