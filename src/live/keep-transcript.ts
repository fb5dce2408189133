// What becomes of a transcript that only a temporary folder has, because the session store did not take all of it.
import { SessionStoreError } from '../errors.js';
import type { InboardWarning } from '../options/check/warning.js';
import type { PrivateConfig } from '../record/history/store/private-config.js';

/** Keeps the transcript and says where; never rejects. */
export async function keepTranscript(
  config: PrivateConfig,
  warn: (warning: InboardWarning) => void,
): Promise<void> {
  const lost = 'The session store did not take the whole transcript (see the messages mirror_error), ';
  let message: string;
  let cause: unknown;
  try {
    message = `${lost}so the CLI's own is kept in ${await config.keep()}. To store it, set CLAUDE_CONFIG_DIR to this folder and call importSessionToStore(). Then delete it.`;
  } catch (error) {
    cause = error;
    message = `${lost}and the CLI's own could not be kept: it is in ${config.configDir} until the next process removes it.`;
  }
  const error = new SessionStoreError('append', message, { cause });
  warn({ code: 'TRANSCRIPT_KEPT', message, options: ['sessionStore'], error });
}
