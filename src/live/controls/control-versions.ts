// Which CLI knows which control request, for refusals that say what is needed. Up to 2.1.43 a CLI drops requests
// it does not know without a word, and whoever asked would wait for ever and hold the input open.
import { ControlRequestError } from '../../errors.js';
import { compareVersions } from '../../wire/process/find/cli-version.js';
import type { ControlRequestSubtype } from '../../wire/protocol/control/control.js';

/** 2.1.39 was seen to be silent, 2.1.44 to refuse; there is none between that was tried. */
const SILENT_VERSION = '2.1.43';
/** The oldest version that was tried. */
const ALWAYS = '2.1.33';
/** The least version that does not end when it is told that a request was given up. */
const LEAST_WITHDRAWAL = '2.1.47';
/** The least version that answers a second handshake; older ones say "Already initialized". */
const LEAST_REINITIALIZE = '2.1.161';

/** The least version seen to know each request; undefined where none tried does. docs/discoveries/cli-versions.md says how it was found. */
const LEAST: Readonly<Record<ControlRequestSubtype, string | undefined>> = {
  initialize: ALWAYS,
  interrupt: ALWAYS,
  set_permission_mode: ALWAYS,
  set_model: ALWAYS,
  set_max_thinking_tokens: ALWAYS,
  mcp_status: ALWAYS,
  mcp_set_servers: ALWAYS,
  mcp_reconnect: ALWAYS,
  mcp_toggle: ALWAYS,
  set_mcp_permission_mode_override: '2.1.182',
  mcp_message: ALWAYS,
  mcp_call: '2.1.116',
  mcp_read_resource: '2.1.280',
  get_context_usage: '2.1.86',
  get_usage: '2.1.169',
  get_session_cost: '2.1.118',
  get_settings: '2.1.69',
  apply_flag_settings: '2.1.50',
  update_settings: '2.1.257',
  list_models: '2.1.198',
  list_permission_rules: '2.1.269',
  get_hooks_listing: '2.1.269',
  get_binary_version: '2.1.119',
  file_suggestions: '2.1.124',
  rewind_files: ALWAYS,
  cancel_async_message: '2.1.76',
  read_file: '2.1.116',
  seed_read_state: '2.1.83',
  register_repo_root: '2.1.166',
  reload_plugins: '2.1.85',
  reload_skills: '2.1.163',
  reload_output_styles: '2.1.261',
  stop_task: '2.1.44',
  background_tasks: '2.1.139',
  get_task_output: '2.1.287',
  rename_session: '2.1.149',
  claim_session: '2.1.281',
  set_color: undefined,
  set_has_subscribers: '2.1.319',
};

/** Throws what a newer CLI would answer, where the CLI at hand would answer nothing. */
export function checkControl(subtype: string, version: string | undefined): void {
  if (version === undefined || compareVersions(version, SILENT_VERSION) > 0) return;
  if (leastOf(subtype) === ALWAYS) return;
  throw refuseControl(subtype, version);
}

/** Whether a CLI of that version knows the request; one of unknown version is taken for the newest. */
export function knowsControl(subtype: string, version: string | undefined): boolean {
  const least = leastOf(subtype);
  return least !== undefined && (version === undefined || compareVersions(version, least) >= 0);
}

/** Whether the CLI can be told that a request was given up. */
export function takesWithdrawal(version: string | undefined): boolean {
  return version === undefined || compareVersions(version, LEAST_WITHDRAWAL) >= 0;
}

/** Whether a refusal means that the CLI does not know the request at all. */
export function isUnknownControl(error: ControlRequestError): boolean {
  return error.errorCode === 'unsupported_request' || error.message.startsWith('Unsupported control request');
}

/** A refusal of the CLI, with the version one needs where the CLI is too old for the request. */
export function explainRefusal(error: unknown, version: string | undefined): unknown {
  if (!(error instanceof ControlRequestError)) return error;
  if (error.subtype === 'initialize' && error.message.startsWith('Already initialized')) {
    return new ControlRequestError(
      'initialize',
      `${nameCli(version)} takes no second handshake. Use version ${LEAST_REINITIALIZE} or newer.`,
      'already_initialized',
      LEAST_REINITIALIZE,
    );
  }
  return isUnknownControl(error) && error.versionNeeded === undefined
    ? refuseControl(error.subtype, version)
    : error;
}

/** The refusal of a field that the CLI would drop without a word. */
export function refuseField(
  { subtype, field, capability }: { subtype: string; field: string; capability: string },
  version: string | undefined,
): ControlRequestError {
  return new ControlRequestError(
    subtype,
    `${nameCli(version)} does not say that it honours "${field}" (capability ${capability}). Update the CLI or leave it out.`,
    'unsupported_field',
  );
}

function refuseControl(subtype: string, version: string | undefined): ControlRequestError {
  const least = leastOf(subtype);
  const isTooOld = least !== undefined && !knowsControl(subtype, version);
  return new ControlRequestError(
    subtype,
    `${nameCli(version)} does not know the control request "${subtype}". ` +
      (isTooOld ? `Use version ${least} or newer.` : 'A newer one may.'),
    'unsupported_request',
    isTooOld ? least : undefined,
  );
}

function nameCli(version: string | undefined): string {
  return version === undefined ? 'The CLI' : `Claude CLI ${version}`;
}

function leastOf(subtype: string): string | undefined {
  return Object.hasOwn(LEAST, subtype) ? LEAST[subtype as ControlRequestSubtype] : undefined;
}
