// What can go wrong with a briefing: a code for programs, and an exit code for shells.
import { z } from 'zod';

export const EXIT_CODES = {
  USAGE: 2,
  PATIENT_INVALID: 3,
  INDEX_BROKEN: 4,
  NO_BRIEFING: 5,
  REFUSED: 6,
  MODEL_ERROR: 7,
  MAX_TURNS: 8,
  CANCELLED: 130,
} as const;

/** Its message ends with what the cause says. */
export class BriefingError extends Error {
  readonly code: keyof typeof EXIT_CODES;
  constructor(code: keyof typeof EXIT_CODES, text: string, cause?: unknown) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : cause;
    super([text, reason instanceof Error ? reason.message : reason].filter(Boolean).join(' '), { cause });
    this.code = code;
  }
}
