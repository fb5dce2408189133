// What options become, under the real CLI 2.1.325: no flag it does not know, and a handshake it answers.
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { Options } from '../../packages/core/src/options/options.js';
import { createFullOptions } from '../../packages/core/test/options/full-options.js';
import { openWith } from '../../packages/core/test/options/open-real-cli.js';
import { newCli } from './support/cli.js';

const manifest = {
  initializeResult: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'demo', version: '1.0.0' },
  },
  toolsListResult: {
    tools: [{ name: 'k', description: 'd', inputSchema: { type: 'object', properties: {} } }],
  },
};
const sdkServers = { names: ['demo'], configs: { demo: { timeout: 4000 } }, manifests: { demo: manifest } };

// A session to resume would have to exist; its flags have a case of their own.
function createNewSession(): Options {
  const { resume, forkSession, resumeSessionAt, resumeDropsTurn, extraArgs, ...options } =
    createFullOptions();
  expect([resume, forkSession, resumeSessionAt, resumeDropsTurn, extraArgs]).not.toContain(undefined);
  return { ...options, projectConfigRoot: tmpdir() };
}

describe.concurrent('the real CLI', () => {
  it('takes everything at once', async () => {
    const { plan, ...opening } = await openWith(newCli, createNewSession(), sdkServers);
    expect(opening).toMatchObject({ stderr: '', exitCode: 0, reply: { subtype: 'success' } });
    expect(opening.reply?.response).toMatchObject({
      current_permission_mode: 'acceptEdits',
      sdk_mcp_manifests_parked: { demo: 'parked' },
    });
    expect(plan.args.length).toBeGreaterThan(35);
  });

  it('takes what excludes some of that', async () => {
    const { plan, ...opening } = await openWith(newCli, {
      systemPrompt: {
        type: 'preset',
        preset: 'claude_code',
        append: 'A',
        excludeDynamicSections: true,
        snapshot: false,
      },
      thinking: { type: 'enabled', budgetTokens: 2000, display: 'omitted' },
      permissionPromptToolName: 'mcp__a__b',
      permissionPrompts: 'none',
      permissionMode: 'auto',
      tools: [],
      settingSources: [],
      persistSession: false,
      continue: true,
      skills: 'all',
      plugins: [{ type: 'local', path: '/nowhere', skipMcpDiscovery: true }],
      pluginDelivery: 'initialize',
      sandbox: { enabled: false },
      settings: '{"model":"sonnet"}',
      debug: true,
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [() => Promise.resolve({})], onFailure: 'block', timeout: 3 }],
      },
    });
    expect(opening).toMatchObject({ stderr: '', exitCode: 0, reply: { subtype: 'success' } });
    expect(opening.reply?.response).toMatchObject({ hook_on_failure_supported: true });
    expect(plan.args).toContain('--await-initialize');
  });

  it('takes a store, disabled thinking and the stock tools', async () => {
    const { plan, ...opening } = await openWith(newCli, {
      sessionStore: { append: () => Promise.resolve(), load: () => Promise.resolve(null) },
      thinking: { type: 'disabled' },
      tools: { type: 'preset', preset: 'claude_code' },
      permissionMode: 'default',
      effort: 'max',
      enableFileCheckpointing: false,
    });
    expect(opening).toMatchObject({ stderr: '', exitCode: 0, reply: { subtype: 'success' } });
    expect(plan.args).toContain('--session-mirror');
  });

  it('knows the flags for resuming, though there is nothing to resume', async () => {
    const { plan, ...opening } = await openWith(newCli, {
      resume: '55555555-5555-4555-8555-555555555555',
      forkSession: true,
      sessionId: '66666666-6666-4666-8666-666666666666',
      resumeSessionAt: '77777777-7777-4777-8777-777777777777',
      resumeDropsTurn: '88888888-8888-4888-8888-888888888888',
    });
    expect(plan.args).toHaveLength(10);
    expect(opening.stderr).toContain('No conversation found with session ID');
  });

  it('takes values far too long for a command line', async () => {
    const long = 'x'.repeat(150 * 1024);
    const { plan, ...opening } = await openWith(newCli, {
      mcpServers: { far: { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: { 'x-long': long } } },
      settings: { env: { A_LONG_ONE: long } },
      outputFormat: { type: 'json_schema', schema: { type: 'object', description: long } },
      allowedTools: Array.from({ length: 9000 }, (_, index) => `mcp__server__tool_${index}`),
    });
    expect(plan.files).toHaveLength(2);
    expect(opening).toMatchObject({ stderr: '', exitCode: 0, reply: { subtype: 'success' } });
  });

  it('refuses a flag it does not know, so that the other cases mean something', async () => {
    const opening = await openWith(newCli, { extraArgs: { 'no-such-flag': null } });
    expect(opening).toMatchObject({ reply: undefined, exitCode: 1 });
    expect(opening.stderr).toContain("unknown option '--no-such-flag'");
  });
});
