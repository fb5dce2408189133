// Opens the records of a session's calls, and makes the recorder that writes them.
import { buildEnvironment } from '../../../options/launch/environment.js';
import { chooseProjectKey } from '../../../options/elsewhere.js';
import type { Options } from '../../../options/options.js';
import type { WarningReporter } from '../../../options/check/warning-reporter.js';
import { findCallRecords, type FoundCallRecords } from '../../../record/history/store/find-call-records.js';
import { nameThisProcess } from '../../../wire/process/process-name.js';
import type { IdentifyCall } from '../../../wire/protocol/call-identity.js';
import type { CallClaim, CallRecords } from '../../../wire/protocol/config/call-records.js';
import type { OpenWaits } from './open-waits.js';
import { RecordedCalls } from './recorded-calls.js';

/** The records of one session. */
export interface OpenedRecords {
  readonly sessionId: string;
  readonly records: CallRecords;
  /** Undefined where the program that keeps the records also writes them. */
  readonly recorder: RecordedCalls | undefined;
  /** The name of this process in facts. */
  readonly owner: string;
  close(): Promise<void>;
}

export interface OpenRecordsInput {
  sessionId: string;
  options: Options;
  warnings: WarningReporter;
  identify: IdentifyCall;
  /** Is told what each open call does. */
  waits?: OpenWaits | undefined;
}

/** Undefined where there is no place for records, such as a folder or a store. */
export async function openRecords(input: OpenRecordsInput): Promise<OpenedRecords | undefined> {
  const { sessionId, options, warnings, identify, waits } = input;
  const { sessionStore, cwd, persistSession, transport, spawnClaudeCodeProcess, resume } = options;
  const found = await findCallRecords({
    sessionId,
    sessionStore,
    projectKey: chooseProjectKey(options),
    dir: cwd,
    env: buildEnvironment({ options, hostEnv: process.env }),
    persistSession,
    isResumed: resume !== undefined,
    hasFiles: transport === undefined && spawnClaudeCodeProcess === undefined,
  });
  if (!found) return undefined;
  const { records, isOnlyHere } = found;
  const close = async (): Promise<void> => await found.close();
  const owner = nameThisProcess();
  if (records.readOnly === true) return { sessionId, records, recorder: undefined, owner, close };
  if (isOnlyHere) warnings.emit(ONLY_HERE);
  let hasFailed = false;
  const onFailure = (cause: unknown): void => {
    if (hasFailed) return;
    hasFailed = true;
    const message =
      'A call could not be recorded. In this turn, calls that must not run twice are refused; what is cut off has an unknown outcome';
    warnings.report(new Error(message, { cause }));
  };
  let turns = 0;
  const onCovered = (): void => {
    hasFailed = false;
    if (turns % TURNS_BETWEEN_LOOKS === 0) void keepShort(found, owner).catch(onFailure);
    turns += 1;
  };
  const recorder = new RecordedCalls({
    records,
    owner,
    identify,
    onFailure,
    onCovered,
    waits,
    isResumed: resume !== undefined,
  });
  return { sessionId, records, recorder, owner, close };
}

/** The length of the records is checked with the first turn of a process, and then after this many turns. */
const TURNS_BETWEEN_LOOKS = 64;
const CLAIM_MS = 30_000;

/** Shortens records that are long. Only calls of the last turn are ever completed, so those of earlier turns are left out. */
async function keepShort({ records, compact }: FoundCallRecords, owner: string): Promise<void> {
  let held: CallClaim | undefined;
  // The claim is taken only where there is something to shorten.
  const claim: CallClaim = {
    renew: async () => {
      if (held) return await held.renew();
      const answer = await records.claim({ owner, ttlMs: CLAIM_MS });
      if ('release' in answer) held = answer;
      return held !== undefined;
    },
    release: async () => await held?.release(),
  };
  try {
    await compact?.({ claim, isDelivered: () => true });
  } finally {
    await claim.release();
  }
}

const ONLY_HERE = {
  code: 'CALL_RECORDS_ONLY_HERE',
  message:
    'The session store has no method "calls", so what happens to the calls of tools is recorded on this machine alone. ' +
    'A session that goes on elsewhere cannot complete calls that were cut off here.',
} as const;
