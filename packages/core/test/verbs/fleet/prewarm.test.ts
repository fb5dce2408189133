// A CLI that is parked and claimed: what is written, in which order, and what each refusal leads to.
import { afterEach, describe, expect, it } from 'vitest';
import { ClaimError, InvalidOptionsError, SessionClosedError } from '../../../src/errors.js';
import { parkCli, type SpareProcess } from '../../../src/verbs/fleet/prewarm.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { outcomeOf, runToEnd } from '../../../../../test/support/scene.js';
import { stageCli, type ScriptedCli } from '../../../../../test/support/scripted-cli.js';
import {
  AWAIT_END,
  HANG,
  INITIALIZE_REPLY,
  exit,
  expectLine,
  handshake,
  mark,
  refuse,
  reply,
  turn,
  type Step,
} from '../../../../../test/support/steps.js';

const CLAIM = { cwd: '/folder' };
const CLAIMED = {
  status: 'ok',
  cwd: '/folder',
  session_id: 's1',
  parked_ms: 5,
  sdk_mcp_settled: true,
  initialize: { ...INITIALIZE_REPLY, output_style: 'claimed' },
};

const staged: { spare: SpareProcess; cli: ScriptedCli }[] = [];

async function park(...steps: Step[]): Promise<{ spare: SpareProcess; cli: ScriptedCli }> {
  const cli = stageCli('memory', [...handshake(), ...steps]);
  const local = createSdkMcpServer({ name: 'local', tools: [] });
  const spare = await parkCli({ options: { mcpServers: { local } } }, cli.launch);
  staged.push({ spare, cli });
  return { spare, cli };
}

afterEach(async () => {
  for (const { spare, cli } of staged.splice(0)) {
    await spare.close();
    expect(cli.isGone()).toBe(true);
    await cli.dispose();
  }
});

