// What each option must look like. The table has a row for every option, which the compiler checks, so
// it is also the list of known names.
import { isRecord } from '../../util/guards.js';
import type { Options } from '../options.js';

/** A test of a value, and the words for what passes it. */
export interface Shape {
  expected: string;
  fits(value: unknown): boolean;
  /** The first entry at fault, of shapes that have entries. */
  findCulprit?(value: unknown): string | undefined;
}

const text: Shape = { expected: 'a string', fits: (value) => typeof value === 'string' };
const flag: Shape = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
const callback: Shape = { expected: 'a function', fits: (value) => typeof value === 'function' };
const record: Shape = { expected: 'an object', fits: isRecord };
const texts: Shape = { expected: 'a list of strings', fits: isTextList };
const anything: Shape = { expected: 'anything', fits: () => true };
const count: Shape = {
  expected: 'a whole number, 0 or more',
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};
const milliseconds: Shape = {
  expected: 'a number of milliseconds, 0 or more and finite',
  fits: (value) => Number.isFinite(value) && (value as number) >= 0,
};
const bytes: Shape = {
  expected: 'a number of bytes above 0',
  fits: (value) => typeof value === 'number' && value > 0,
};
const amount: Shape = {
  expected: 'a number above 0 (leave it out for no limit)',
  fits: (value) => Number.isFinite(value) && (value as number) > 0,
};
const uuid: Shape = {
  expected: 'a UUID, as crypto.randomUUID() makes one',
  fits: (value) =>
    typeof value === 'string' &&
    (value === '' || /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value)),
};

function oneOf(...values: string[]): Shape {
  return {
    expected: values.map((value) => `'${value}'`).join(' or '),
    fits: (value) => values.includes(value as string),
  };
}

function entries(expected: string, fits: (entry: [name: string, value: unknown]) => boolean): Shape {
  const findCulprit = (value: unknown): string | undefined =>
    isRecord(value) ? Object.entries(value).find((entry) => !fits(entry))?.[0] : undefined;
  return { expected, findCulprit, fits: (value) => isRecord(value) && findCulprit(value) === undefined };
}

function either(...shapes: Shape[]): Shape {
  return {
    expected: shapes.map((shape) => shape.expected).join(' or '),
    fits: (value) => shapes.some((shape) => shape.fits(value)),
  };
}

const thinking: Shape = {
  expected: "{ type: 'adaptive' }, { type: 'enabled', budgetTokens } or { type: 'disabled' }",
  fits: (value) =>
    isRecord(value) &&
    ['adaptive', 'enabled', 'disabled'].includes(value['type'] as string) &&
    (value['budgetTokens'] === undefined || count.fits(value['budgetTokens'])) &&
    (value['display'] === undefined || typeof value['display'] === 'string'),
};
const preset: Shape = {
  expected: "{ type: 'preset', preset: 'claude_code' }",
  fits: (value) => isRecord(value) && value['type'] === 'preset' && value['preset'] === 'claude_code',
};
const customPrompt: Shape = {
  expected: "{ type: 'custom', prompt }",
  fits: (value) =>
    isRecord(value) &&
    value['type'] === 'custom' &&
    (typeof value['prompt'] === 'string' || isTextList(value['prompt'])),
};
const outputFormat: Shape = {
  expected: "{ type: 'json_schema', schema } with a JSON Schema object",
  fits: (value) => isRecord(value) && value['type'] === 'json_schema' && isRecord(value['schema']),
};
const plugins: Shape = {
  expected: "a list of { type: 'local', path }",
  fits: (value) =>
    Array.isArray(value) &&
    value.every((item) => isRecord(item) && item['type'] === 'local' && typeof item['path'] === 'string'),
};
const taskBudget: Shape = {
  expected: '{ total } with a whole number above 0',
  fits: (value) => isRecord(value) && count.fits(value['total']) && value['total'] !== 0,
};
const variables = entries('an object of strings', ([, value]) => isVariable(value));
const extraArgs = entries(
  'an object from flag names without leading dashes to strings or null',
  ([name, value]) =>
    !name.startsWith('-') && (value === null || value === undefined || typeof value === 'string'),
);
const hooks = entries(
  'an object from event names to lists of { matcher?, hooks: [function] }',
  ([, list]) => list === undefined || isHookList(list),
);
const servers = entries(
  'an object from server names to { command }, { type, url } or in-process servers',
  ([, server]) => isServer(server),
);
const agents = entries(
  'an object from agent names to { description, prompt }',
  ([, agent]) =>
    isRecord(agent) && typeof agent['description'] === 'string' && typeof agent['prompt'] === 'string',
);
const sessionStore: Shape = {
  expected: 'an object with the methods append and load',
  fits: (value) => isObject(value) && callback.fits(value['append']) && callback.fits(value['load']),
};
const abortController: Shape = {
  expected: 'an AbortController',
  fits: (value) => isObject(value) && isObject(value['signal']) && callback.fits(value['abort']),
};

