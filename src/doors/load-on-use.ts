// Functions that few programs call, loaded when they are: reading past sessions and settings is a third of the
// package's code, and importing the package is part of every program's start.
import type { ApprovalStore } from '../answer/permissions/approvals/approval.js';
import type * as ChangeSession from '../record/history/sessions/change-session.js';
import type * as ForkSession from '../record/history/sessions/fork-session.js';
import type * as ImportSession from '../record/history/store/import-session.js';
import type * as ListSessions from '../record/history/sessions/list-sessions.js';
import type * as SessionMessages from '../record/history/sessions/session-messages.js';
import type * as TranscriptStates from '../record/history/sessions/transcript-state.js';
import type * as Subagents from '../record/history/sessions/subagents.js';
import type * as DeniedModels from '../record/settings/match-denied-models.js';
import type * as ResolveSettings from '../record/settings/resolve-settings.js';
import type * as Prewarm from '../verbs/fleet/prewarm.js';

const loadChanges = () => import('../record/history/sessions/change-session.js');
const loadList = () => import('../record/history/sessions/list-sessions.js');
const loadSubagents = () => import('../record/history/sessions/subagents.js');

/** Saved sessions, newest first. */
export const listSessions: typeof ListSessions.listSessions = async (...given) =>
  (await loadList()).listSessions(...given);

/** What is known of one saved session; undefined when there is none. */
export const getSessionInfo: typeof ListSessions.getSessionInfo = async (...given) =>
  (await loadList()).getSessionInfo(...given);

/** The conversation of a saved session; empty when there is none. */
export const getSessionMessages: typeof SessionMessages.getSessionMessages = async (...given) =>
  (await import('../record/history/sessions/session-messages.js')).getSessionMessages(...given);

/** Whether the last turn of a saved session was finished, or cut off. */
export const getTranscriptState: typeof TranscriptStates.getTranscriptState = async (...given) =>
  (await import('../record/history/sessions/transcript-state.js')).getTranscriptState(...given);

/** The ids of a session's subagents. */
export const listSubagents: typeof Subagents.listSubagents = async (...given) =>
  (await loadSubagents()).listSubagents(...given);

/** The conversation of one subagent. */
export const getSubagentMessages: typeof Subagents.getSubagentMessages = async (...given) =>
  (await loadSubagents()).getSubagentMessages(...given);

/** Gives a saved session a title of the caller's. */
export const renameSession: typeof ChangeSession.renameSession = async (...given) =>
  (await loadChanges()).renameSession(...given);

/** Sets a saved session's tag, or with null clears it. */
export const tagSession: typeof ChangeSession.tagSession = async (...given) =>
  (await loadChanges()).tagSession(...given);

/** Marks a saved session as archived. */
export const archiveSession: typeof ChangeSession.archiveSession = async (...given) =>
  (await loadChanges()).archiveSession(...given);

/** Takes the mark of `archiveSession` away. */
export const unarchiveSession: typeof ChangeSession.unarchiveSession = async (...given) =>
  (await loadChanges()).unarchiveSession(...given);

/** Deletes a saved session with its subagents. */
export const deleteSession: typeof ChangeSession.deleteSession = async (...given) =>
  (await loadChanges()).deleteSession(...given);

/** Copies a saved session, whole or up to a message, under an id of its own. */
export const forkSession: typeof ForkSession.forkSession = async (...given) =>
  (await import('../record/history/sessions/fork-session.js')).forkSession(...given);

/** Copies a saved session into a store. */
export const importSessionToStore: typeof ImportSession.importSessionToStore = async (...given) =>
  (await import('../record/history/store/import-session.js')).importSessionToStore(...given);

/** Starts a CLI that can be claimed for a folder later. Rejects with the typed error of whatever went wrong, having left nothing behind. */
export const prewarm: typeof Prewarm.prewarm = async (...given) =>
  (await import('../verbs/fleet/prewarm.js')).prewarm(...given);

/** What settings will hold, without starting a CLI. */
export const resolveSettings: typeof ResolveSettings.resolveSettings = async (...given) =>
  (await import('../record/settings/resolve-settings.js')).resolveSettings(...given);

/** Which models a deny list of the policy matches. */
export const matchDeniedModels: typeof DeniedModels.matchDeniedModels = async (...given) =>
  (await import('../record/settings/match-denied-models.js')).matchDeniedModels(...given);

/** Keeps approvals as files in a folder, which several processes of one machine may share; only its owner can read them. */
export function createFileApprovalStore(folder: string): ApprovalStore {
  let loaded: Promise<ApprovalStore> | undefined;
  const load = (): Promise<ApprovalStore> =>
    (loaded ??= import('../answer/permissions/approvals/file-approval-store.js').then(
      ({ FileApprovalStore }) => new FileApprovalStore(folder),
    ));
  return {
    put: async (question) => await (await load()).put(question),
    answer: async (id, answer) => await (await load()).answer(id, answer),
    get: async (id) => await (await load()).get(id),
    list: async () => await (await load()).list(),
    remove: async (id) => await (await load()).remove(id),
    watch: (onChange) => {
      let stop: (() => void) | undefined;
      let isOver = false;
      load().then(
        (store) => {
          if (isOver) return;
          stop = store.watch(onChange);
          // Something may have changed before anybody looked.
          onChange();
        },
        () => {},
      );
      return () => {
        isOver = true;
        stop?.();
      };
    },
  };
}
