// The rows of the options about MCP servers and hooks. These rows do not declare in-process servers and hooks in the
// handshake: the code that runs them does.
import { isGiven, isRecord } from '../../util/guards.js';
import { findHookWarnings } from '../../answer/hooks/hook-warnings.js';
import { findMeantEvents } from '../../answer/hooks/meant-events.js';
import { isInProcess, type McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import { findHookEvent, HOOK_EVENTS } from '../../wire/protocol/hooks/hook-events.js';
import type { InboardWarning } from '../check/warning.js';
import { plansFor } from '../supported-versions.js';
import type { OptionRows, WrittenOptions, WrittenArgument } from './option-row.js';
import { callback, dropEmptyEntries, entries, fields, flag, listOf } from '../../util/option-shapes.js';

// The first tested version that knows a hook's decision `defer`. 2.1.33 asks for permission instead.
const DEFERS_SINCE = '2.1.325';

const matchers = listOf('', fields('', { hooks: listOf('', callback) }));

export const MCP_AND_HOOKS = {
  mcpServers: {
    shape: entries(
      'an object that maps server names to { command }, { type, url } or in-process servers',
      isServer,
    ),
    entryForms: {
      'mcpServers.timeout': { since: '2.1.147', isUsed: isSetOutside },
      'mcpServers.alwaysLoad': { since: '2.1.121', isUsed: isSetOutside },
      'mcpServers.tools': { since: '2.1.325', isUsed: isSetOutside },
      'mcpServers.timeout in-process': { since: '2.1.248', isUsed: isSetInProcess },
      'mcpServers.tools in-process': { since: '2.1.302', isUsed: isSetInProcess },
    },
    argv: { order: 180, write: writeServers },
  },
  strictMcpConfig: { shape: flag, argv: { order: 200, flag: '--strict-mcp-config' } },
  onElicitation: { shape: callback, since: '2.1.84', host: true },
  hooks: {
    shape: {
      ...entries('an object that maps event names to lists of { matcher?, hooks: [function] }', (list) =>
        matchers.fits(list),
      ),
      read: dropEmptyEntries,
    },
    findWarnings: (given) => [...findUnknownEvents(Object.keys(given)), ...findHookWarnings(given)],
    entryForms: {
      'hooks onFailure': {
        since: '2.1.317',
        part: 'onFailure',
        isUsed: (matchers) => matchers.some((matcher) => matcher.onFailure === 'block'),
      },
    },
    findEntryVersion: (event) => findHookEvent(event)?.since,
    host: true,
  },
  includeHookEvents: { shape: flag, since: '2.1.88', argv: { order: 240, flag: '--include-hook-events' } },
} satisfies Partial<OptionRows>;

function isSetOutside(server: McpServerConfig, part: unknown): boolean {
  return !isInProcess(server) && !!part;
}

function isSetInProcess(server: McpServerConfig, part: unknown): boolean {
  return isInProcess(server) && !!part;
}

function writeServers(given: Record<string, McpServerConfig>, options: WrittenOptions): WrittenArgument[] {
  const all = Object.entries(given);
  const outside = all.filter(([, server]) => !isInProcess(server));
  const isOnArgv = options.sdkServerRegistration === 'argv' || mayTakeUpCall(options);
  const own = isOnArgv ? all.filter(([, server]) => isInProcess(server)) : [];
  if (outside.length + own.length === 0) return [];
  const content = JSON.stringify({
    mcpServers: {
      ...Object.fromEntries(outside),
      // Without the field `name`, the CLI silently leaves out the server's tools.
      ...Object.fromEntries(own.map(([name, { timeout }]) => [name, { type: 'sdk', name, timeout }])),
    },
  });
  // Headers, variables and addresses may hold secrets. Of in-process servers, little more than the names is written.
  return [{ words: ['--mcp-config', content], overflow: 'file', isPrivate: outside.length > 0 }];
}

// If a hook has deferred a call, a CLI that resumes the session takes the call up even before it reads the handshake. It
// drops the call if it does not know the server by then.
function mayTakeUpCall({ resume, continue: continues, hooks, version }: WrittenOptions): boolean {
  const isResuming = isGiven(resume) || continues === true;
  return isResuming && isGiven(hooks?.PreToolUse) && plansFor(version, DEFERS_SINCE);
}

// The CLI may know kinds of servers that are not known here. Only a value that cannot be a server of any kind is refused.
function isServer(server: unknown): boolean {
  if (!isRecord(server)) return false;
  const kind = server['type'] ?? 'stdio';
  if (kind === 'stdio') return typeof server['command'] === 'string';
  if (kind === 'http' || kind === 'sse') return typeof server['url'] === 'string';
  return typeof kind === 'string';
}

function findUnknownEvents(given: readonly string[]): InboardWarning[] {
  const known: readonly string[] = HOOK_EVENTS;
  return given
    .filter((event) => !known.includes(event))
    .map((event) => {
      const meant = findMeantEvents(event).map((name) => `"${name}"`);
      return {
        code: 'UNKNOWN_HOOK_EVENT',
        message:
          `The option "hooks" names the event "${event}", which Inboard does not know and which may never occur.` +
          (meant.length > 0 ? ` Did you mean ${meant.join(' or ')}?` : ''),
      };
    });
}
