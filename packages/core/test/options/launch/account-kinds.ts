// The kinds of accounts that docs/accounts.md describes, with invented values: which variables each consists of, and which
// parts of them are secret.
import type { Options } from '../../../src/options/options.js';

/** One way to reach a model. */
export interface AccountKind {
  readonly variables: Readonly<Record<string, string>>;
  /** What must not turn up in a command line, a trace or an error. */
  readonly secrets: readonly string[];
  readonly options?: Options;
}

/** By the name that tests print. */
export const ACCOUNT_KINDS: Readonly<Record<string, AccountKind>> = {
  'API key': {
    variables: { ANTHROPIC_API_KEY: 'mock-key-Zq81xv70' },
    secrets: ['mock-key-Zq81xv70'],
  },
  'auth token for a gateway': {
    variables: {
      ANTHROPIC_AUTH_TOKEN: 'mock-token-Wd52rt19',
      ANTHROPIC_BASE_URL: 'https://gateway.test/anthropic',
      ANTHROPIC_CUSTOM_HEADERS: 'X-Team: red\nX-Gateway-Auth: mock-header-Lp33ka08',
    },
    secrets: ['mock-token-Wd52rt19', 'mock-header-Lp33ka08'],
  },
  'token of a subscription': {
    variables: { CLAUDE_CODE_OAUTH_TOKEN: 'mock-oauth-Hn64bs27' },
    secrets: ['mock-oauth-Hn64bs27'],
  },
  'stored login in a folder': {
    variables: { CLAUDE_CONFIG_DIR: '/srv/tenants/red/claude' },
    secrets: [],
  },
  'apiKeyHelper in settings': {
    variables: { CLAUDE_CODE_API_KEY_HELPER_TTL_MS: '60000' },
    options: { settings: { apiKeyHelper: '/opt/vault read --token mock-vault-Xc95mo44' } },
    secrets: ['mock-vault-Xc95mo44'],
  },
  'Bedrock with a key': {
    variables: {
      CLAUDE_CODE_USE_BEDROCK: '1',
      AWS_REGION: 'eu-north-1',
      AWS_BEARER_TOKEN_BEDROCK: 'mock-bedrock-Uf17ey62',
    },
    secrets: ['mock-bedrock-Uf17ey62'],
  },
  'Bedrock with credentials': {
    variables: {
      CLAUDE_CODE_USE_BEDROCK: '1',
      AWS_REGION: 'eu-north-1',
      AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'mock-aws-secret-Jt40wi53',
      AWS_SESSION_TOKEN: 'mock-aws-session-Gv28ud76',
    },
    secrets: ['mock-aws-secret-Jt40wi53', 'mock-aws-session-Gv28ud76'],
  },
  Vertex: {
    variables: {
      CLAUDE_CODE_USE_VERTEX: '1',
      ANTHROPIC_VERTEX_PROJECT_ID: 'my-project',
      CLOUD_ML_REGION: 'europe-west1',
      GOOGLE_APPLICATION_CREDENTIALS: '/run/secrets/google.json',
    },
    secrets: [],
  },
  Foundry: {
    variables: {
      CLAUDE_CODE_USE_FOUNDRY: '1',
      ANTHROPIC_FOUNDRY_RESOURCE: 'my-resource',
      ANTHROPIC_FOUNDRY_API_KEY: 'mock-foundry-Pb06nz91',
    },
    secrets: ['mock-foundry-Pb06nz91'],
  },
  'proxy and certificates': {
    variables: {
      HTTPS_PROXY: 'http://ann:mock-proxy-Ke73hl15@proxy.test:3128',
      NO_PROXY: 'localhost,127.0.0.1',
      NODE_EXTRA_CA_CERTS: '/etc/ssl/corporate.pem',
      CLAUDE_CODE_CLIENT_CERT: '/run/secrets/client.pem',
      CLAUDE_CODE_CLIENT_KEY: '/run/secrets/client-key.pem',
      CLAUDE_CODE_CLIENT_KEY_PASSPHRASE: 'mock-passphrase-Rs49qd84',
    },
    secrets: ['mock-proxy-Ke73hl15', 'mock-passphrase-Rs49qd84'],
  },
};
