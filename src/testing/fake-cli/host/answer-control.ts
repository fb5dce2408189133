// The answers a CLI gives to its host's control requests by itself, and what they change.
import { isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { HostServers } from './host-servers.js';
import type { MessageWriter } from './message-writer.js';

/** Answers of a test's own, by subtype: a value, or a function of the request that may throw to refuse it. */
export type ControlAnswers = Readonly<Record<string, unknown>>;

/** An answer, and what happens right before and after it is given. */
export interface ControlAnswer {
  readonly response?: unknown;
  readonly error?: { readonly message: string; readonly code?: string };
  /** No answer is given at all. */
  readonly isSilent?: boolean;
  /** Given twice, the second time without content. */
  readonly isDoubled?: boolean;
  readonly before?: () => void;
  readonly after?: () => void;
}

/** What control requests act upon. */
export interface ControlTarget {
  readonly writer: MessageWriter;
  readonly servers: HostServers;
  readonly answers: ControlAnswers;
  initialize(request: WireObject): ControlAnswer;
  /** Gives the uuids of the messages that still wait. */
  interrupt(): string[];
  cancelMessage(uuid: string): boolean;
  stopTask(id: string): boolean;
  connectServers(): void;
}

// Known to the real CLI and without an effect that a script could see.
const WITHOUT_EFFECT = new Set([
  'apply_flag_settings',
  'background_tasks',
  'get_context_usage',
  'get_usage',
  'mcp_read_resource',
  'mcp_toggle',
  'read_file',
  'reload_output_styles',
  'reload_plugins',
  'reload_skills',
  'rewind_files',
  'seed_read_state',
  'set_max_thinking_tokens',
  'set_mcp_permission_mode_override',
  'update_settings',
]);
const KNOWN_TO_OLD = new Set(['set_max_thinking_tokens', 'rewind_files', 'mcp_toggle']);
const MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk', 'auto'];

/** Carries out a request and gives its answer. */
export function answerControl(request: WireObject, target: ControlTarget): ControlAnswer {
  const subtype = String(request['subtype']);
  if (Object.hasOwn(target.answers, subtype)) return answerByTest(target.answers[subtype], request);
  const { writer, servers } = target;
  switch (subtype) {
    case 'initialize':
      return target.initialize(request);
    case 'interrupt': {
      const waiting = target.interrupt();
      return writer.isOld ? {} : { response: { still_queued: waiting } };
    }
    case 'set_model': {
      writer.model = typeof request['model'] === 'string' ? request['model'] : 'fake-model';
      const note = `<local-command-stdout>Set model to ${writer.model}</local-command-stdout>`;
      if (writer.isOld) return {};
      return { response: { model: writer.model }, after: () => writer.user(note, { isReplay: true }) };
    }
    case 'set_permission_mode':
      return setPermissionMode(String(request['mode']), writer);
    case 'mcp_status':
      return { response: { mcpServers: writer.isOld ? servers.listServers(true) : servers.describe() } };
    case 'mcp_set_servers':
      return setServers(request['servers'], target);
    case 'mcp_message':
      return servers.receive(String(request['server_name']), request['message']);
    case 'mcp_reconnect':
      return { error: { message: 'SDK servers should be handled in print.ts' } };
    default:
      return answerRest(subtype, request, target);
  }
}

function answerRest(subtype: string, request: WireObject, target: ControlTarget): ControlAnswer {
  const { isOld } = target.writer;
  if (!isOld && subtype === 'cancel_async_message') {
    return { response: { cancelled: target.cancelMessage(String(request['message_uuid'])) } };
  }
  if (!isOld && subtype === 'stop_task') {
    const id = String(request['task_id']);
    return target.stopTask(id) ? { response: {} } : { error: { message: `No task found with ID: ${id}` } };
  }
  if ((isOld ? KNOWN_TO_OLD : WITHOUT_EFFECT).has(subtype)) return { response: {} };
  if (isOld) return { isSilent: true };
  const message = `Unsupported control request subtype: ${subtype}`;
  return { error: { message, code: 'unsupported_request' } };
}

function answerByTest(answer: unknown, request: WireObject): ControlAnswer {
  if (typeof answer !== 'function') return { response: answer };
  try {
    return { response: (answer as (request: WireObject) => unknown)(request) };
  } catch (error) {
    return { error: { message: error instanceof Error ? error.message : String(error) } };
  }
}

function setPermissionMode(mode: string, writer: MessageWriter): ControlAnswer {
  if (!MODES.includes(mode)) {
    return { error: { message: `Invalid permission mode: ${mode}`, code: 'invalid_mode' } };
  }
  writer.permissionMode = mode;
  // The older CLI was seen to answer this one twice.
  if (writer.isOld) return { response: { mode }, isDoubled: true };
  const after = (): void => writer.system('status', { status: null, permissionMode: mode });
  return { response: { mode }, after };
}

function setServers(wanted: unknown, target: ControlTarget): ControlAnswer {
  const { servers } = target;
  const names = isRecord(wanted)
    ? Object.keys(wanted).filter((name) => isRecord(wanted[name]) && wanted[name]['type'] === 'sdk')
    : [];
  const before = servers.names;
  const added = names.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !names.includes(name));
  for (const name of before) servers.remove(name);
  // Those that stay are connected anew as well.
  for (const name of names) servers.add(name);
  servers.areExchanged = true;
  return { response: { added, removed, errors: {} }, after: () => target.connectServers() };
}
