// What the child says: the lines of a CLI of version 2.1.325, as far as a host looks at them.
import { randomUUID } from 'node:crypto';

const TOOL_USE = 'toolu_fault_1';

const readFlag = (args, name) =>
  args.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ??
  (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);

/** Makes the messages of one session. */
export function createMessages(args) {
  const sessionId = readFlag(args, '--session-id') ?? readFlag(args, '--resume') ?? randomUUID();
  const message = (fields) => ({ ...fields, session_id: sessionId, uuid: randomUUID() });
  const named = (prompt) =>
    prompt.uuid === undefined ? {} : { user_message_uuid: prompt.uuid, user_message_uuids: [prompt.uuid] };
  let results = 0;
  const self = {
    state: (state) =>
      message({ type: 'system', subtype: 'session_state_changed', state, sdk_host_only: true }),
    init: () =>
      message({
        type: 'system',
        subtype: 'init',
        cwd: process.cwd(),
        tools: ['mcp__desk__look'],
        mcp_servers: [{ name: 'desk', status: 'connected' }],
        model: 'fault-model',
        permissionMode: 'default',
        claude_code_version: '2.1.325',
        capabilities: ['interrupt_receipt_v1'],
      }),
    beginTurn: (prompt) => [
      ...(prompt.uuid === undefined
        ? []
        : [message({ type: 'command_lifecycle', command_uuid: prompt.uuid, state: 'started' })]),
      self.init(),
    ],
    delta: (text) =>
      message({
        type: 'stream_event',
        event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        parent_tool_use_id: null,
      }),
    endText: (prompt) => [
      message({
        type: 'assistant',
        message: {
          id: `msg_${randomUUID()}`,
          type: 'message',
          role: 'assistant',
          model: 'fault-model',
          content: [{ type: 'text', text: 'one two' }],
          stop_reason: 'end_turn',
          usage: { input_tokens: 1, output_tokens: 1 },
        },
        parent_tool_use_id: null,
        ...named(prompt),
      }),
    ],
    result: (prompt, isInterrupted) =>
      message({
        type: 'result',
        subtype: isInterrupted ? 'error_during_execution' : 'success',
        is_error: isInterrupted,
        ...(isInterrupted ? { errors: [], terminal_reason: 'aborted_streaming' } : { result: 'one two' }),
        duration_ms: 1,
        duration_api_ms: 1,
        num_turns: 1,
        total_cost_usd: 0,
        usage: { input_tokens: 1, output_tokens: 1 },
        modelUsage: {},
        permission_denials: [],
        result_index: results++,
        ...named(prompt),
      }),
    question: (request) => ({ type: 'control_request', request_id: randomUUID(), request }),
    hook: () => ({
      subtype: 'hook_callback',
      callback_id: 'hook_0',
      input: {
        hook_event_name: 'PreToolUse',
        session_id: sessionId,
        cwd: process.cwd(),
        transcript_path: '',
        tool_name: 'mcp__desk__look',
        tool_input: {},
        tool_use_id: TOOL_USE,
      },
      tool_use_id: TOOL_USE,
    }),
    permission: () => ({
      subtype: 'can_use_tool',
      tool_name: 'mcp__desk__look',
      input: {},
      permission_suggestions: [],
      tool_use_id: TOOL_USE,
    }),
    toolCall: () => ({
      subtype: 'mcp_message',
      server_name: 'desk',
      message: {
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'look', arguments: {}, _meta: { 'claudecode/toolUseId': TOOL_USE } },
      },
    }),
    answer: (requestId, request) => ({
      type: 'control_response',
      response: { subtype: 'success', request_id: requestId, response: replyTo(request) },
    }),
  };
  return self;
}

function replyTo({ subtype }) {
  if (subtype === 'interrupt') return { still_queued: [] };
  if (subtype === 'mcp_status') return { mcpServers: [{ name: 'desk', status: 'connected' }] };
  if (subtype !== 'initialize') return {};
  return {
    commands: [],
    output_style: 'default',
    available_output_styles: ['default'],
    models: [],
    account: {},
    agents: [],
    claude_code_version: '2.1.325',
    current_permission_mode: 'default',
    hook_on_failure_supported: true,
    session_state: 'idle',
    capabilities: ['interrupt_receipt_v1'],
  };
}
