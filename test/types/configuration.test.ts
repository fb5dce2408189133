// What hosts configure: MCP servers, agents, settings, sandbox, system prompt, stores.
import type { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ElicitResult, JSONRPCMessage as JSONRPCMessageV1 } from '@modelcontextprotocol/sdk/types.js';
import type { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { AgentDefinition } from '../../packages/core/src/wire/protocol/config/agent-definition.js';
import type { FlagSettingsPatch } from '../../packages/core/src/wire/protocol/control/control.js';
import type { JSONRPCMessage } from '../../packages/core/src/wire/protocol/json-rpc.js';
import type {
  McpSdkServerConfig,
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  McpServerInstance,
} from '../../packages/core/src/wire/protocol/config/mcp-config.js';
import type {
  ElicitationResult,
  OnElicitation,
  OnUserDialog,
} from '../../packages/core/src/wire/protocol/config/user-questions.js';
import type { SandboxSettings } from '../../packages/core/src/wire/protocol/config/sandbox-settings.js';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '../../packages/core/src/wire/protocol/config/session-store.js';
import type { SDKSessionInfo } from '../../packages/core/src/wire/protocol/config/past-sessions.js';
import type { Settings } from '../../packages/core/src/wire/protocol/config/settings.js';
import {
  SYSTEM_PROMPT_DYNAMIC_BOUNDARY,
  type SystemPrompt,
} from '../../packages/core/src/wire/protocol/config/option-values.js';

describe('McpServerConfig', () => {
  it('takes each kind of server', () => {
    const servers: Record<string, McpServerConfig> = {
      stdio: { command: 'node', args: ['x.js'], env: { A: '1' }, timeout: 5000, alwaysLoad: true },
      sse: { type: 'sse', url: 'https://example.test/sse' },
      http: { type: 'http', url: 'https://example.test/mcp', headers: { A: 'b' } },
      sdk: { type: 'sdk', name: 'demo', instance: { connect: async () => {} } },
    };
    expect(Object.keys(servers)).toHaveLength(4);
    expectTypeOf<McpSdkServerConfigWithInstance>().toExtend<McpSdkServerConfig>();
  });

  it('takes server objects of both MCP libraries as instance', () => {
    expectTypeOf<McpServerV1>().toExtend<McpServerInstance>();
    expectTypeOf<McpServerV2>().toExtend<McpServerInstance>();
    expectTypeOf<string>().not.toExtend<McpServerInstance>();
  });

  it('carries the messages of the MCP library', () => {
    expectTypeOf<JSONRPCMessageV1>().toExtend<JSONRPCMessage>();
    expectTypeOf<JSONRPCMessage>().toExtend<JSONRPCMessageV1>();
    expectTypeOf<ElicitationResult>().toExtend<ElicitResult>();
  });
});

describe('callbacks of MCP and dialogs', () => {
  it('may answer or leave it to others', async () => {
    const elicit: OnElicitation = async (request) =>
      request.mode === 'url' ? null : { action: 'accept', content: { name: 'A', tags: ['b'] } };
    const dialog: OnUserDialog = async () => ({ behavior: 'cancelled' });
    const context = { signal: new AbortController().signal, requestId: 'r1' };
    expect(await elicit({ serverName: 's', message: 'm' }, context)).toEqual({
      action: 'accept',
      content: { name: 'A', tags: ['b'] },
    });
    expect(await elicit({ serverName: 's', message: 'm', mode: 'url' }, context)).toBeNull();
    expect(await dialog({ dialogKind: 'k', payload: {} }, context)).toEqual({ behavior: 'cancelled' });
  });
});

describe('AgentDefinition', () => {
  it('needs a description and a prompt', () => {
    const agent: AgentDefinition = { description: 'd', prompt: 'p', model: 'inherit', effort: 'high' };
    // @ts-expect-error Without a prompt the agent has nothing to go by.
    const silent: AgentDefinition = { description: 'd' };
    expect([agent.prompt, silent.prompt]).toEqual(['p', undefined]);
  });
});

describe('Settings', () => {
  it('types the common keys and passes all others', () => {
    const sandbox: SandboxSettings = {
      enabled: true,
      network: { allowedDomains: ['example.test'] },
      later: 1,
    };
    const settings: Settings = { permissions: { allow: ['Bash(git *)'] }, sandbox, keyOfTomorrow: { a: 1 } };
    const patch: FlagSettingsPatch = { outputStyle: null, model: 'opus' };
    // @ts-expect-error `model` is a string.
    const wrong: Settings = { model: 5 };
    expect([settings['keyOfTomorrow'], patch.outputStyle, wrong.model]).toEqual([{ a: 1 }, null, 5]);
  });
});

describe('SystemPrompt', () => {
  it('is text, parts, or a description of either', () => {
    const prompts: SystemPrompt[] = [
      '',
      ['A', SYSTEM_PROMPT_DYNAMIC_BOUNDARY, 'B'],
      { type: 'custom', prompt: 'P', snapshot: false },
      { type: 'preset', preset: 'claude_code', append: 'more' },
    ];
    expect(prompts).toHaveLength(4);
    expect(SYSTEM_PROMPT_DYNAMIC_BOUNDARY).toBe('__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__');
  });
});

describe('SessionStore', () => {
  it('needs append and load only', async () => {
    const kept: SessionStoreEntry[] = [];
    const store: SessionStore = {
      append: async (_key, entries) => void kept.push(...entries),
      load: async () => (kept.length === 0 ? null : kept),
    };
    const key: SessionKey = { projectKey: 'p', sessionId: 's' };
    expect(await store.load(key)).toBeNull();
    await store.append(key, [{ type: 'user', uuid: 'u', message: { role: 'user' } }]);
    expect(await store.load(key)).toHaveLength(1);
    expectTypeOf<SDKSessionInfo>().toHaveProperty('lastModified').toEqualTypeOf<number>();
  });
});
