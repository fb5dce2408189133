// The table of options: one row each, in the order and the groups of the type `Options`. All code that checks, adapts
// or writes options reads it.
import { isGiven } from '../../util/guards.js';
import type { Options } from '../options.js';
import { MCP_AND_HOOKS } from './mcp-and-hooks.js';
import type { OptionRow, OptionRows } from './option-row.js';
import { OUTPUT } from './output.js';
import { OWN } from './own.js';
import { PROCESS } from './process.js';
import { PROMPT_AND_MODEL } from './prompt-and-model.js';
import { SESSIONS } from './sessions.js';
import { SETTINGS } from './settings.js';
import { TOOLS_AND_PERMISSIONS } from './tools-and-permissions.js';

/** The rows by option name. */
export const OPTION_ROWS = {
  ...PROMPT_AND_MODEL,
  ...TOOLS_AND_PERMISSIONS,
  ...MCP_AND_HOOKS,
  ...SESSIONS,
  ...PROCESS,
  ...OUTPUT,
  ...SETTINGS,
  ...OWN,
} satisfies OptionRows;

/** The names of all options, in the order of their rows. */
export const OPTION_NAMES = Object.keys(OPTION_ROWS) as ReadonlyArray<keyof Options>;

/** An option that was given, with its row. */
export interface GivenOption {
  name: keyof Options;
  value: unknown;
  row: OptionRow<unknown>;
}

/** The row of an option; undefined for an unknown name. */
export function findOptionRow(name: string): OptionRow<unknown> | undefined {
  return Object.hasOwn(OPTION_ROWS, name) ? OPTION_ROWS[name as keyof Options] : undefined;
}

const PLACES: ReadonlyMap<string, number> = new Map(OPTION_NAMES.map((name, place) => [name, place]));

/**
 * The given options, in the order of their rows. It goes through the given options and not through all rows, because it
 * is called often and most queries have few options.
 */
export function listGiven(options: Options): GivenOption[] {
  const given: Array<GivenOption & { place: number }> = [];
  for (const key of Object.keys(options)) {
    const place = PLACES.get(key);
    const name = key as keyof Options;
    const value = options[name];
    if (place === undefined || !isGiven(value)) continue;
    given.push({ name, value, row: OPTION_ROWS[name], place });
  }
  return given.length > 1 ? given.sort((one, other) => one.place - other.place) : given;
}

/** The options that were given, with loosely written values corrected. `null` counts as not given. */
export function pickGiven(options: Options): Options {
  return Object.fromEntries(
    Object.entries(options)
      .filter(([, value]) => isGiven(value))
      .map(([name, value]) => [name, readLoosely(name, value)] as const)
      .filter(([, value]) => isGiven(value)),
  );
}

function readLoosely(name: string, value: unknown): unknown {
  const shape = findOptionRow(name)?.shape;
  return shape?.read ? shape.read(value) : value;
}
