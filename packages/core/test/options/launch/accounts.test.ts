// Accounts and networks: which variables reach the CLI, and that no secret is where others could read it. What the CLI makes of
// them is in test/e2e/accounts.long.test.ts; docs/accounts.md tells of both.
import { describe, expect, it } from 'vitest';
import { run } from '@inboard/inboard/index.js';
import { crash, createFakeCli, text } from '@inboard/inboard/testing.js';
import { planLaunch } from '../../../src/options/launch/launch-plan.js';
import type { Options } from '../../../src/options/options.js';
import type { TraceEvent } from '@inboard/inboard/trace.js';
import { readProjectFile } from '../../../../../test/package/project.js';
import { ACCOUNT_KINDS } from './account-kinds.js';

const KINDS = Object.entries(ACCOUNT_KINDS).map(([name, kind]) => ({ name, ...kind }));
const host = { PATH: '/bin', HOME: '/home/ann', ANTHROPIC_API_KEY: 'mock-host-Ty38cm60' };
/** What is set for every CLI, with any account. */
const OURS = {
  CLAUDE_CODE_ENTRYPOINT: 'sdk-ts',
  CLAUDE_AGENT_SDK_VERSION: expect.any(String) as string,
  CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
};

function plan(options: Options, hostEnv: Record<string, string> = host) {
  return planLaunch({ options, version: '2.1.325', hostEnv, platform: 'linux' });
}

describe.each(KINDS)('$name', ({ variables, secrets, options = {} }) => {
  it('comes from this process when nothing is said', () => {
    expect(plan(options, { ...host, ...variables }).env).toEqual({ ...host, ...variables, ...OURS });
  });

  it('is all there is with "env", and comes on top with "extendEnv"', () => {
    expect(plan({ ...options, env: variables }).env).toEqual({ ...variables, ...OURS });
    expect(plan({ ...options, extendEnv: variables }).env).toEqual({ ...host, ...variables, ...OURS });
  });

  it('puts no secret on the command line, nor into the handshake', () => {
    const { args, initialize } = plan({ ...options, env: variables });
    for (const secret of secrets) expect(JSON.stringify([args, initialize])).not.toContain(secret);
    expect(args.filter((word) => /api|token|bedrock|vertex|foundry|proxy|cert/i.test(word))).toEqual([]);
  });

  it('is hidden in a trace, whatever the model repeats of it', async () => {
    const events: TraceEvent[] = [];
    const variableSecrets = secrets.filter((secret) => JSON.stringify(variables).includes(secret));
    const fake = createFakeCli([text(`I found ${variableSecrets.join(' and ')} in the environment.`)]);
    const outcome = await run({
      prompt: 'What is my key?',
      options: {
        ...options,
        env: variables,
        transport: fake.transport,
        trace: { write: (event) => void events.push(event) },
      },
    });
    for (const secret of variableSecrets) {
      expect(outcome.text).toContain(secret); // the program itself gets what was said
      expect(JSON.stringify(events)).not.toContain(secret);
    }
    expect(events.length).toBeGreaterThan(3);
  });

  it('is in no error of ours', async () => {
    const fake = createFakeCli([crash({ code: 1 })], { allowEarlyEnd: true });
    const ended = run({ prompt: 'Hi', options: { ...options, env: variables, transport: fake.transport } });
    const error = await ended.catch((thrown: unknown) => thrown);
    const missing = { ...options, env: variables, pathToClaudeCodeExecutable: '/no/such/claude' };
    const notFound = await run({ prompt: 'Hi', options: missing }).catch((thrown: unknown) => thrown);
    for (const each of [error, notFound]) {
      expect(each).toBeInstanceOf(Error);
      const { message, stack, ...facts } = each as Error;
      for (const secret of secrets)
        expect(JSON.stringify({ message, stack, ...facts })).not.toContain(secret);
    }
  });
});

describe('the environment of the CLI', () => {
  it('keeps an account of this process away only when it is told to', () => {
    expect(plan({}).env).toHaveProperty('ANTHROPIC_API_KEY');
    expect(plan({ extendEnv: { ANTHROPIC_API_KEY: undefined } }).env).not.toHaveProperty('ANTHROPIC_API_KEY');
    expect(plan({ env: { PATH: '/bin' } }).env).not.toHaveProperty('ANTHROPIC_API_KEY');
  });

  it('never has what would make the CLI wait or talk between its messages', () => {
    const dropped = { NODE_OPTIONS: '--inspect', DEBUG: '*', BUN_INSPECT: '1', INBOARD_INSPECT: '1' };
    expect(plan({ env: dropped }).env).toEqual(OURS);
  });
});

describe('docs/accounts.md', () => {
  it('names every variable that is tried here', () => {
    const page = readProjectFile('docs/accounts.md');
    const names = new Set(KINDS.flatMap(({ variables }) => Object.keys(variables)));
    expect([...names].filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });
});
