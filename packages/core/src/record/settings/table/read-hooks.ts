// Reads the `hooks` of a settings file. A hook that cannot be used is ignored, except on the events that guard tool
// calls. There a missing hook would let calls pass, so the whole file is refused.
import { isRecord } from '../../../util/guards.js';
import { HOOK_EVENTS } from '../../../wire/protocol/hooks/hook-events.js';
import { BAD, type Note, type Reader } from './setting-readers.js';

const EVENTS: ReadonlySet<string> = new Set(HOOK_EVENTS);
const GUARDS: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest']);

/** The fields that a hook of each type must have. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  command: ['command'],
  prompt: ['prompt'],
  agent: ['prompt'],
  http: ['url'],
  mcp_tool: ['server', 'tool'],
};

/** Reads hooks by event; `undefined` when none can be used. */
export const readHooks: Reader = (value, note) => {
  if (!isRecord(value)) {
    note('', 'is not an object');
    return undefined;
  }
  const result: Record<string, unknown> = {};
  for (const [event, matchers] of Object.entries(value)) {
    const noteEvent: Note = (part, why) => note(`.${event}${part}`, why);
    if (!EVENTS.has(event)) noteEvent('', 'is not a hook event');
    else if (GUARDS.has(event)) {
      if (!Array.isArray(matchers) || !matchers.every(isWholeMatcher)) {
        noteEvent('', 'guards tool calls and has a hook that cannot be used');
        return BAD;
      }
      result[event] = matchers;
    } else if (!Array.isArray(matchers)) noteEvent('', 'is not a list');
    else result[event] = keepUsable(matchers, noteEvent);
  }
  return Object.keys(value).length > 0 && Object.keys(result).length === 0 ? undefined : result;
};

function keepUsable(matchers: readonly unknown[], note: Note): unknown[] {
  return matchers.flatMap((matcher, index) => {
    if (!isMatcher(matcher)) {
      note(`[${index}]`, 'is not a matcher with hooks');
      return [];
    }
    const hooks = matcher.hooks.filter(isHook);
    if (hooks.length < matcher.hooks.length) note(`[${index}].hooks`, 'has a hook that cannot be used');
    return [{ ...matcher, hooks }];
  });
}

function isMatcher(value: unknown): value is { hooks: unknown[] } {
  if (!isRecord(value) || !Array.isArray(value['hooks'])) return false;
  return value['matcher'] === undefined || typeof value['matcher'] === 'string';
}

function isWholeMatcher(value: unknown): boolean {
  return isMatcher(value) && value.hooks.every(isHook);
}

function isHook(value: unknown): boolean {
  if (!isRecord(value) || typeof value['type'] !== 'string') return false;
  const { type, timeout } = value;
  if (!Object.hasOwn(NEEDED, type)) return false;
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) return false;
  if (type === 'http' && !(typeof value['url'] === 'string' && URL.canParse(value['url']))) return false;
  if (['async', 'asyncRewake', 'once'].some((flag) => isOtherThanFlag(value[flag]))) return false;
  return NEEDED[type]?.every((field) => typeof value[field] === 'string') ?? false;
}

function isOtherThanFlag(value: unknown): boolean {
  return value !== undefined && typeof value !== 'boolean';
}
