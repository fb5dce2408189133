// Advice about errors of loading parts of the package on first use.
import type { Advice } from './advice.js';

const UNLESS_REMEMBERED = 'the message does not say that the runtime remembers the failure';

export const LOAD_ADVICE: Advice<'PartLoadError'> = {
  PartLoadError: {
    PART_MISSING: {
      when: 'A file of the package is gone that was not loaded yet, for instance because the package was upgraded or removed under the running program.',
      advice: 'Restart the program. If it still happens, install the package again.',
      retryable: UNLESS_REMEMBERED,
    },
    PART_UNREADABLE: {
      when: 'A file of the package exists but cannot be read or run; `cause` says why.',
      advice: 'Check the permissions of the file, or install the package again, and restart the program.',
      retryable: UNLESS_REMEMBERED,
    },
    TOO_MANY_OPEN_FILES: {
      when: 'A part of the package, or a package it uses, was first needed while the process, or the system, had no file descriptor left.',
      advice:
        'Close files or connections, or raise the limit (`ulimit -n`). The next call works once some are free.',
      retryable: UNLESS_REMEMBERED,
    },
  },
};
