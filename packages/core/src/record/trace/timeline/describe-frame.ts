// Gives a frame a name and a summary on one line. This file describes requests and answers, `describe-message` messages.
import { describeChanges } from '../../../util/diff-values.js';
import { asString, isRecord } from '../../../util/guards.js';
import { countOf } from '../../../util/message-of.js';
import { frameOf, type WireObject } from '../../../wire/protocol/codec.js';
import { describeBlocks, describeMessage } from './describe-message.js';
import {
  describePlain,
  previewJson,
  previewText,
  shortenToSummary,
  type FrameDescription,
} from './frame-description.js';
import { readMcpAnswer, readWireQuestion, type WireQuestion } from './wire-question.js';

/** Describes a frame. `findQuestion` returns the description of the request that it answers, if that is known. */
export function describeFrame(
  frame: WireObject,
  findQuestion: (requestId: string) => FrameDescription | undefined,
): FrameDescription {
  const question = readWireQuestion(frame);
  if (question) return describeQuestion(question);
  const read = frameOf(frame);
  switch (read.kind) {
    case 'success':
      return describeAnswer(read.requestId, read.response, findQuestion(read.requestId));
    case 'failure':
      return {
        ...describeAnswer(read.requestId, undefined, findQuestion(read.requestId)),
        summary: shortenToSummary(read.error),
        isError: true,
      };
    case 'cancel': {
      const asked = findQuestion(read.requestId);
      return {
        ...describePlain(`cancel ${asked?.event ?? 'request'}`, ''),
        layer: 'control',
        role: 'notice',
        requestId: read.requestId,
        toolUseId: asked?.toolUseId,
      };
    }
    case 'keep-alive':
      return describePlain('keep_alive', '');
    default:
      return describeMessage(frame);
  }
}

function describeQuestion(question: WireQuestion): FrameDescription {
  const { mcp, subtype, request, requestId, toolUseId, name } = question;
  const base = { requestId, toolUseId, isError: false, role: 'question' as const };
  if (!mcp) {
    const given = request['input'] ?? request['payload'];
    const input = subtype === 'hook_callback' && isRecord(given) ? pickHookSubject(given) : given;
    const subject = name === subtype ? '' : name;
    const details = input === undefined ? describeFields(request) : previewJson(input);
    const summary = shortenToSummary([subject, details].filter(Boolean).join(' '));
    return { ...base, layer: 'control', event: subtype, summary, input: given };
  }
  const { message, server } = mcp;
  const params = isRecord(message['params']) ? message['params'] : {};
  const method = asString(message['method']) ?? 'answer';
  const details =
    method === 'tools/call'
      ? `${previewText(params['name'])} ${previewJson(params['arguments'])}`
      : method === 'answer'
        ? previewJson(message['result'] ?? message['error'])
        : describeFields(params);
  const summary = shortenToSummary(`${server}: ${details}`.replace(/: $/, ''));
  return { ...base, layer: 'mcp', event: method, summary };
}

/** The part of a hook's input that differs from call to call. */
function pickHookSubject(input: WireObject): unknown {
  const { tool_name: tool, tool_input: toolInput, prompt, reason, source, message } = input;
  if (tool !== undefined) return { [previewText(tool)]: toolInput };
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
    summary: shortenToSummary(describeResult(failure ?? result ?? body, asked?.input)),
    requestId,
    toolUseId: asked?.toolUseId,
    isError: failure !== undefined || result?.['isError'] === true,
  };
}

function describeResult(value: unknown, asked: unknown): string {
  if (value === undefined) return '';
  if (isRecord(value)) {
    if (typeof value['behavior'] === 'string') {
      const { behavior, message, updatedInput } = value;
      const changes =
        isRecord(updatedInput) && asked !== undefined ? describeChanges(asked, updatedInput) : '';
      return `${behavior} ${changes === '' ? '' : `edited: ${changes} `}${previewText(message)}`.trim();
    }
    const content = value['content'];
    if (Array.isArray(content)) return describeBlocks(content);
    if (Array.isArray(value['commands']) && Array.isArray(value['models']))
      return `${countOf(value['commands'].length, 'command')}, ${countOf(value['models'].length, 'model')}`;
    if (Array.isArray(value['tools'])) return countOf(value['tools'].length, 'tool');
    if (typeof value['message'] === 'string') return value['message'];
  }
  return previewJson(value);
}

function describeFields(fields: WireObject): string {
  return Object.entries(fields)
    .filter(([name, value]) => name !== 'subtype' && ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}
