// Public functions that few programs call. Their implementations are loaded on first use. Reading past sessions and settings
// is a third of the package's code, and every program would have to load what the entry point imports. The parameters are
// written out for editors and the API reference. The compiler compares them with those of the implementations.
import type { ApprovalStore } from '@inboard/core/answer/permissions/approvals/approval.js';
import {
  checkStoreArguments,
  type FileApprovalStoreOptions,
} from '@inboard/core/answer/permissions/approvals/file-store-options.js';
import {
  IS_REMOVED,
  isRemoved,
  type RemovalStore,
} from '@inboard/core/answer/permissions/approvals/removed-question.js';
import type { AnySchema } from '@inboard/core/answer/schema/infer.js';
import type { SessionChoice } from '@inboard/core/lifetime/choose-sessions.js';
import type {
  DeletedSessionData,
  DeleteSessionDataOptions,
  FindSessionDataOptions,
  SessionData,
} from '@inboard/core/lifetime/session-data.js';
import type { OutputOf } from '@inboard/core/live/output/structured-output.js';
import { checkCallsFolder } from '@inboard/core/record/calls/check-options.js';
import { copyFact } from '@inboard/core/record/calls/plain-fact.js';
import type {
  FileCallRecords,
  FileCallRecordsOptions,
} from '@inboard/core/record/calls/file/file-call-records.js';
import type { TranscriptState } from '@inboard/core/record/history/transcript/transcript-state.js';
import type { DeniedModelsMatch } from '@inboard/core/record/settings/match-denied-models.js';
import type {
  ResolvedSettings,
  ResolveSettingsOptions,
} from '@inboard/core/record/settings/resolve-settings.js';
import type { McpServers, WithContext } from '@inboard/core/live/tooling/context-option.js';
import type { SpareProcess } from '@inboard/core/verbs/fleet/prewarm.js';
import type { StartupInput } from '@inboard/core/verbs/fleet/startup.js';
import type {
  ForkSessionOptions,
  ForkSessionResult,
  GetSessionInfoOptions,
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ImportSessionToStoreOptions,
  ListSessionsOptions,
  ListSubagentsOptions,
  SDKSessionInfo,
  SessionMessage,
  SessionMutationOptions,
} from '@inboard/core/wire/protocol/config/past-sessions.js';
import type { SessionStore } from '@inboard/core/wire/protocol/config/session-store.js';
import { BackOff } from '@inboard/core/util/back-off.js';
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { LateModule } from '@inboard/core/util/late-module.js';
import { loadPart } from '@inboard/core/util/load-part.js';

const loadChanges = () => loadPart(() => import('@inboard/core/record/history/sessions/change-session.js'));
const loadList = () => loadPart(() => import('@inboard/core/record/history/sessions/list-sessions.js'));
const loadSubagents = () => loadPart(() => import('@inboard/core/record/history/sessions/subagents.js'));

/** Lists the saved sessions, newest first. */
export async function listSessions(options?: ListSessionsOptions): Promise<SDKSessionInfo[]> {
  return await (await loadList()).listSessions(options);
}

/** Returns what is known about a saved session. Undefined if there is no such session. */
export async function getSessionInfo(
  sessionId: string,
  options?: GetSessionInfoOptions,
): Promise<SDKSessionInfo | undefined> {
  return await (await loadList()).getSessionInfo(sessionId, options);
}

/** Returns the messages of a saved session. Empty if there is no such session. */
export async function getSessionMessages(
  sessionId: string,
  options?: GetSessionMessagesOptions,
): Promise<SessionMessage[]> {
  return await (
    await loadPart(() => import('@inboard/core/record/history/sessions/session-messages.js'))
  ).getSessionMessages(sessionId, options);
}

/** Tells whether the last turn of a saved session was finished or cut off. */
export async function getTranscriptState(
  sessionId: string,
  options?: SessionMutationOptions,
): Promise<TranscriptState> {
  return await (
    await loadPart(() => import('@inboard/core/record/history/sessions/transcript-state.js'))
  ).getTranscriptState(sessionId, options);
}

/** Returns the ids of a session's subagents. */
export async function listSubagents(sessionId: string, options?: ListSubagentsOptions): Promise<string[]> {
  return await (await loadSubagents()).listSubagents(sessionId, options);
}

/** Returns the messages of one subagent. */
export async function getSubagentMessages(
  sessionId: string,
  agentId: string,
  options?: GetSubagentMessagesOptions,
): Promise<SessionMessage[]> {
  return await (await loadSubagents()).getSubagentMessages(sessionId, agentId, options);
}

/** Gives a saved session a title. */
export async function renameSession(
  sessionId: string,
  title: string,
  options?: SessionMutationOptions,
): Promise<void> {
  return await (await loadChanges()).renameSession(sessionId, title, options);
}

/** Sets a saved session's tag, or with null clears it. */
export async function tagSession(
  sessionId: string,
  tag: string | null,
  options?: SessionMutationOptions,
): Promise<void> {
  return await (await loadChanges()).tagSession(sessionId, tag, options);
}

/** Marks a saved session as archived. */
export async function archiveSession(sessionId: string, options?: SessionMutationOptions): Promise<void> {
  return await (await loadChanges()).archiveSession(sessionId, options);
}

/** Removes the mark set by `archiveSession`. */
export async function unarchiveSession(sessionId: string, options?: SessionMutationOptions): Promise<void> {
  return await (await loadChanges()).unarchiveSession(sessionId, options);
}

/** Deletes a saved session with its subagents. */
export async function deleteSession(sessionId: string, options?: SessionMutationOptions): Promise<void> {
  return await (await loadChanges()).deleteSession(sessionId, options);
}

