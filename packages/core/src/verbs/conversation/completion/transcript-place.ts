// Finds the transcript of a session that was cut off, on this disk or in a store. Lists the calls that have no true result,
// with their keys, and writes their results.
import { dirname, join } from 'node:path';
import { INTERRUPTED_NOTE, showDenial, STOPPED_NOTE } from '../../../calls/result/show-failure.js';
import { showToModel } from '../../../calls/result/show-to-model.js';
import { toToolResultBlock, type ShownResult } from '../../../calls/result/shown-result.js';
import {
  appendCompletion,
  readForCompletion,
  type TranscriptTarget,
} from '../../../calls/transcript/append-completion.js';
import { createLoneStop, createStopEntry } from '../../../calls/transcript/stop-entry.js';
import { readLastTurnOfLine } from '../../../calls/transcript/open-calls.js';
import { planCompletion } from '../../../calls/transcript/plan-completion.js';
import { TranscriptIndex } from '../../../calls/transcript/transcript-index.js';
import { CallLedger } from '../../../live/tooling/call-ledger.js';
import { nameTurn } from '../../../live/tooling/call-key.js';
import { chooseProjectKey } from '../../../options/elsewhere.js';
import { buildEnvironment } from '../../../options/launch/environment.js';
import type { Options } from '../../../options/options.js';
import { findCompanionFolder, findTranscript } from '../../../record/history/folders/transcript-location.js';
import { findStoreKey } from '../../../record/history/store/stored-entries.js';
import type { Entry } from '../../../record/history/transcript/transcript-lines.js';
import { LastTurnFinder } from '../../../record/history/transcript/transcript-state.js';
import { isRecord } from '../../../util/guards.js';
import type { CallIdentity } from '../../../wire/protocol/call-identity.js';
import type { KnownCalls } from '../../../record/calls/fold-facts.js';
import { clock } from '../../../util/system/clock.js';
import { disk } from '../../../util/system/disk.js';
import { awaitNoCli } from './await-no-cli.js';
import type { WrittenResult } from './completion.js';
import type { Patience } from './patience.js';
import type { CutCall, SettledCall } from './settle-call.js';
import type { ToolPlace } from './call-runner.js';

/** A result to write. */
export interface TranscriptResult extends Required<Pick<SettledCall, 'call' | 'told'>> {
  /** The tool and its server; undefined for a built-in tool of the CLI. */
  readonly tool: ToolPlace | undefined;
}

/** A transcript whose last turn was cut off. */
export interface CutTranscript {
  readonly calls: readonly (Omit<CutCall, 'isCovered'> & CallIdentity)[];
  /** The keys of all calls of the turn, including those that have results. */
  readonly keys: ReadonlySet<string>;
  /** The uuids of the user messages of the turn. */
  readonly messages: readonly string[];
  /** Writes results, or returns why it refused to. With `isStopped`, the turn is over afterwards. */
  write(
    results: readonly TranscriptResult[],
    options: { isStopped: boolean },
  ): Promise<{ written: readonly WrittenResult[] } | { refused: string }>;
}

/** Where the transcript of a session is. */
export interface TranscriptPlace {
  /** Waits until no other process writes to it. Returns the process that still does when the time is over. */
  free(known: KnownCalls, patience: Patience): ReturnType<typeof awaitNoCli>;
  /** Reads the transcript. Undefined where there is none, or where nothing in its last turn was cut off. */
  open(): Promise<CutTranscript | undefined>;
  /** Ends the last turn where it is, without results for its calls. Nothing is written if it is over already. */
  stop(): Promise<void>;
}

export interface TranscriptPlaceInput {
  readonly sessionId: string;
  readonly options: Options;
  /** The version of the CLI that will be started, if it is known. */
  readonly cliVersion: string | undefined;
}

/** A transcript that was read. */
interface ReadTranscript {
  readonly entries: Entry[];
  readonly target: TranscriptTarget;
  /** The CLI's folder for files that belong to results; undefined for a store. */
  readonly resultsFolder: string | undefined;
}

export function findTranscriptPlace(input: TranscriptPlaceInput): TranscriptPlace {
  const { sessionId, options } = input;
  return {
    free: async (known, patience) =>
      await awaitNoCli({
        sessionId,
        env: options.sessionStore ? undefined : buildEnvironment({ options, hostEnv: process.env }),
        store: options.sessionStore,
        known,
        patience,
      }),
    open: async () => {
      const transcript = await readTranscript(input);
      return transcript && openTranscript(input, transcript);
    },
    stop: async () => {
      const transcript = await readTranscript(input);
      if (transcript) await stopTurn(sessionId, transcript);
    },
  };
}

