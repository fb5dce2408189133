// Tells from the first message of a turn whether the CLI keeps tools back until the model searches for them.
import { compareVersions } from '../../wire/process/find/compare-versions.js';
import type { WireObject } from '../../wire/protocol/codec.js';

/**
 * The first version that knows `alwaysLoad`. Older versions (2.1.33, 2.1.47) always list the tool `ToolSearch`, and the
 * size of the tools decides whether they are kept back.
 */
const TELLS_SINCE = '2.1.121';

/** Whether a `system/init` message shows that the CLI keeps tools back. */
export function keepsToolsBack(init: WireObject): boolean {
  const { tools, capabilities, claude_code_version: version } = init;
  if (!Array.isArray(tools) || !tools.includes('ToolSearch')) return false;
  // Version 2.1.197 keeps tools back without naming capabilities, so the version counts as well.
  return (
    Array.isArray(capabilities) || (typeof version === 'string' && compareVersions(version, TELLS_SINCE) >= 0)
  );
}