/** By option name, what the option must look like. */
export const OPTION_SHAPES: Readonly<Record<keyof Options, Shape>> = {
  systemPrompt: either(text, texts, customPrompt, preset),
  model: text,
  fallbackModel: text,
  thinking,
  effort: text,
  maxThinkingTokens: count,
  maxTurns: count,
  maxBudgetUsd: amount,
  taskBudget,
  betas: texts,
  agent: text,
  agents,
  title: text,
  planModeInstructions: text,
  verbatimPrompts: flag,
  tools: either(texts, preset),
  allowedTools: texts,
  disallowedTools: texts,
  toolAliases: record,
  toolConfig: record,
  canUseTool: callback,
  permissionMode: text,
  allowDangerouslySkipPermissions: flag,
  permissionPromptToolName: text,
  permissionPrompts: text,
  additionalDirectories: texts,
  projectConfigRoot: text,
  onUserDialog: callback,
  supportedDialogKinds: texts,
  perTaskStopAffordance: flag,
  mcpServers: servers,
  strictMcpConfig: flag,
  onElicitation: callback,
  hooks,
  includeHookEvents: flag,
  resume: text,
  continue: flag,
  forkSession: flag,
  sessionId: uuid,
  resumeSessionAt: text,
  resumeDropsTurn: text,
  persistSession: flag,
  sessionStore,
  sessionStoreFlush: oneOf('batched', 'eager'),
  loadTimeoutMs: milliseconds,
  enableFileCheckpointing: flag,
  cwd: text,
  env: variables,
  pathToClaudeCodeExecutable: text,
  executable: { expected: 'a runtime such as node, or the path of one', fits: isPath },
  executableArgs: texts,
  extraArgs,
  spawnClaudeCodeProcess: callback,
  abortController,
  stderr: callback,
  debug: flag,
  debugFile: text,
  includePartialMessages: flag,
  outputFormat,
  forwardSubagentText: flag,
  promptSuggestions: flag,
  agentProgressSummaries: flag,
  sandbox: record,
  settings: either(text, record),
  managedSettings: record,
  settingSources: texts,
  skills: either(texts, oneOf('all')),
  plugins,
  pluginDelivery: oneOf('argv', 'initialize'),
  extendEnv: variables,
  transport: {
    expected: 'a transport, or a function that makes one',
    fits: (value) => callback.fits(value) || (isObject(value) && callback.fits(value['open'])),
  },
  claudeCodeVersion: text,
  handshakeTimeoutMs: milliseconds,
  idleTimeoutMs: milliseconds,
  maxLineBytes: bytes,
  maxBufferedBytes: bytes,
  closeGraceMs: milliseconds,
  killGraceMs: milliseconds,
  toolContext: anything,
  onWireLine: callback,
  trace: {
    expected: 'the path of a file or folder, an object with such a "file", or a sink with a function "write"',
    fits: (value) =>
      isPath(value) || (isObject(value) && (isPath(value['file']) || callback.fits(value['write']))),
  },
  onToolEvent: callback,
  aroundTool: callback,
  onEnd: callback,
  usage: record,
  output: { expected: 'a schema', fits: (value) => isObject(value) || callback.fits(value) },
  missingTools: oneOf('warn', 'error'),
  sdkServerRegistration: oneOf('initialize', 'argv'),
  onWarning: callback,
};

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

// Instances of classes count too, which `isRecord` would also take; arrays do not matter here.
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

// Numbers and truth values become strings, as they do when Node starts a process.
function isVariable(value: unknown): boolean {
  return value === undefined || value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isHookList(list: unknown): boolean {
  return (
    Array.isArray(list) &&
    list.every(
      (entry) =>
        isRecord(entry) &&
        Array.isArray(entry['hooks']) &&
        entry['hooks'].every((hook) => callback.fits(hook)),
    )
  );
}

// Kinds unknown here may be known to the CLI: only what cannot be any server is refused.
function isServer(server: unknown): boolean {
  if (!isRecord(server)) return false;
  const kind = server['type'] ?? 'stdio';
  if (kind === 'stdio') return typeof server['command'] === 'string';
  if (kind === 'http' || kind === 'sse') return typeof server['url'] === 'string';
  return typeof kind === 'string';
}
