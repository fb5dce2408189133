// Accounts and networks on a real CLI: what it sends to which host, and that no secret is on its command line.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { CERTIFICATE, CERTIFICATE_KEY, startGateway, startProxy } from '../support/gateway.js';
import type { Options } from '../support/inboard.js';
import { text } from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';
import { readRest, resultsOf } from '../support/talk.js';

type Variables = Readonly<Record<string, string | undefined>>;

const SAYS_HELLO = { onExhausted: () => text('Hello.') };
/** The isolated environment has a key, a model and a proxy that leads nowhere; most cases bring their own. */
const NO_KEY = { ANTHROPIC_API_KEY: undefined };
const NO_MODEL = { ...NO_KEY, ANTHROPIC_BASE_URL: undefined };
const NO_PROXY = Object.fromEntries(
  ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'].map((name) => [
    name,
    undefined,
  ]),
);

/** Asks one question with an account, and gives the outcome. */
async function askAs(stage: Stage, variables: Variables, more: Options = {}) {
  const env = { ...stage.home.env, CLAUDE_CODE_MAX_RETRIES: '0', ...variables };
  const { query } = stage.start('Hi', { env, tools: [], settingSources: [], ...more });
  const account = await query.accountInfo();
  const { messages, error } = await readCommandLine(query.pid, variables, () => readRest(query));
  const [result] = resultsOf(messages);
  return { account, error, said: result && 'result' in result ? result.result : undefined };
}

/** Looks at the command line while the CLI runs: everybody can. */
async function readCommandLine<T>(
  pid: number | undefined,
  variables: Variables,
  work: () => Promise<T>,
): Promise<T> {
  if (process.platform === 'linux') {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    expect(line).toContain('stream-json');
    for (const [name, value] of Object.entries(variables)) {
      if (/KEY|TOKEN|SECRET|HEADERS|PROXY/.test(name) && value) expect(line).not.toContain(value);
    }
    expect(line).not.toMatch(/mock-/);
  }
  return await work();
}

async function reachAGateway(cli: Cli): Promise<void> {
  await onStage(cli, SAYS_HELLO, async (stage) => {
    await using gateway = await startGateway(stage.model.url, {
      translate: (path) => path.replace('/team/red', ''),
    });
    const { account, said } = await askAs(stage, {
      ANTHROPIC_API_KEY: 'mock-key',
      ANTHROPIC_AUTH_TOKEN: 'mock-token',
      ANTHROPIC_BASE_URL: `${gateway.url}/team/red`,
      ANTHROPIC_CUSTOM_HEADERS: 'X-Team: red\nX-Trace: a b',
    });
    expect(said).toBe('Hello.');
    expect(gateway.seen.every(({ path }) => path.startsWith('/team/red/'))).toBe(true);
    expect(gateway.seen.at(-1)).toMatchObject({
      path: expect.stringMatching(/^\/team\/red\/v1\/messages/) as string,
      // Both are sent where both are given.
      headers: {
        'x-api-key': 'mock-key',
        authorization: 'Bearer mock-token',
        'x-team': 'red',
        'x-trace': 'a b',
      },
    });
    expect(account).toMatchObject({ apiKeySource: 'ANTHROPIC_API_KEY', tokenSource: 'ANTHROPIC_AUTH_TOKEN' });
  });
}

async function takeAKeyFromAProgram(cli: Cli): Promise<void> {
  await onStage(cli, SAYS_HELLO, async (stage) => {
    const { said } = await askAs(stage, NO_KEY, { settings: { apiKeyHelper: 'echo mock-helped' } });
    expect(said).toBe('Hello.');
    expect(stage.lastRequest().headers).toMatchObject({
      'x-api-key': 'mock-helped',
      authorization: 'Bearer mock-helped',
    });
  });
}

async function keepTenantsApart(cli: Cli): Promise<void> {
  await onStage(cli, SAYS_HELLO, async (stage) => {
    const tenants = await Promise.all(
      ['red', 'blue'].map(async (name) => {
        const folder = join(stage.home.temporary, name);
        await mkdir(folder);
        const login = {
          accessToken: `mock-login-${name}`,
          refreshToken: 'mock-refresh',
          expiresAt: Date.now() + 3_600_000,
          scopes: ['user:inference', 'user:profile'],
          subscriptionType: 'max',
        };
        await writeFile(join(folder, '.credentials.json'), JSON.stringify({ claudeAiOauth: login }), {
          mode: 0o600,
        });
        return { name, folder };
      }),
    );
    const answers = await Promise.all(
      tenants.map(({ folder, name }) =>
        askAs(stage, { ...NO_KEY, CLAUDE_CONFIG_DIR: folder, ANTHROPIC_CUSTOM_HEADERS: `X-Tenant: ${name}` }),
      ),
    );
    expect(answers.map(({ said }) => said)).toEqual(['Hello.', 'Hello.']);
    for (const { name } of tenants) {
      const own = stage.model.conversation.filter(({ headers }) => headers['x-tenant'] === name);
      expect(own.map(({ headers }) => headers.authorization)).toEqual([`Bearer mock-login-${name}`]);
    }
  });
}

