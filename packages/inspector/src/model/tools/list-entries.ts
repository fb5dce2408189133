// Combines the listings and the calls into servers and tools with their figures.
import { isReadOnlyListing } from '@inboard/core/answer/mcp/tool/parallel-mark.js';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import { countState, findPercentiles, type ObservedCalls } from './observed-calls.js';
import { explainSilence, type SilenceFacts } from './explain-silence.js';
import { splitToolName } from '../story/tool-name.js';
import type { ObservedCall, ServerEntry, ToolEntry } from './tool-entry.js';
import type { KnownServer, ToolListings } from './tool-listings.js';

/** All servers with their tools, and separately the tools of the CLI. */
export interface ToolOverview {
  servers: ServerEntry[];
  cliTools: ToolEntry[];
  /** How often the model searched for tools. */
  searches: number;
}

export function listToolEntries(
  listings: ToolListings,
  calls: ObservedCalls,
  isMentioned: (name: string) => boolean,
): ToolOverview {
  const defined = listings.listDefined();
  const { listed, isSearchOn } = listings;
  const isDeferred = (name: string): boolean =>
    isSearchOn && listed?.has(name) === true && listings.tools.get(name)?.alwaysLoad === false;
  const silence: SilenceFacts = {
    facts: {
      defined,
      listed: [...(listed ?? [])],
      deferred: defined.filter((tool) => isDeferred(tool.toolName)),
      servers: [...listings.servers.values()].map(({ name, status, error }) => ({
        name,
        // The CLI has not reported the server yet, so it counts as pending.
        status: status === 'announced' ? 'pending' : status,
        ...(error !== undefined && { error }),
      })),
    },
    hasTurn: listed !== undefined,
    searches: calls.searches,
    found: calls.found,
    isMentioned,
  };

  const names = new Set([...listings.tools.keys(), ...(listed ?? []), ...calls.toolNames()]);
  const tools = [...names].map((toolName): ToolEntry => {
    const listing = listings.tools.get(toolName);
    const split = splitToolName(toolName);
    const made = calls.of(toolName);
    const begun = {
      toolName,
      name: listing?.name ?? split.name,
      server: listing?.server ?? split.server,
      isDeferred: isDeferred(toolName),
      calls: made,
    };
    return {
      ...begun,
      ...readListing(listing?.tool ?? {}),
      runsHere: listing !== undefined || made.some(({ requestN }) => requestN !== undefined),
      isListed: listed?.has(toolName),
      errors: countState(made, 'failed'),
      denied: countState(made, 'denied'),
      handler: findPercentiles(made.map(({ handlerMs }) => handlerMs)),
      whole: findPercentiles(made.filter(hasRun).map(({ wholeMs }) => wholeMs)),
      lastError: made.findLast(({ state }) => state === 'failed')?.error,
      silence: explainSilence(begun, silence),
    };
  });
  return {
    servers: listServers(listings, tools).map((server) => describeServer(server, tools)),
    cliTools: tools.filter(({ server }) => server === undefined),
    searches: calls.searches,
  };
}

/** The known servers, and those that only calls name, as if the inspector was opened in the middle of a session. */
function listServers({ servers }: ToolListings, tools: readonly ToolEntry[]): KnownServer[] {
  const named = tools.flatMap(({ server }) => (server === undefined || servers.has(server) ? [] : server));
  const unknown = [...new Set(named)].map((name) => ({ ...NO_FACTS, name }));
  return [...servers.values(), ...unknown];
}

const NO_FACTS = { status: 'announced', error: undefined, info: {}, runsHere: false };

/** Whether a call ran to its end. The time of any other says nothing about the tool. */
function hasRun({ state }: ObservedCall): boolean {
  return state === 'done' || state === 'failed';
}

function readListing(tool: WireObject) {
  const annotations = isRecord(tool['annotations']) ? tool['annotations'] : {};
  return {
    title: asString(tool['title']) ?? asString(annotations['title']),
    description: asString(tool['description']),
    inputSchema: isRecord(tool['inputSchema']) ? tool['inputSchema'] : undefined,
    outputSchema: isRecord(tool['outputSchema']) ? tool['outputSchema'] : undefined,
    isReadOnly: isReadOnlyListing(tool),
  };
}

function describeServer(
  { name, status, error, info, runsHere }: KnownServer,
  tools: readonly ToolEntry[],
): ServerEntry {
  const serverInfo = isRecord(info['serverInfo']) ? info['serverInfo'] : {};
  return {
    name,
    status,
    error,
    version: asString(serverInfo['version']),
    instructions: asString(info['instructions']),
    runsHere,
    tools: tools.filter(({ server }) => server === name),
  };
}
