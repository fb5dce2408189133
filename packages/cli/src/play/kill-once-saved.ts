// Kills a CLI on purpose, at a moment from which its conversation can go on: when it has saved the call that runs.
import { setTimeout as sleep } from 'node:timers/promises';
import { getTranscriptState } from '@inboard/core/record/history/sessions/transcript-state.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';

/** A CLI saves a call about a tenth of a second after the model made it. */
const LOOK_EVERY_MS = 20;
const MOST_LOOKS = 250;

/** Where the transcript is. */
interface TranscriptPlace {
  env: Record<string, string | undefined> | undefined;
  dir: string | undefined;
}

/** Kills the CLI of a session. If the call is not saved within five seconds, kills it all the same. */
export async function killOnceSaved({ sessionId, pid }: Session, place: TranscriptPlace): Promise<void> {
  if (pid === undefined || sessionId === undefined) return;
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const state = await getTranscriptState(sessionId, place);
    if (state.state === 'interrupted' && state.openCalls.length > 0) break;
    await sleep(LOOK_EVERY_MS);
  }
  process.kill(pid, 'SIGKILL');
}