async function sayThatNobodyIsLoggedIn(cli: Cli): Promise<void> {
  await onStage(cli, { script: [] }, async (stage) => {
    const { error } = await askAs(stage, NO_KEY);
    expect(error).toMatchObject({ message: expect.stringContaining('Not logged in') as string });
    expect(stage.model.conversation).toEqual([]);
  });
}

async function askBedrock(cli: Cli): Promise<void> {
  await onStage(cli, { script: [] }, async (stage) => {
    await using bedrock = await startGateway(stage.model.url, { translate: () => undefined });
    const variables = {
      ...NO_MODEL,
      CLAUDE_CODE_USE_BEDROCK: '1',
      ANTHROPIC_BEDROCK_BASE_URL: bedrock.url,
      AWS_REGION: 'eu-north-1',
    };
    const [byKey, signed] = await Promise.all([
      askAs(stage, { ...variables, AWS_BEARER_TOKEN_BEDROCK: 'mock-bedrock' }),
      askAs(stage, {
        ...variables,
        ANTHROPIC_API_KEY: 'mock-key',
        AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'mock-aws-secret',
      }),
    ]);
    expect(byKey.account).toMatchObject({ apiProvider: 'bedrock' });
    expect(byKey.error).toMatchObject({ message: expect.stringContaining('400') as string });
    expect(signed.account).toMatchObject({ apiProvider: 'bedrock' });
    const asked = bedrock.seen.filter(({ path }) => path.includes('/invoke-with-response-stream'));
    const proofs = new Set(asked.map(({ headers }) => headers.authorization?.replace(/\/.*/s, '/…')));
    expect(proofs).toEqual(
      new Set(['Bearer mock-bedrock', 'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/…']),
    );
    for (const { path, headers } of bedrock.seen) {
      expect(path).toMatch(/^\/(?:model\/eu\.anthropic\.|inference-profiles)/);
      expect(JSON.stringify(headers)).not.toMatch(/mock-aws-secret|mock-key/);
    }
  });
}

async function askVertex(cli: Cli): Promise<void> {
  await onStage(cli, SAYS_HELLO, async (stage) => {
    await using vertex = await startGateway(stage.model.url, {
      translate: (path) => (path.includes(':streamRawPredict') ? '/v1/messages?beta=true' : undefined),
    });
    const { account, said } = await askAs(stage, {
      ...NO_MODEL,
      CLAUDE_CODE_USE_VERTEX: '1',
      CLAUDE_CODE_SKIP_VERTEX_AUTH: '1',
      ANTHROPIC_VERTEX_BASE_URL: `${vertex.url}/v1`,
      ANTHROPIC_VERTEX_PROJECT_ID: 'my-project',
      CLOUD_ML_REGION: 'europe-west1',
    });
    expect(said).toBe('Hello.');
    expect(account).toEqual({ apiProvider: 'vertex' });
    expect(vertex.seen.at(-1)?.path).toMatch(
      /^\/v1\/projects\/my-project\/locations\/europe-west1\/publishers\/anthropic\/models\/[\w.@-]+:streamRawPredict$/,
    );
  });
}

async function askFoundry(cli: Cli): Promise<void> {
  await onStage(cli, SAYS_HELLO, async (stage) => {
    const { account, said } = await askAs(stage, {
      ...NO_MODEL,
      CLAUDE_CODE_USE_FOUNDRY: '1',
      ANTHROPIC_FOUNDRY_BASE_URL: stage.model.url,
      ANTHROPIC_FOUNDRY_API_KEY: 'mock-foundry',
    });
    expect(said).toBe('Hello.');
    expect(account).toEqual({ apiProvider: 'foundry' });
    expect(stage.lastRequest().headers).toMatchObject({ 'x-api-key': 'mock-foundry' });
  });
}

async function trustACertificate(cli: Cli): Promise<void> {
  await onStage(cli, SAYS_HELLO, async (stage) => {
    const tls = { requestCert: true, rejectUnauthorized: false, ca: readFileSync(CERTIFICATE) };
    await using gateway = await startGateway(stage.model.url, { tls });
    const distrusting = await askAs(stage, { ANTHROPIC_BASE_URL: gateway.url });
    expect(distrusting.error).toMatchObject({
      message: expect.stringMatching(/certificate.*NODE_EXTRA_CA_CERTS/is) as string,
    });
    expect(gateway.seen).toEqual([]);
    const { said } = await askAs(stage, {
      ANTHROPIC_BASE_URL: gateway.url,
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
      CLAUDE_CODE_CLIENT_CERT: CERTIFICATE,
      CLAUDE_CODE_CLIENT_KEY: CERTIFICATE_KEY,
    });
    expect(said).toBe('Hello.');
    expect(gateway.seen.at(-1)?.client).toBe('inboard test gateway');
  });
}