/** Finds everything that belongs to sessions: transcripts, the CLI's files, traces, stored copies, approvals. */
export async function findSessionData(
  sessions: SessionChoice,
  options?: FindSessionDataOptions,
): Promise<SessionData> {
  return await (
    await loadPart(() => import('@inboard/core/lifetime/find-session-data.js'))
  ).findSessionData(sessions, options);
}

/** Deletes everything that belongs to sessions, and reports what was not deleted and why. */
export async function deleteSessionData(
  sessions: SessionChoice,
  options?: DeleteSessionDataOptions,
): Promise<DeletedSessionData> {
  return await (
    await loadPart(() => import('@inboard/core/lifetime/delete-session-data.js'))
  ).deleteSessionData(sessions, options);
}

/** Copies a saved session, whole or up to a message, under a new id. */
export async function forkSession(
  sessionId: string,
  options?: ForkSessionOptions,
): Promise<ForkSessionResult> {
  return await (
    await loadPart(() => import('@inboard/core/record/history/sessions/fork-session.js'))
  ).forkSession(sessionId, options);
}

/** Copies a saved session into a store. */
export async function importSessionToStore(
  sessionId: string,
  store: SessionStore,
  options?: ImportSessionToStoreOptions,
): Promise<void> {
  return await (
    await loadPart(() => import('@inboard/core/record/history/store/import-session.js'))
  ).importSessionToStore(sessionId, store, options);
}

/** Starts a CLI that can be claimed for a folder later. If that fails, rejects with a typed error and leaves no process. */
export async function prewarm<
  const Schema extends AnySchema = undefined,
  Servers extends McpServers = McpServers,
>(input: StartupInput<Schema> & WithContext<Servers> = {}): Promise<SpareProcess<OutputOf<Schema>>> {
  return await (await loadPart(() => import('@inboard/core/verbs/fleet/prewarm.js'))).prewarm(input);
}

/** Finds out which settings will apply, without starting a CLI. */
export async function resolveSettings(options?: ResolveSettingsOptions): Promise<ResolvedSettings> {
  return await (
    await loadPart(() => import('@inboard/core/record/settings/resolve-settings.js'))
  ).resolveSettings(options);
}

/** Finds out which of the models a policy's deny list matches. */
export async function matchDeniedModels(
  models: readonly string[],
  denied: readonly string[] | null | undefined,
): Promise<DeniedModelsMatch> {
  return await (
    await loadPart(() => import('@inboard/core/record/settings/match-denied-models.js'))
  ).matchDeniedModels(models, denied);
}

/**
 * Keeps approvals as files in a folder, which several processes on one machine may share. Only the owner of the folder can
 * read the files. Files that another user wrote are ignored, unless `trustedUids` lists that user.
 */
export function createFileApprovalStore(folder: string, options?: FileApprovalStoreOptions): ApprovalStore {
  checkStoreArguments(folder, options);
  const late = new LateModule(async (): Promise<ApprovalStore> => {
    const { FileApprovalStore } = await loadPart(
      () => import('@inboard/core/answer/permissions/approvals/file-approval-store.js'),
    );
    return new FileApprovalStore(folder, options);
  });
  const store: RemovalStore = {
    put: async (question) => await (await late.load()).put(question),
    answer: async (id, answer) => await (await late.load()).answer(id, answer),
    get: async (id) => await (await late.load()).get(id),
    list: async () => await (await late.load()).list(),
    remove: async (id) => await (await late.load()).remove(id),
    watch: (onChange) => watchLate(late, onChange),
    [IS_REMOVED]: async (id) => await isRemoved(await late.load(), id),
  };
  return store;
}

/**
 * Keeps the facts about the calls of one session in a folder, which several processes on one machine may share. A session
 * store can return these records from its method `calls`. Throws an InvalidOptionsError without a folder.
 */
export function createFileCallRecords(options: FileCallRecordsOptions): FileCallRecords {
  checkCallsFolder(options);
  const late = new LateModule(async (): Promise<FileCallRecords> => {
    const { FileRecords } = await loadPart(
      () => import('@inboard/core/record/calls/file/file-call-records.js'),
    );
    return new FileRecords(options);
  });
  const close = async (): Promise<void> => await late.loaded?.close();
  return {
    add: (fact) => {
      if (late.loaded) return late.loaded.add(fact);
      // The caller may change the fact while the implementation is being loaded.
      const copy = copyFact(fact);
      return late.load().then((records) => records.add(copy));
    },
    load: async () => await (await late.load()).load(),
    claim: async (given) => await (await late.load()).claim(given),
    compact: async (given) => await (await late.load()).compact(given),
    watch: (onChange) => watchLate(late, onChange, 'CallRecords.watch'),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** How long to wait before the next attempt to watch the store. */
const RETRIES = { firstMs: 250, longestMs: 5000 };

/**
 * Watches the store as soon as it is loaded. If the store cannot be loaded or its folder cannot be made, tries again. Without a
 * watch, a session that waits for an answer would never see it.
 */
function watchLate(
  late: LateModule<{ watch(onChange: () => void): () => void }>,
  onChange: () => void,
  name = 'ApprovalStore.watch',
): () => void {
  let stop: (() => void) | undefined;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const warn = (cause: unknown): void => warnOfCallback(name, cause);
  const backOff = new BackOff(RETRIES);
  const begin = (): void => {
    late
      .load()
      .then((store) => {
        if (isOver) return;
        stop = store.watch(onChange);
        // An approval may have changed before the watch began.
        callListener(onChange, warn);
      })
      .catch((error: unknown) => {
        if (isOver) return;
        warn(error);
        timer = setTimeout(begin, backOff.next()).unref();
      });
  };
  begin();
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop?.();
  };
}
