// Merges one layer of settings over another: objects key by key, lists as a union, all other values by replacement.
import { isRecord } from '../../util/guards.js';
import type { Settings } from '../../wire/protocol/config/settings.js';

/** Settings whose lists are not joined. Only the upper layer's list counts. */
const REPLACED = new Set(['fallbackModel']);

/** Merges `upper` over `lower` into a new object. `replaced` names further settings whose lists are not joined. */
export function mergeSettings(
  lower: Settings,
  upper: Settings,
  replaced: ReadonlySet<string> = new Set(),
): Settings {
  const merged: Settings = { ...lower };
  for (const [key, value] of Object.entries(upper)) {
    const isReplaced = REPLACED.has(key) || replaced.has(key);
    merged[key] = isReplaced ? value : mergeValue(merged[key], value);
  }
  return merged;
}

/**
 * Fills the gaps of `stronger` with values of `weaker`, in a new object. Lists are joined, with the entries of `stronger`
 * first. For the settings in `kept`, the value of `stronger` stays as it is.
 */
export function fillSettings(
  stronger: Settings,
  weaker: Settings,
  kept: ReadonlySet<string> = new Set(),
): Settings {
  const filled: Settings = { ...stronger };
  for (const [key, value] of Object.entries(weaker)) {
    const isSet = Object.hasOwn(stronger, key);
    if (!isSet) filled[key] = value;
    else if (!kept.has(key)) filled[key] = fillValue(stronger[key], value);
  }
  return filled;
}

function fillValue(stronger: unknown, weaker: unknown): unknown {
  if (Array.isArray(stronger) && Array.isArray(weaker)) return mergeValue(stronger, weaker);
  return isRecord(stronger) && isRecord(weaker) ? fillSettings(stronger, weaker) : stronger;
}

function mergeValue(lower: unknown, upper: unknown): unknown {
  // Equal strings become one entry. Equal objects stay apart, because two equal hooks are two hooks.
  if (Array.isArray(lower) && Array.isArray(upper)) return [...new Set<unknown>([...lower, ...upper])];
  if (!isRecord(lower) || !isRecord(upper)) return upper;
  const merged: Record<string, unknown> = { ...lower };
  for (const [key, value] of Object.entries(upper)) merged[key] = mergeValue(merged[key], value);
  return merged;
}
