// Opens the records of a session's calls, and what writes them.
import { join } from 'node:path';
import { buildEnvironment } from '../../../options/launch/environment.js';
import { chooseProjectKey } from '../../../options/elsewhere.js';
import type { Options } from '../../../options/options.js';
import type { WarningReporter } from '../../../options/check/warning-reporter.js';
import { createFileCallRecords } from '../../../record/calls/file/file-call-records.js';
import { findProjectsFolder } from '../../../record/history/folders/project-folders.js';
import { findProjectKey } from '../../../record/history/store/stored-entries.js';
import { nameThisProcess } from '../../../wire/process/process-name.js';
import type { IdentifyCall } from '../../../wire/protocol/call-identity.js';
import type { CallRecords } from '../../../wire/protocol/config/call-records.js';
import { RecordedCalls } from './recorded-calls.js';

/** The records of one session. */
export interface OpenedRecords {
  readonly sessionId: string;
  readonly records: CallRecords;
  /** Undefined where whoever keeps the records notes calls by itself. */
  readonly recorder: RecordedCalls | undefined;
  /** This process, as facts name it. */
  readonly owner: string;
}

export interface OpenRecordsInput {
  sessionId: string;
  options: Options;
  warnings: WarningReporter;
  identify: IdentifyCall;
}

/** Undefined where there is no place for records. */
export async function openRecords(input: OpenRecordsInput): Promise<OpenedRecords | undefined> {
  const { sessionId, options, warnings, identify } = input;
  const records = await findRecords(sessionId, options);
  const owner = nameThisProcess();
  if (records.readOnly === true) return { sessionId, records, recorder: undefined, owner };
  let hasFailed = false;
  const onFailure = (cause: unknown): void => {
    if (hasFailed) return;
    hasFailed = true;
    const message = 'A call could not be recorded; should it be cut off, its outcome is unknown';
    warnings.report(new Error(message, { cause }));
  };
  return { sessionId, records, owner, recorder: new RecordedCalls({ records, owner, identify, onFailure }) };
}

async function findRecords(sessionId: string, options: Options): Promise<CallRecords> {
  const { sessionStore, cwd } = options;
  const kept = sessionStore?.calls?.({
    projectKey: chooseProjectKey(options) ?? (await findProjectKey(cwd)),
    sessionId,
  });
  if (kept) return kept;
  const projects = findProjectsFolder(buildEnvironment({ options, hostEnv: process.env }));
  return createFileCallRecords({ folder: join(projects, await findProjectKey(cwd), sessionId) });
}
