// Lines as CLI 2.1.325 wrote them (ids and paths shortened). `satisfies` fails on a field the types lack.
import { describe, expect, it } from 'vitest';
import type {
  ControlRequestResponse,
  InboundRequest,
} from '../../packages/core/src/wire/protocol/control/control.js';
import type {
  SDKControlRequest,
  StdoutMessage,
} from '../../packages/core/src/wire/protocol/control/control-frames.js';
import type { HookInputMap } from '../../packages/core/src/wire/protocol/hooks/hook-callback.js';
import {
  isAssistantMessage,
  isResultMessage,
  isSessionStateChanged,
} from '../../packages/core/src/wire/protocol/messages/messages.js';
import type { SDKMessage, SDKUserMessage } from '../../packages/core/src/wire/protocol/messages/messages.js';

const ids = {
  uuid: 'a1d7cca0-dbf9-4b43-a5ad-4660b5e0b799',
  session_id: '658b329e-920f-4d12-aa14-992b9caf78ca',
} as const;

// What a model other than the API's own leaves out, and the types promise as those of the API's client do.
const unsaid = {
  output_tokens_details: null,
  server_tool_use: null,
  inference_geo: null,
  speed: null,
  iterations: null,
  fallback_credit: null,
};

const usage = {
  ...unsaid,
  input_tokens: 11,
  cache_creation_input_tokens: 5,
  cache_read_input_tokens: 3,
  output_tokens: 1,
  service_tier: 'standard' as const,
  cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 0 },
};

const conversation = [
  { type: 'system', subtype: 'session_state_changed', state: 'running', sdk_host_only: true, ...ids },
  {
    type: 'assistant',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [{ type: 'tool_use', id: 'toolu_2', name: 'Bash', input: { command: 'ls' } }],
      stop_reason: null,
      stop_sequence: null,
      usage,
      context_management: null,
      container: null,
      diagnostics: null,
      stop_details: null,
    },
    parent_tool_use_id: null,
    timestamp: '2026-11-15T03:20:11.919Z',
    ...ids,
  },
  {
    type: 'user',
    message: {
      role: 'user',
      content: [{ tool_use_id: 'toolu_2', type: 'tool_result', content: 'hi', is_error: false }],
    },
    parent_tool_use_id: null,
    timestamp: '2026-11-15T03:20:12.065Z',
    tool_use_result: { stdout: 'hi', stderr: '', interrupted: false },
    tool_result_meta: [
      { id: 'toolu_2', permission_decision: { decision: 'accept', source: 'user_temporary' } },
    ],
    ...ids,
  },
  {
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } },
    parent_tool_use_id: null,
    api_message_id: 'msg_1',
    ...ids,
  },
  {
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    max_retries: 10,
    retry_delay_ms: 559,
    error_status: 401,
    error: 'authentication_failed',
    ...ids,
  },
  {
    type: 'system',
    subtype: 'task_notification',
    task_id: 'a93410be44eff822a',
    run_id: '0mwh9o4wc-b1ef82da',
    tool_use_id: 'toolu_6',
    status: 'completed',
    output_file: '/t/a93410be44eff822a.output',
    summary: 'plain answer',
    usage: { total_tokens: 39, tool_uses: 0, duration_ms: 171 },
    ...ids,
  },
  {
    type: 'result',
    subtype: 'success',
    is_error: true,
    result: 'API Error: 400 bad stuff',
    api_error_status: 400,
    api_error_type: 'invalid_request_error',
    terminal_reason: 'api_error',
    stop_reason: 'stop_sequence',
    duration_ms: 72,
    duration_api_ms: 387,
    num_turns: 1,
    total_cost_usd: 0.0079832,
    usage: {
      ...usage,
      fallback_credit: {} as never,
      output_tokens_details: { thinking_tokens: 0 },
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      inference_geo: '',
      iterations: [],
      speed: 'standard',
    },
    modelUsage: {
      'claude-opus-5-5': {
        inputTokens: 187,
        outputTokens: 340,
        thinkingTokens: 0,
        cacheReadInputTokens: 51,
        cacheCreationInputTokens: 85,
        webSearchRequests: 0,
        costUSD: 0.0079832,
        contextWindow: 1_000_000,
        maxOutputTokens: 128_000,
        canonicalModel: 'claude-opus-5-5',
        provider: 'firstParty',
        costBasis: 'list',
      },
    },
    permission_denials: [],
    fast_mode_state: 'off',
    queued_turn_count: 0,
    result_index: 9,
    user_message_uuids: ['41329e96-095a-42bb-a5f1-8a8a20b696e8'],
    model_usage_since_last_result: {},
    ...ids,
  },
] satisfies SDKMessage[];