async function stopTurn(sessionId: string, { entries, target }: ReadTranscript): Promise<void> {
  const last = findLastTurn(entries);
  if (!last || last.stopped || last.text !== undefined) return;
  const index = new TranscriptIndex(entries);
  const given = { index, turn: last.uuid, sessionId, text: STOPPED_NOTE, now: clock.Date.now() };
  await appendCompletion(target, createLoneStop(given));
}

function findLastTurn(entries: readonly Entry[]): LastTurnFinder['turn'] {
  const finder = new LastTurnFinder();
  entries.findLast((entry) => finder.take(entry));
  return finder.turn;
}

async function readTranscript({
  sessionId,
  options,
}: TranscriptPlaceInput): Promise<ReadTranscript | undefined> {
  const { sessionStore, cwd } = options;
  if (sessionStore) {
    const key = await findStoreKey({ sessionId, dir: cwd, projectKey: chooseProjectKey(options) });
    const target = { store: sessionStore, key };
    return { entries: await readForCompletion(target), target, resultsFolder: undefined };
  }
  const env = buildEnvironment({ options, hostEnv: process.env });
  // A CLI can also resume a session of another project.
  const found =
    (await findTranscript(sessionId, cwd, env)) ?? (await findTranscript(sessionId, undefined, env));
  if (!found) return undefined;
  const target = { path: found.path };
  const resultsFolder = join(findCompanionFolder(found), 'tool-results');
  return { entries: await readForCompletion(target), target, resultsFolder };
}

function openTranscript(
  input: TranscriptPlaceInput,
  { entries, target, resultsFolder }: ReadTranscript,
): CutTranscript | undefined {
  const { sessionId, cliVersion, options } = input;
  const last = findLastTurn(entries);
  const index = new TranscriptIndex(entries);
  const { calls, stopped } = readLastTurnOfLine(index, cliVersion);
  // If the model has replied since, it went on without the result.
  const cut = calls.filter(({ state, hasReplyAfter }) => state !== 'ended' && !hasReplyAfter);
  if (!last || stopped || cut.length === 0) return undefined;
  const identities = CallLedger.identifyAll(sessionId, nameTurn(last), last.calls);
  const show = ({ call, told, tool }: TranscriptResult): ShownResult =>
    'denial' in told
      ? showDenial(told.denial, cliVersion)
      : showToModel(told.result, {
          server: tool?.server ?? '',
          tool: tool?.tool ?? call.toolName,
          toolUseId: call.toolUseId,
          maxResultSizeChars: readMaxSize(tool),
          cliVersion,
          resultsFolder,
          env: buildEnvironment({ options, hostEnv: process.env }),
        });
  let hasTried = false;
  return {
    calls: cut.map(({ toolUseId, toolName, input: given }) => ({
      toolUseId,
      toolName,
      input: isRecord(given) ? given : {},
      ...(identities.get(toolUseId) ?? { callKey: toolUseId, attempt: 1 }),
    })),
    keys: new Set([...identities.values()].map(({ callKey }) => callKey)),
    messages: [last.uuid, last.firstUuid],
    write: async (results, { isStopped }) => {
      // An attempt that failed may have written some of the entries.
      const isAgain = hasTried;
      hasTried = true;
      const shown = new Map(results.map((result) => [result.call.toolUseId, show(result)]));
      const given = { entries, index, sessionId, results: shown, cliVersion };
      const plan = planCompletion({ ...given, now: clock.Date.now() });
      if ('refused' in plan) return plan;
      for (const { files } of shown.values()) await writeFiles(files);
      await appendCompletion(target, plan.entries, { isAgain });
      if (isStopped)
        await appendCompletion(target, createStopEntry(plan.entries, INTERRUPTED_NOTE), { isAgain });
      const written = [...plan.written].flatMap(([toolUseId, { uuid }]) => {
        const result = shown.get(toolUseId);
        if (!result) return [];
        return [
          {
            toolUseId,
            uuid,
            block: toToolResultBlock(result, toolUseId),
            toolUseResult: result.toolUseResult,
          },
        ];
      });
      return { written };
    },
  };
}

function readMaxSize(tool: ToolPlace | undefined): unknown {
  return tool?.compiled?.list()._meta?.['anthropic/maxResultSizeChars'];
}

async function writeFiles(files: ShownResult['files']): Promise<void> {
  for (const { path, data } of files) {
    await disk.promises.mkdir(dirname(path), { recursive: true });
    await disk.promises.writeFile(path, data);
  }
}
