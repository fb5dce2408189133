// Tools that are `parallel` and not read-only. The CLI runs only calls of tools with `readOnlyHint` side by side, so the listing
// for the CLI has that hint. It also has a mark, by which readers of the wire know that the hint is not the author's.
import { isRecord } from '../../../util/guards.js';

/** The key in a listing's `_meta` that says: the tool is not read-only, its calls may only run side by side. */
const PARALLEL_MARK = 'inboard/parallel';

/** The listing of a tool for a CLI that is to run its calls side by side. */
export function markParallel<
  Listing extends { annotations?: object | undefined; _meta?: object | undefined },
>(listing: Listing): Listing {
  return {
    ...listing,
    annotations: { ...listing.annotations, readOnlyHint: true },
    _meta: { ...listing._meta, [PARALLEL_MARK]: true },
  };
}

/** Whether the author of a tool calls it read-only. `listing` is the tool as the wire shows it. */
export function isReadOnlyListing(listing: Readonly<Record<string, unknown>>): boolean {
  const { annotations, _meta: meta } = listing;
  const isMarked = isRecord(meta) && meta[PARALLEL_MARK] === true;
  return !isMarked && isRecord(annotations) && annotations['readOnlyHint'] === true;
}

/**
 * The CLI's answer to `mcp_status` without the hints that are not the author's. The CLI does not repeat the mark there, so
 * `isMarked` says which tools have it.
 */
export function correctStatus(status: unknown, isMarked: (server: string, tool: string) => boolean): unknown {
  if (!isRecord(status) || !Array.isArray(status['mcpServers'])) return status;
  const correctTool = (server: string, tool: unknown): unknown => {
    if (!isRecord(tool) || !isRecord(tool['annotations']) || !isMarked(server, String(tool['name'])))
      return tool;
    const { readOnly: _hint, ...annotations } = tool['annotations'];
    return { ...tool, annotations };
  };
  const correctServer = (server: unknown): unknown => {
    if (!isRecord(server) || !Array.isArray(server['tools'])) return server;
    const tools: unknown[] = server['tools'];
    return { ...server, tools: tools.map((tool) => correctTool(String(server['name']), tool)) };
  };
  return { ...status, mcpServers: (status['mcpServers'] as unknown[]).map(correctServer) };
}
