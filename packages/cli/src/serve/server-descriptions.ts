// Presents the servers of a file as one server, whose name, capabilities and instructions are combined from theirs.
import { CommandError } from '../terminal/usage-error.js';

/** The answers of the servers to `initialize`, by server. */
export type ServerDescriptions = Readonly<Record<string, Record<string, unknown>>>;

const OFFERS = {
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
} as const;

/** The description of all servers as one server. */
export function introduce(
  name: string,
  descriptions: ServerDescriptions,
): { info: object; capabilities: Record<string, object>; instructions: string } {
  const described = Object.values(descriptions);
  const info = described[0]?.['serverInfo'] as { version?: string } | undefined;
  const offered = Object.entries(OFFERS).filter(([offer]) => namesWith(descriptions, offer).length > 0);
  return {
    info: { name, version: info?.version ?? '1.0.0' },
    capabilities: { tools: { listChanged: true }, logging: {}, ...Object.fromEntries(offered) },
    instructions: described
      .map(({ instructions }) => instructions)
      .filter((text) => typeof text === 'string')
      .join('\n\n'),
  };
}

/** The servers that have a capability. */
export function namesWith(descriptions: ServerDescriptions, capability: string): string[] {
  return Object.keys(descriptions).filter((name) =>
    Object.hasOwn(descriptions[name]?.['capabilities'] ?? {}, capability),
  );
}

/**
 * Throws a CommandError if two servers have a tool or a prompt of the same name, because clients could not tell them
 * apart.
 */
export function checkNames(
  kind: 'tool' | 'prompt',
  entries: readonly { server: string; listing: { name: string } }[],
): void {
  const owners = new Map<string, string>();
  for (const { server, listing } of entries) {
    const owner = owners.get(listing.name);
    if (owner !== undefined) {
      throw new CommandError(
        `DUPLICATE_${kind === 'tool' ? 'TOOL' : 'PROMPT'}`,
        `The servers "${owner}" and "${server}" both have a ${kind} "${listing.name}", so a host would see two with the same name. Serve them from two files.`,
      );
    }
    owners.set(listing.name, server);
  }
}
