// Which control requests the oldest CLIs answer. Up to 2.1.43 they drop those they do not know without a word,
// and whoever asked would wait for ever and hold the input open; newer ones refuse them by themselves.
import { ControlRequestError } from '../errors.js';
import { compareVersions } from '../process/cli-version.js';

/** 2.1.39 was seen to be silent, 2.1.44 to refuse; there is none between that was tried. */
const SILENT_VERSION = '2.1.43';

const ANSWERED_THERE: ReadonlySet<string> = new Set([
  'initialize',
  'interrupt',
  'mcp_message',
  'mcp_reconnect',
  'mcp_set_servers',
  'mcp_status',
  'mcp_toggle',
  'rewind_files',
  'set_max_thinking_tokens',
  'set_model',
  'set_permission_mode',
]);

/** Throws what a newer CLI would answer, where the CLI at hand would answer nothing. */
export function checkControl(subtype: string, version: string | undefined): void {
  if (version === undefined || compareVersions(version, SILENT_VERSION) > 0) return;
  if (ANSWERED_THERE.has(subtype)) return;
  throw new ControlRequestError(
    subtype,
    `Claude CLI ${version} does not know the control request "${subtype}". Update the CLI.`,
    'unsupported_request',
  );
}
