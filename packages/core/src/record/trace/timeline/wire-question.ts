// Reads the question or the answer in a frame, for replays and timelines.
import { asString, isRecord } from '../../../util/guards.js';
import { frameOf, type WireObject } from '../../../wire/protocol/codec.js';
import { withoutUndefined } from '../../../util/without-undefined.js';

/** What answers a question of the CLI. */
export type QuestionKind = 'tool' | 'server' | 'permission' | 'hook' | 'dialog' | 'other';

/** The content of a control request. */
export interface WireQuestion {
  requestId: string;
  subtype: string;
  request: WireObject;
  kind: QuestionKind;
  /** The name of the tool, of the hook's event, or of the method. */
  name: string;
  toolUseId: string | undefined;
  /** The JSON-RPC message and its server; undefined for other requests than `mcp_message`. */
  mcp: { server: string; message: WireObject } | undefined;
}

/** The content of a control response. */
export interface WireAnswer {
  requestId: string;
  /** The answer without the frame around it. `readMcpAnswer` finds the JSON-RPC answer in it. */
  value: unknown;
}

/** The question in a frame; undefined for any other frame. */
export function readWireQuestion(frame: WireObject): WireQuestion | undefined {
  const read = frameOf(frame);
  if (read.kind !== 'request') return undefined;
  const { requestId, request } = read;
  const subtype = asString(request['subtype']) ?? '';
  const mcp = readMcp(request);
  return {
    requestId,
    subtype,
    request,
    kind: kindOf(subtype, mcp?.message),
    name: nameOf(subtype, request, mcp?.message),
    toolUseId: asString(request['tool_use_id']) ?? (mcp && toolUseIdOf(mcp.message)),
    mcp,
  };
}

/** The answer in a frame; undefined for any other frame. */
export function readWireAnswer(frame: WireObject): WireAnswer | undefined {
  const read = frameOf(frame);
  if (read.kind === 'success') return { requestId: read.requestId, value: read.response };
  if (read.kind === 'failure') {
    const { requestId, error, errorCode } = read;
    return { requestId, value: withoutUndefined({ error, errorCode }) };
  }
  return undefined;
}

/** Whether the answer to a permission question is a denial. */
export function isDenial(value: unknown): boolean {
  return isRecord(value) && value['behavior'] === 'deny';
}

/** Whether the answer of a hook before a call refuses the call. */
export function isHookDenial(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const special = isRecord(value['hookSpecificOutput']) ? value['hookSpecificOutput'] : {};
  return special['permissionDecision'] === 'deny' || value['decision'] === 'block';
}

/** The id of the request that a frame withdraws; undefined for any other frame. */
export function readCancel(frame: WireObject): string | undefined {
  const read = frameOf(frame);
  return read.kind === 'cancel' ? read.requestId : undefined;
}

/** The JSON-RPC answer inside the answer to an `mcp_message`. Any other answer is returned unchanged. */
export function readMcpAnswer(value: unknown): unknown {
  return isRecord(value) && isRecord(value['mcp_response']) ? value['mcp_response'] : value;
}

function readMcp(request: WireObject): WireQuestion['mcp'] {
  if (request['subtype'] !== 'mcp_message' || !isRecord(request['message'])) return undefined;
  return { server: asString(request['server_name']) ?? '', message: request['message'] };
}

function kindOf(subtype: string, message: WireObject | undefined): QuestionKind {
  switch (subtype) {
    case 'mcp_message':
      return message?.['method'] === 'tools/call' ? 'tool' : 'server';
    case 'can_use_tool':
      return 'permission';
    case 'hook_callback':
      return 'hook';
    case 'elicitation':
    case 'request_user_dialog':
      return 'dialog';
    default:
      return 'other';
  }
}

function nameOf(subtype: string, request: WireObject, message: WireObject | undefined): string {
  if (message) {
    const params = isRecord(message['params']) ? message['params'] : {};
    const method = asString(message['method']) ?? 'response';
    return method === 'tools/call' ? (asString(params['name']) ?? method) : method;
  }
  const input = isRecord(request['input']) ? request['input'] : {};
  return (
    asString(request['tool_name']) ??
    (subtype === 'hook_callback'
      ? asString(input['hook_event_name'])
      : (asString(request['dialog_kind']) ?? asString(request['mcp_server_name']))) ??
    subtype
  );
}

function toolUseIdOf(message: WireObject): string | undefined {
  const params = isRecord(message['params']) ? message['params'] : {};
  const meta = isRecord(params['_meta']) ? params['_meta'] : {};
  return asString(meta['claudecode/toolUseId']);
}