describe('a spare process', () => {
  it('refuses a claim without a prompt, and can still be claimed', async () => {
    const { spare } = await park(expectLine('claim_session'), reply(CLAIMED), ...turn());
    expect(() => spare.claim({ options: CLAIM } as never)).toThrow('it is missing');
    expect(() => spare.claim('hi' as never)).toThrow('claim({ prompt: "hi" })');
    const { error } = await runToEnd(spare.claim({ prompt: 'hi', options: CLAIM }));
    expect(error).toBeUndefined();
  });

  it('is claimed with one request, and only then gets its prompt', async () => {
    const { spare, cli } = await park(expectLine('claim_session'), mark('asked'), reply(CLAIMED), ...turn());
    expect(cli.requests('claim_session')).toEqual([]);
    const query = spare.claim({ prompt: 'hi', options: CLAIM });
    await cli.marked('asked');
    const { messages, error } = await runToEnd(query);
    expect(error).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
    expect(await spare.claimed).toEqual({
      cwd: '/folder',
      sessionId: 's1',
      parkedMs: 5,
      sdkMcpSettled: true,
    });
    // The handshake was answered before there was a folder; the claim brings what is true in it.
    expect(await query.initializationResult()).toMatchObject({ output_style: 'claimed' });
    expect(cli.requests('claim_session')).toEqual([
      { subtype: 'claim_session', cwd: '/folder', sdk_mcp_servers: ['local'], include_initialize: true },
    ]);
    await spare.exited;
  });

  it('takes every option of a claim, in the order the CLI needs them', async () => {
    const { spare, cli } = await park(
      expectLine('apply_flag_settings', 'settings'),
      expectLine('claim_session', 'claim'),
      expectLine('set_model', 'model'),
      expectLine('set_max_thinking_tokens', 'thinking'),
      reply(undefined, 'settings'),
      reply(CLAIMED, 'claim'),
      reply(undefined, 'model'),
      reply(undefined, 'thinking'),
      ...turn(),
    );
    const options = {
      ...CLAIM,
      env: { A: '1' },
      additionalDirectories: ['/more'],
      model: 'm',
      permissionMode: 'plan' as const,
      maxThinkingTokens: 7,
      settings: { model: 'x' },
      appendSystemPrompt: 'Also.',
      title: 'T',
      agents: { a: { description: 'd', prompt: 'p' } },
    };
    expect((await runToEnd(spare.claim({ prompt: 'hi', options }))).error).toBeUndefined();
    expect(JSON.stringify(cli.requests('claim_session')[0])).toBe(
      JSON.stringify({
        subtype: 'claim_session',
        cwd: '/folder',
        env: { A: '1' },
        permission_mode: 'plan',
        additional_directories: ['/more'],
        append_system_prompt: 'Also.',
        title: 'T',
        agents: { a: { description: 'd', prompt: 'p' } },
        sdk_mcp_servers: ['local'],
        include_initialize: true,
      }),
    );
    expect(cli.requests('apply_flag_settings')).toEqual([
      { subtype: 'apply_flag_settings', settings: { model: 'x' } },
    ]);
  });

  it.each([
    ['cwd_not_found: the claim cwd does not exist', 'cwd_not_found'],
    ['env_key_not_claimable: FOO is read during start-up', 'env_key_not_claimable'],
    ['project_settings_not_claimable: env', 'project_settings_not_claimable'],
    ['permission_mode_not_claimable: no', 'permission_mode_not_claimable'],
    ['not_a_spare: no', 'not_a_spare'],
    ['something_else: no', 'claim_failed'],
    ['no reason', 'claim_failed'],
  ])('refused with "%s" never gets its prompt', async (words, refusal) => {
    const { spare, cli } = await park(expectLine('claim_session'), refuse(words), AWAIT_END);
    async function* prompt(): AsyncGenerator<string> {
      yield await Promise.resolve('hi');
    }
    const source = prompt();
    const query = spare.claim({ prompt: source, options: CLAIM });
    const { error } = await runToEnd(query);
    expect(error).toBeInstanceOf(ClaimError);
    expect(error).toMatchObject({ code: 'CLAIM_REFUSED', refusal });
    expect((await outcomeOf(spare.claimed)).error).toBe(error);
    expect(cli.received().filter((line) => line['type'] === 'user')).toEqual([]);
    // The prompt will not be read any more, so its source was ended.
    expect(await source.next()).toEqual({ done: true, value: undefined });
  });

  it('does not run under settings that were not applied', async () => {
    const { spare, cli } = await park(
      expectLine('apply_flag_settings', 'settings'),
      expectLine('claim_session', 'claim'),
      { do: 'refuse', error: 'no such key', to: 'settings' },
      reply(CLAIMED, 'claim'),
      AWAIT_END,
    );
    const { error } = await runToEnd(
      spare.claim({ prompt: 'hi', options: { ...CLAIM, settings: { model: 'x' } } }),
    );
    expect(error).toMatchObject({ refusal: 'settings_not_applied', claim: { sessionId: 's1' } });
    expect(cli.received().filter((line) => line['type'] === 'user')).toEqual([]);
  });

  it('runs without an option that was refused, and says so', async () => {
    const { spare } = await park(
      expectLine('claim_session', 'claim'),
      expectLine('set_model', 'model'),
      reply(CLAIMED, 'claim'),
      { do: 'refuse', error: 'no such model', to: 'model' },
      ...turn(),
    );
    const { messages, error } = await runToEnd(
      spare.claim({ prompt: 'hi', options: { ...CLAIM, model: 'm' } }),
    );
    expect(error).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
    const { error: refused } = await outcomeOf(spare.claimed);
    expect(refused).toMatchObject({ refusal: 'option_not_applied', claim: { cwd: '/folder' } });
    expect((refused as Error).message).toContain('model: no such model');
  });

  it('is claimed once, with a folder and a prompt', async () => {
    const { spare } = await park(expectLine('claim_session'), reply(CLAIMED), ...turn());
    expect(() => spare.claim({ prompt: 'hi', options: { cwd: '' } })).toThrow(InvalidOptionsError);
    expect(() => spare.claim({ prompt: 5 as never, options: CLAIM })).toThrow(InvalidOptionsError);
    const query = spare.claim({ prompt: 'hi', options: CLAIM });
    expect(() => spare.claim({ prompt: 'hi', options: CLAIM })).toThrow(SessionClosedError);
    expect((await runToEnd(query)).error).toBeUndefined();
  });

  it('that is closed unused leaves nothing and cannot be claimed', async () => {
    const { spare, cli } = await park(HANG);
    await spare.close();
    expect(cli.isGone()).toBe(true);
    expect((await outcomeOf(spare.claimed)).error).toMatchObject({ refusal: 'spare_closed' });
    expect(() => spare.claim({ prompt: 'hi', options: CLAIM })).toThrow(
      expect.objectContaining({ refusal: 'spare_closed' }),
    );
    await spare.exited;
  });

  it('that ends by itself says so', async () => {
    const { spare } = await park(exit(3));
    await spare.exited;
    expect((await outcomeOf(spare.claimed)).error).toMatchObject({ refusal: 'spare_exited' });
    expect(() => spare.claim({ prompt: 'hi', options: CLAIM })).toThrow(
      expect.objectContaining({ refusal: 'spare_exited' }),
    );
  });

  it('that ends in the middle of the claim fails the query with that end', async () => {
    const { spare } = await park(expectLine('claim_session'), exit(3));
    const { error } = await runToEnd(spare.claim({ prompt: 'hi', options: CLAIM }));
    expect(error).toMatchObject({ exitCode: 3 });
    expect((await outcomeOf(spare.claimed)).error).toMatchObject({ refusal: 'spare_exited' });
  });

  it('that was claimed is ended by close, too', async () => {
    const { spare, cli } = await park(expectLine('claim_session'), mark('asked'), HANG);
    const query = spare.claim({ prompt: 'hi', options: CLAIM });
    await cli.marked('asked');
    await spare.close();
    expect((await runToEnd(query)).error).toBeUndefined();
    expect((await outcomeOf(spare.claimed)).error).toMatchObject({ refusal: 'spare_closed' });
  });
});

describe('prewarm', () => {
  it('names the least version to a CLI that does not know how to wait', async () => {
    const cli = stageCli('process', [
      { do: 'stderr', text: "error: unknown option '--await-claim'\n" },
      exit(1),
    ]);
    await expect(parkCli({}, cli.launch)).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPTION',
      option: 'prewarm',
      versionNeeded: '2.1.281',
    });
    expect(cli.isGone()).toBe(true);
    await cli.dispose();
  });

  it('passes on whatever else went wrong', async () => {
    const cli = stageCli('memory', [expectLine('initialize'), refuse('no')]);
    await expect(parkCli({}, cli.launch)).rejects.toMatchObject({ code: 'CONTROL_REQUEST_FAILED' });
    expect(cli.isGone()).toBe(true);
    await cli.dispose();
  });
});
