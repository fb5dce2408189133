// The settings a session is started with, as the CLI's `--settings` takes them: JSON or a path, with the
// sandbox merged in.
import { isGiven, isRecord } from '../../util/guards.js';
import type { Options } from '../options.js';

/** The value of `--settings`; undefined when neither `settings` nor `sandbox` was given. */
export function buildFlagSettings({ settings, sandbox }: Options): string | undefined {
  if (!isGiven(sandbox))
    return typeof settings === 'string' || !settings ? settings : JSON.stringify(settings);
  const base = typeof settings === 'string' ? parseInlineSettings(settings) : (settings ?? {});
  const inherited = isRecord(base['sandbox']) ? base['sandbox'] : {};
  const merged: Record<string, unknown> = { ...inherited, ...sandbox };
  // A sandbox that was asked for and is not there must not go unnoticed.
  if (merged['enabled'] === true && merged['failIfUnavailable'] === undefined)
    merged['failIfUnavailable'] = true;
  return JSON.stringify({ ...base, sandbox: merged });
}

/** Whether the CLI is asked to refuse to run without a sandbox. */
export function demandsSandbox({ settings, sandbox }: Options): boolean {
  if (!isGiven(sandbox)) return false;
  const merged: unknown = JSON.parse(buildFlagSettings({ settings, sandbox }) ?? '{}');
  return isRecord(merged) && isRecord(merged['sandbox']) && merged['sandbox']['failIfUnavailable'] === true;
}

/** Settings given as JSON; throws when it is none, or no object. */
export function parseInlineSettings(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new TypeError('it is not an object');
  return value;
}
