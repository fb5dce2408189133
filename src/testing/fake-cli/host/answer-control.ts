// The answers a CLI gives to its host's control requests by itself, and what they change.
import { isRecord } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { RunState } from '../run-state.js';
import type { ControlAnswer } from './host-connection.js';
import type { HostServers } from './host-servers.js';
import type { MessageWriter } from './message-writer.js';
import type { PromptQueue } from './prompt-queue.js';

/** What control requests act upon. */
export interface ControlTarget {
  readonly state: RunState;
  readonly writer: MessageWriter;
  readonly servers: HostServers;
  readonly prompts: PromptQueue;
  readonly conversation: {
    /** Returns the uuids of the prompts that still wait. */
    interrupt(): string[];
    stopTask(id: string): boolean;
  };
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

/** Carries out a request and returns its answer. */
export function answerControl(request: WireObject, target: ControlTarget): ControlAnswer {
  const subtype = String(request['subtype']);
  const { answers } = target.state.settings;
  if (Object.hasOwn(answers, subtype)) return answerByTest(answers[subtype], request);
  const { writer, servers } = target;
  switch (subtype) {
    case 'initialize':
      return initialize(request, target);
    case 'interrupt': {
      const waiting = target.conversation.interrupt();
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
      return setServers(request['servers'], servers);
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
    return { response: { cancelled: target.prompts.remove(String(request['message_uuid'])) } };
  }
  if (!isOld && subtype === 'stop_task') {
    const id = String(request['task_id']);
    return target.conversation.stopTask(id)
      ? { response: {} }
      : { error: { message: `No task found with ID: ${id}` } };
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
    return { error: { message: messageOf(error) } };
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

function initialize(request: WireObject, { state, writer, servers }: ControlTarget): ControlAnswer {
  if (state.initialize) {
    return writer.isOld
      ? { error: { message: 'Already initialized' } }
      : { response: writer.initializeReply() };
  }
  state.initialize = request;
  const { sdkMcpServers: names, sdkMcpServerManifests: manifests } = request;
  const parked: WireObject = {};
  for (const name of Array.isArray(names) ? names.map(String) : []) {
    const manifest = isRecord(manifests) && !writer.isOld ? manifests[name] : undefined;
    const fate = servers.add(name, manifest);
    if (fate !== undefined) parked[name] = fate;
  }
  // The newer CLI begins to connect before it answers, the older one with the first message.
  if (!writer.isOld) servers.connect();
  return { response: writer.initializeReply(parked) };
}

function setServers(wanted: unknown, servers: HostServers): ControlAnswer {
  const names = isRecord(wanted)
    ? Object.keys(wanted).filter((name) => isRecord(wanted[name]) && wanted[name]['type'] === 'sdk')
    : [];
  return { response: { ...servers.replace(names), errors: {} }, after: () => servers.connect() };
}