async function goThroughAProxy(cli: Cli): Promise<void> {
  await onStage(cli, SAYS_HELLO, async (stage) => {
    await using gateway = await startGateway(stage.model.url, { tls: {} });
    await using proxy = await startProxy(gateway.port);
    const variables = {
      ...NO_PROXY,
      HTTPS_PROXY: `http://ann:mock-pass@127.0.0.1:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
    };
    // No resolver knows the name: only the proxy can have found it.
    const { said } = await askAs(stage, { ...variables, ANTHROPIC_BASE_URL: 'https://gateway.test' });
    expect(said).toBe('Hello.');
    const authorization = `Basic ${Buffer.from('ann:mock-pass').toString('base64')}`;
    expect(new Set(proxy.tunnels.map(({ host }) => host))).toEqual(new Set(['gateway.test:443']));
    expect(proxy.tunnels[0]).toEqual({ host: 'gateway.test:443', authorization });
    proxy.tunnels.length = 0;
    const direct = { ...variables, NO_PROXY: '127.0.0.1', ANTHROPIC_BASE_URL: gateway.url };
    expect((await askAs(stage, direct)).said).toBe('Hello.');
    expect(proxy.tunnels).toEqual([]);
  });
}

async function refuseByTheProxy(cli: Cli): Promise<void> {
  await onStage(cli, { script: [] }, async (stage) => {
    await using proxy = await startProxy();
    const { error } = await askAs(stage, {
      ...NO_PROXY,
      HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      ANTHROPIC_BASE_URL: 'https://gateway.test',
    });
    expect(error).toMatchObject({ message: expect.stringMatching(/proxy refused the tunnel/i) as string });
    expect(new Set(proxy.tunnels.map(({ host }) => host))).toEqual(new Set(['gateway.test:443']));
  });
}

async function askNobodyElse(cli: Cli): Promise<void> {
  await onStage(cli, SAYS_HELLO, async (stage) => {
    const ask = async (isQuiet: boolean) => {
      await using proxy = await startProxy();
      const { said } = await askAs(stage, {
        ...NO_PROXY,
        HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
        NO_PROXY: '127.0.0.1',
        DISABLE_AUTOUPDATER: undefined,
        DISABLE_TELEMETRY: undefined,
        DISABLE_ERROR_REPORTING: undefined,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: isQuiet ? '1' : undefined,
      });
      expect(said).toBe('Hello.');
      return [...new Set(proxy.tunnels.map(({ host }) => host))];
    };
    expect(await Promise.all([ask(false), ask(true)])).toEqual([['api.anthropic.com:443'], []]);
  });
}

async function letSettingsWin(cli: Cli): Promise<void> {
  await onStage(cli, SAYS_HELLO, async (stage) => {
    await using stranger = await startGateway(stage.model.url);
    const folder = join(stage.home.cwd, '.claude');
    await mkdir(folder);
    const env = { ANTHROPIC_BASE_URL: stranger.url };
    await writeFile(join(folder, 'settings.json'), JSON.stringify({ env }));
    await askAs(stage, {}, { settingSources: ['user'] });
    expect(stranger.seen).toEqual([]);
    const key = { ANTHROPIC_API_KEY: 'mock-key' };
    await askAs(stage, key, { settingSources: ['user', 'project', 'local'] });
    expect(stranger.seen.at(-1)?.headers['x-api-key']).toBe('mock-key');
  });
}

export const accountCases: CaseSet = {
  'a gateway gets key, token and headers, under its own path': reachAGateway,
  'apiKeyHelper: what the program prints is the key': takeAKeyFromAProgram,
  'stored logins: two tenants in one process, each from its own folder': keepTenantsApart,
  'no account: it says so, and asks no model': sayThatNobodyIsLoggedIn,
  'Bedrock: by key or signed, and no other secret goes there': askBedrock,
  'Vertex: project, region and model are in the path': askVertex,
  'Foundry: its own key, and the paths of the API': askFoundry,
  'a private certificate is refused by name, and accepted with its authority; clients have one, too':
    trustACertificate,
  'a proxy is asked for the host by name, with its password; NO_PROXY goes past it': goThroughAProxy,
  'a proxy that refuses is named in the error': refuseByTheProxy,
  'only the base URL is asked where other traffic is switched off': askNobodyElse,
  'settings of the folder win over the environment, so that they can send a key elsewhere': letSettingsWin,
};
