// What becomes of a transcript that only a temporary folder has, because the session store did not take all of it.
import { SessionStoreError } from '../errors.js';
import type { InboardWarning } from '../options/check/warning.js';
import type { PrivateConfig } from '../record/history/store/private-config.js';

const NOT_TAKEN = 'The session store did not take the whole transcript (see the messages mirror_error), ';

/** Keeps the transcript and says where, or that there is none to keep; never rejects. */
export async function keepTranscript(
  config: PrivateConfig,
  warn: (warning: InboardWarning) => void,
): Promise<void> {
  const tell = (code: 'TRANSCRIPT_KEPT' | 'TRANSCRIPT_LOST', end: string, cause?: unknown): void => {
    const message = NOT_TAKEN + end;
    const error = new SessionStoreError('append', message, { cause });
    warn({ code, message, options: ['sessionStore'], error });
  };
  try {
    const kept = await config.keep();
    if (kept === undefined)
      tell(
        'TRANSCRIPT_LOST',
        "and the CLI's own is not on this machine: the CLI ran elsewhere, where its folder is deleted with the session. What the store did not take is lost.",
      );
    else
      tell(
        'TRANSCRIPT_KEPT',
        `so the CLI's own is kept in ${kept}. To store it, set CLAUDE_CONFIG_DIR to this folder and call importSessionToStore(). Then delete it.`,
      );
  } catch (error) {
    tell(
      'TRANSCRIPT_KEPT',
      `and the CLI's own could not be moved: it is in ${config.configDir}, and is deleted when the next process starts a CLI after this one has ended.`,
      error,
    );
  }
}
