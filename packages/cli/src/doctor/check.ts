// The result of one check of the doctor.

/**
 * `note`: it works, but the user should know something about it. `skipped`: it could not be checked, because an earlier
 * check failed.
 */
export type CheckStatus = 'ok' | 'note' | 'failed' | 'skipped';

/** One optional package, as the doctor lists it. */
export interface OptionalPackage {
  name: string;
  /** The version that is installed; null for none. */
  version: string | null;
  /** The versions that are known to work. */
  range: string;
  /** What needs the package. */
  use: string;
}

/** A finding; `advice` says what to do about it. */
export interface Check {
  id: string;
  title: string;
  status: CheckStatus;
  detail: string;
  /** The optional packages, for the check that lists them. */
  packages?: readonly OptionalPackage[];
  advice?: string;
}

/** The result of a check that could not be made. */
export function skipCheck(id: string, title: string, why: string): Check {
  return { id, title, status: 'skipped', detail: why };
}
