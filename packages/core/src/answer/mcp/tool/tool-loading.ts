// Finds out who decides whether the model sees a tool from the start or only after a search. Tools written for this SDK
// are seen from the start by default. Tools that the official SDK would take unchanged are listed as it lists them.
import { isRecord } from '../../../util/guards.js';
import { isZod } from '../../schema/any-schema.js';
import type { ToolListing } from './compiled-tool.js';
import type { ToolLoading } from './defined-tool.js';
import type { PlainTool } from './tool-definition.js';

/** The key in a listing's `_meta` that keeps a tool out of the CLI's tool search. */
export const ALWAYS_LOAD = 'anthropic/alwaysLoad';

/** The key with which `markOwnForm` marks a tool. A copy made by spreading keeps this key, and JSON leaves it out. */
const OWN_FORM = Symbol('own form');

/** Marks a tool as written in a form that only this SDK has. */
export function markOwnForm<Tool extends object>(tool: Tool): Tool {
  return { ...tool, [OWN_FORM]: true };
}

/** Who decides about a tool. `stated` is the `alwaysLoad` of the tool or its server. */
export function findLoading(tool: PlainTool, stated: unknown): ToolLoading {
  if (stated !== undefined) return 'author';
  const isOwn = OWN_FORM in tool || tool.run !== undefined || !isOfficialSchema(tool.inputSchema);
  return isOwn ? 'sdk' : 'cli';
}

/** The listing of a tool that the model is to see from the start. */
export function loadAtOnce(listing: ToolListing): ToolListing {
  return { ...listing, _meta: { ...listing._meta, [ALWAYS_LOAD]: true } };
}

/** Whether the official SDK takes a schema: zod, a shape of zod fields, or nothing. */
function isOfficialSchema(schema: unknown): boolean {
  return schema === undefined || isZod(schema) || (isRecord(schema) && Object.values(schema).every(isZod));
}
