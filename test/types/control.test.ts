// The control protocol: each subtype knows its fields and its answer.
import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  ControlRequestFields,
  ControlRequestMap,
  ControlRequestResponse,
  InboundRequest,
  InboundRequestMap,
  InitializeRequest,
  InitializeResponse,
  SDKControlInitializeRequest,
  SDKControlRequestInner,
} from '../../packages/core/src/wire/protocol/control/control.js';
import type {
  SDKControlResponse,
  StdinMessage,
  StdoutMessage,
} from '../../packages/core/src/wire/protocol/control/control-frames.js';
import type { HookInput, HookJSONOutput } from '../../packages/core/src/wire/protocol/hooks/hook-callback.js';
import type { McpSetServersResult } from '../../packages/core/src/wire/protocol/config/mcp-status.js';
import type { PermissionResult } from '../../packages/core/src/wire/protocol/control/permission-question.js';

describe('ControlRequestMap', () => {
  it('types a request and its answer by subtype', () => {
    expectTypeOf<ControlRequestFields<'initialize'>>().toEqualTypeOf<InitializeRequest>();
    expectTypeOf<ControlRequestResponse<'initialize'>>().toEqualTypeOf<InitializeResponse>();
    expectTypeOf<ControlRequestResponse<'mcp_set_servers'>>().toEqualTypeOf<McpSetServersResult>();
    expectTypeOf<SDKControlRequestInner['subtype']>().toEqualTypeOf<keyof ControlRequestMap>();
    expectTypeOf<SDKControlInitializeRequest>().toExtend<SDKControlRequestInner>();
    expectTypeOf<ControlRequestMap[keyof ControlRequestMap]>().toExtend<{
      request: object;
      response: unknown;
    }>();
  });

  it('takes a whole initialize, and refuses misspelt fields', () => {
    const initialize: InitializeRequest = {
      hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0'], timeout: 7 }] },
      sdkMcpServers: ['demo'],
      sdkMcpServerConfigs: {
        demo: { timeout: 4000, tools: [{ name: 'k', permission_policy: 'always_ask' }] },
      },
      sdkMcpServerManifests: { demo: { initializeResult: { protocolVersion: '2025-11-25' } } },
      systemPrompt: [''],
      agents: { rev: { description: 'd', prompt: 'p', mcpServers: ['x', { y: { command: 'c' } }] } },
      plugins: [{ type: 'local', path: '/p1' }],
    };
    // @ts-expect-error The wire says `sdkMcpServers`.
    const misspelt: InitializeRequest = { sdkMCPServers: ['demo'] };
    expect(Object.keys(initialize)).toHaveLength(7);
    expect(misspelt.sdkMcpServers).toBeUndefined();
  });
});

describe('InboundRequestMap', () => {
  it('narrows a request of the CLI by subtype', () => {
    const read = (request: InboundRequest): string => {
      switch (request.subtype) {
        case 'can_use_tool':
          return request.tool_name;
        case 'hook_callback':
          expectTypeOf(request.input).toEqualTypeOf<HookInput>();
          return request.callback_id;
        case 'mcp_message':
          return request.server_name;
        case 'elicitation':
          return request.mcp_server_name;
        case 'request_user_dialog':
          return request.dialog_kind;
        default:
          expectTypeOf(request).toBeNever();
          return 'newer than this';
      }
    };
    expect(read({ subtype: 'elicitation', mcp_server_name: 'demo', message: 'name?' })).toBe('demo');
    expectTypeOf<InboundRequestMap['can_use_tool']['response']>().toEqualTypeOf<PermissionResult>();
    expectTypeOf<InboundRequestMap['hook_callback']['response']>().toEqualTypeOf<HookJSONOutput>();
  });
});

describe('frames', () => {
  it('are told apart by type and, for answers, by subtype', () => {
    const readAnswer = (frame: SDKControlResponse): unknown =>
      frame.response.subtype === 'error' ? frame.response.error_code : frame.response.response;
    expect(
      readAnswer({
        type: 'control_response',
        response: { subtype: 'error', request_id: 'r1', error: 'no', error_code: 'unsupported_request' },
      }),
    ).toBe('unsupported_request');
    expectTypeOf<Extract<StdinMessage, { type: 'user' }>>().not.toBeNever();
    expectTypeOf<Extract<StdoutMessage, { type: 'transcript_mirror' }>['filePath']>().toEqualTypeOf<string>();
    expectTypeOf<Extract<StdinMessage, { type: 'transcript_mirror' }>>().toBeNever();
  });
});
