// What a process reads from its environment. A value that is missing or wrong ends the process at its start, with a sentence
// that names it.

/** The variables that give the CLI an account. A login with `claude` sets none of them. */
export const ACCOUNTS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];

const SHORTEST_TOKEN = 16;

/** Undefined if the variable is not set. Refuses a placeholder that was left in a manifest. */
export function readText(name: string): string | undefined {
  const value = process.env[name]?.trim();
  if (value?.includes('REPLACE-ME'))
    throw new Error(`${name} still has the placeholder REPLACE-ME. Set its real value.`);
  return value || undefined;
}

export function requireText(name: string, why: string): string {
  const value = readText(name);
  if (value === undefined) throw new Error(`${name} is not set. ${why}`);
  return value;
}

export function readNumber(name: string, otherwise: number, least = 0): number {
  const text = readText(name);
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least) return value;
  throw new Error(`${name} must be a whole number, at least ${least}, but is "${text}".`);
}

/** How long what has ended is kept. Without RETENTION_DAYS, or with 0: for ever. */
export function readRetention() {
  const ms = readNumber('RETENTION_DAYS', 0) * 24 * 60 * 60 * 1000;
  if (ms === 0) return {};
  return { retention: { eventsMs: ms, callsMs: ms, conversationsMs: ms, auditMs: ms } };
}

/** An amount of US dollars, also a small one, with which a budget can be tried. */
export function readAmount(name: string, otherwise: number): number {
  const text = readText(name) ?? String(otherwise);
  const value = Number(text);
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text) && value > 0) return value;
  throw new Error(`${name} must be a number above 0, such as 20 or 0.001, but is "${text}".`);
}

/** Where this process listens. In a container that is every address, because probes and clients come from outside. */
export function readHost(): string {
  return readText('HOST') ?? '127.0.0.1';
}

/** Where the database is, for the log: without the role and its password. */
export function readDatabase(): string {
  const address = readText('DATABASE_URL') ?? '';
  return URL.canParse(address) ? `${new URL(address).host}${new URL(address).pathname}` : 'DATABASE_URL';
}

/** Who uses the API. With a tenant, only what belongs to it; without, everything, as your own staff. */
export interface Person {
  name: string;
  tenant?: string | undefined;
}

/** Who may use the API: `ann:<token>,bob@acme:<token>`, where acme is a tenant. Returns people by token. */
export function readPeople(): Map<string, Person> {
  const why = 'It says who may use the API: "ann:<token>,bob@acme:<token>".';
  const people = new Map<string, Person>();
  for (const entry of requireText('API_TOKENS', why).split(',')) {
    const [, name = '', tenant, token = ''] = /^([^:@]+)(?:@([\w-]+))?:(.+)$/.exec(entry.trim()) ?? [];
    if (name === '' || token.length < SHORTEST_TOKEN)
      throw new Error(
        `API_TOKENS: each entry is <name>:<token> or <name>@<tenant>:<token>, with ${SHORTEST_TOKEN} characters or more.`,
      );
    if (people.has(token))
      throw new Error(`API_TOKENS: ${name} and ${people.get(token)?.name} have the same token.`);
    people.set(token, { name, tenant });
  }
  return people;
}
