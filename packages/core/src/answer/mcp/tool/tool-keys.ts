// The keys that a tool may have, and the warning about a key without effect.
import { findNearestName } from '../../../util/nearest-name.js';
import { warnOnce } from '../../../util/warn-once.js';
import type { PlainTool } from './tool-definition.js';

const KEYS: Record<keyof Required<PlainTool>, true> = {
  name: true,
  description: true,
  inputSchema: true,
  outputSchema: true,
  run: true,
  handler: true,
  title: true,
  annotations: true,
  readOnly: true,
  parallel: true,
  alwaysLoad: true,
  searchHint: true,
  waits: true,
  detached: true,
  onRepeat: true,
  timeoutMs: true,
  concurrency: true,
  maxResultChars: true,
  retries: true,
  _meta: true,
};

/**
 * Emits a process warning for each unknown key of a tool. Keys that begin with `__` are private marks of wrappers, and are
 * accepted. With `onlyTypos`, only keys that resemble a known one are reported, because plain objects may hold other state.
 */
export function warnOfUnknownKeys(tool: PlainTool, { onlyTypos = false } = {}): void {
  for (const key of Object.keys(tool)) {
    if (Object.hasOwn(KEYS, key) || key.startsWith('__')) continue;
    const nearest = findNearestName(key, Object.keys(KEYS));
    if (nearest === undefined && onlyTypos) continue;
    const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
    warnOnce(
      `The tool "${tool.name}" has the unknown key "${key}", which has no effect.${meant}`,
      'INBOARD_TOOL_UNKNOWN_KEY',
    );
  }
}
