// One thing the doctor looks at, and what it found.

/** `note` works, and not fully or not for ever; `skipped` could not be looked at because of a failure before. */
export type CheckStatus = 'ok' | 'note' | 'failed' | 'skipped';

/** A finding; `advice` says what to do about it. */
export interface Check {
  id: string;
  title: string;
  status: CheckStatus;
  detail: string;
  advice?: string;
}

/** The result of a check that could not be made. */
export function skipCheck(id: string, title: string, why: string): Check {
  return { id, title, status: 'skipped', detail: why };
}
