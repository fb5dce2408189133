// Decides which CLI version knows which control request, and words the refusals with the version that is needed. Up
// to 2.1.43 a CLI may silently drop a request it does not know. Without a refusal here, the caller would wait in vain
// and hold the input open.
import { ControlRequestError } from '../../errors.js';
import type { ControlRow } from './control-row.js';
import { compareVersions } from '../../wire/process/find/compare-versions.js';
import { CONTROLS, OLDEST, SINCE_WITHOUT_METHOD, UNLISTED_CONTROLS } from './control-table.js';

/** The last version that may be silent. Version 2.1.39 was silent and 2.1.44 refused. No version between them was tried. */
const SILENT_VERSION = '2.1.43';
/** The oldest version that survives being told that a request was withdrawn. Older versions exit. */
const WITHDRAWAL_SINCE = '2.1.47';
/** The oldest version that answers a second handshake. Older ones say "Already initialized". */
const REINITIALIZE_SINCE = '2.1.161';

let sinceBySubtype: Map<string, string | undefined> | undefined;
let quickSubtypes: Set<string> | undefined;
let longSubtypes: Set<string> | undefined;

/** Throws the error that a newer CLI would answer with, if this CLI would stay silent. */
export function checkControl(subtype: string, version: string | undefined): void {
  if (version === undefined || compareVersions(version, SILENT_VERSION) > 0) return;
  if (isKnownToAll(subtype)) return;
  throw refuseControl(subtype, version);
}

/** Whether every supported CLI knows the request. */
export function isKnownToAll(subtype: string): boolean {
  return sinceOf(subtype) === OLDEST;
}

/** Whether a CLI of that version knows the request. An unknown version counts as the newest. */
export function knowsControl(subtype: string, version: string | undefined): boolean {
  const since = sinceOf(subtype);
  return since !== undefined && (version === undefined || compareVersions(version, since) >= 0);
}

/** Whether the answer to a request may wait for a person, a model, a tool or the network. True for an unknown request. */
export function takesLong(subtype: string): boolean {
  quickSubtypes ??= subtypesOf((row) => !row.takesLong);
  return !quickSubtypes.has(subtype);
}

/** Like `takesLong`, but false for a request that is not in the table. */
export function isKnownToTakeLong(subtype: string): boolean {
  longSubtypes ??= subtypesOf((row) => row.takesLong === true);
  return longSubtypes.has(subtype);
}

function subtypesOf(fits: (row: ControlRow) => boolean): Set<string> {
  const rows: ControlRow[] = [...Object.values(CONTROLS), ...Object.values(UNLISTED_CONTROLS)];
  return new Set(rows.flatMap((row) => (row.subtype !== undefined && fits(row) ? [row.subtype] : [])));
}

/** Whether the CLI can be told that a request was withdrawn. */
export function takesWithdrawal(version: string | undefined): boolean {
  return version === undefined || compareVersions(version, WITHDRAWAL_SINCE) >= 0;
}

/** Whether a refusal means that the CLI does not know the request at all. */
export function isUnknownControl(error: ControlRequestError): boolean {
  return error.errorCode === 'unsupported_request' || error.message.startsWith('Unsupported control request');
}

/** Returns the CLI's error. If the CLI is too old for the request, the error names the version that is needed. */
export function explainRefusal(error: unknown, version: string | undefined): unknown {
  if (!(error instanceof ControlRequestError)) return error;
  if (error.subtype === 'initialize' && error.message.startsWith('Already initialized')) {
    return new ControlRequestError(
      'initialize',
      `${nameCli(version)} does not accept a second handshake. Use version ${REINITIALIZE_SINCE} or newer.`,
      'already_initialized',
      REINITIALIZE_SINCE,
    );
  }
  return isUnknownControl(error) && error.versionNeeded === undefined
    ? refuseControl(error.subtype, version)
    : error;
}

/** The error for an option that the CLI would drop silently. */
export function refuseField(
  { subtype, field, capability }: { subtype: string; field: string; capability: string },
  version: string | undefined,
): ControlRequestError {
  return new ControlRequestError(
    subtype,
    `${nameCli(version)} does not report that it supports "${field}" (capability ${capability}). Update the CLI or leave it out.`,
    'unsupported_field',
  );
}

function refuseControl(subtype: string, version: string | undefined): ControlRequestError {
  const since = sinceOf(subtype);
  const isTooOld = since !== undefined && !knowsControl(subtype, version);
  return new ControlRequestError(
    subtype,
    `${nameCli(version)} does not know the control request "${subtype}". ` +
      (isTooOld ? `Use version ${since} or newer.` : 'A newer one may.'),
    'unsupported_request',
    isTooOld ? since : undefined,
  );
}

function nameCli(version: string | undefined): string {
  return version === undefined ? 'The CLI' : `Claude CLI ${version}`;
}

function sinceOf(subtype: string): string | undefined {
  sinceBySubtype ??= new Map([
    ...Object.entries(SINCE_WITHOUT_METHOD),
    ...Object.values(CONTROLS).flatMap((row) => ('since' in row ? [[row.subtype, row.since] as const] : [])),
  ]);
  return sinceBySubtype.get(subtype);
}
