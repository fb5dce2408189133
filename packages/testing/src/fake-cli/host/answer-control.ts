// Answers the control requests of the host as a CLI does, and carries out their effects.
import { isRecord } from '@inboard/core/util/guards.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { RunState } from '../run-state.js';
import type { ControlAnswer } from './host-connection.js';
import type { HostServers } from './host-servers.js';
import type { MessageWriter } from './message-writer.js';
import type { PromptQueue } from './prompt-queue.js';

/** The parts of a run that control requests change. */
export interface FakeControlTarget {
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

// Requests that the real CLI knows, but that have no effect a script could see.
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

type Answer = (request: WireObject, target: FakeControlTarget) => ControlAnswer;

const ANSWERS: Readonly<Record<string, Answer>> = {
  initialize,
  interrupt: (_, { conversation, writer }) => {
    const waiting = conversation.interrupt();
    return writer.isOld ? {} : { response: { still_queued: waiting } };
  },
  set_model: ({ model }, { writer }) => {
    writer.model = typeof model === 'string' ? model : 'fake-model';
    if (writer.isOld) return {};
    const note = `<local-command-stdout>Set model to ${writer.model}</local-command-stdout>`;
    return { response: { model: writer.model }, after: () => writer.user(note, { isReplay: true }) };
  },
  set_permission_mode: ({ mode }, { writer }) => setPermissionMode(String(mode), writer),
  mcp_status: (_, { servers, writer }) => ({
    response: { mcpServers: writer.isOld ? servers.listServers(true) : servers.describe() },
  }),
  mcp_set_servers: ({ servers: wanted }, { servers }) => setServers(wanted, servers),
  mcp_message: ({ server_name: name, message }, { servers }) => servers.receive(String(name), message),
  mcp_reconnect: () => ({ error: { message: 'SDK servers should be handled in print.ts' } }),
};

// The requests that the newer CLI answers. The older one knows all of them but the last two.
const NEWER_ANSWERS: Readonly<Record<string, Answer>> = {
  ...ANSWERS,
  cancel_async_message: ({ message_uuid: uuid }, { prompts }) => ({
    response: { cancelled: prompts.remove(String(uuid)) },
  }),
  stop_task: ({ task_id: id }, { conversation }) =>
    conversation.stopTask(String(id))
      ? { response: {} }
      : { error: { message: `No task found with ID: ${String(id)}` } },
};

/** Carries out a request and returns its answer. */
export function answerControl(request: WireObject, target: FakeControlTarget): ControlAnswer {
  const subtype = String(request['subtype']);
  const { answers } = target.state.settings;
  if (Object.hasOwn(answers, subtype)) return answerByTest(answers[subtype], request);
  const { isOld } = target.writer;
  const known = isOld ? ANSWERS : NEWER_ANSWERS;
  const answer = Object.hasOwn(known, subtype) ? known[subtype] : undefined;
  if (answer) return answer(request, target);
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
  // The older CLI answers this request twice, as observed.
  if (writer.isOld) return { response: { mode }, isDoubled: true };
  const after = (): void => writer.system('status', { status: null, permissionMode: mode });
  return { response: { mode }, after };
}

function initialize(request: WireObject, { state, writer, servers }: FakeControlTarget): ControlAnswer {
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
  // The newer CLI begins to connect before it answers. The older one begins with the first message.
  if (!writer.isOld) servers.connect();
  return { response: writer.initializeReply(parked) };
}

function setServers(wanted: unknown, servers: HostServers): ControlAnswer {
  const names = isRecord(wanted)
    ? Object.keys(wanted).filter((name) => isRecord(wanted[name]) && wanted[name]['type'] === 'sdk')
    : [];
  return { response: { ...servers.replace(names), errors: {} }, after: () => servers.connect() };
}