const besides = [
  { type: 'command_lifecycle', command_uuid: ids.uuid, state: 'queued', ...ids },
  { type: 'system', subtype: 'session_title_changed', title: 'T', ...ids },
  {
    type: 'transcript_mirror',
    filePath: '/c/projects/p/s.jsonl',
    entries: [{ type: 'user', parentUuid: null }],
  },
  { type: 'control_cancel_request', request_id: 'r1' },
  { type: 'keep_alive' },
] satisfies StdoutMessage[];

const requests = [
  {
    type: 'control_request',
    request_id: 'r2',
    request: {
      subtype: 'can_use_tool',
      tool_name: 'mcp__demo__k',
      mcp_server: { name: 'demo', source: 'sdk' },
      display_name: 'K',
      input: { a: 1 },
      permission_suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'mcp__demo__k' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
      server_policy_ask_only: false,
      tool_use_id: 'toolu_4',
    },
  },
  {
    type: 'control_request',
    request_id: 'r3',
    request: {
      subtype: 'elicitation',
      mcp_server_name: 'st',
      message: 'name?',
      mode: 'form',
      requested_schema: { type: 'object', properties: { b: { type: 'string' }, a: { type: 'number' } } },
      property_order: ['b', 'a'],
    },
  },
] satisfies Array<SDKControlRequest<InboundRequest>>;

const subagentStop = {
  session_id: ids.session_id,
  transcript_path: '/c/projects/p/s.jsonl',
  cwd: '/p',
  prompt_id: '9afcaff4-a7d4-4881-828c-a4c0a149dfb6',
  permission_mode: 'default',
  agent_id: 'a93410be44eff822a',
  agent_type: 'general-purpose',
  effort: { level: 'medium' },
  hook_event_name: 'SubagentStop',
  stop_hook_active: false,
  agent_transcript_path: '/c/projects/p/s/subagents/agent-a93410be44eff822a.jsonl',
  last_assistant_message: 'plain answer',
  background_tasks: [
    {
      id: 'a93410be44eff822a',
      type: 'subagent',
      status: 'running',
      description: 'Looks around',
      agent_type: 'general-purpose',
    },
  ],
  session_crons: [],
} satisfies HookInputMap['SubagentStop'];

const mcpStatus = {
  mcpServers: [
    {
      name: 'st',
      status: 'connected',
      serverInfo: { name: 'st', version: '1' },
      config: { type: 'stdio', command: 'node', args: ['server.mjs'] },
      transport: 'stdio',
      scope: 'dynamic',
      source: 'dynamic',
      tools: [{ name: 'ask', annotations: { readOnly: true } }],
    },
  ],
} satisfies ControlRequestResponse<'mcp_status'>;

describe('observed lines', () => {
  it('fit the types and are found by the guards', () => {
    expect(conversation.filter(isResultMessage)).toHaveLength(1);
    expect(conversation.filter(isAssistantMessage)).toHaveLength(1);
    expect(conversation.filter(isSessionStateChanged)).toHaveLength(1);
    expect(besides.some(isResultMessage)).toBe(false);
    expect(requests.map((frame) => frame.request.subtype)).toEqual(['can_use_tool', 'elicitation']);
    expect([subagentStop.hook_event_name, mcpStatus.mcpServers[0]?.status]).toEqual([
      'SubagentStop',
      'connected',
    ]);
  });

  // The type is silent about it, as the official one is: `'isReplay' in message` then tells a replay.
  it('include user messages that say they are no replay', () => {
    const summary = {
      type: 'user',
      message: { role: 'user', content: 'This session is being continued' },
      parent_tool_use_id: null,
      isSynthetic: true,
      isReplay: false,
      ...ids,
    } satisfies SDKUserMessage & { isReplay: false };
    expect(summary.isReplay).toBe(false);
  });
});
