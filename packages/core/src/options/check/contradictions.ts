// Finds options that cannot be combined. An error that names them helps more than a CLI that exits because of them.
import { isInline } from '../rows/settings.js';
import type { Options } from '../options.js';

/** The wrong options, and a sentence that says why and what to do. */
export interface Problem {
  options: readonly string[];
  message: string;
}

/** A rule about several options. It is broken when all of them are given, or, with `isBroken`, when that says so. */
interface Rule extends Problem {
  options: ReadonlyArray<keyof Options>;
  isBroken?(options: Options): unknown;
}

const RULES: readonly Rule[] = [
  {
    options: ['fallbackModel', 'model'],
    isBroken: ({ model, fallbackModel }) => model && model === fallbackModel,
    message:
      'The options "fallbackModel" and "model" name the same model; the fallback must be a different one.',
  },
  {
    options: ['supportedDialogKinds', 'onUserDialog'],
    isBroken: ({ supportedDialogKinds, onUserDialog }) => supportedDialogKinds?.length && !onUserDialog,
    message:
      'The option "supportedDialogKinds" promises dialogs, but "onUserDialog", which shows them, is missing.',
  },
  {
    options: ['sessionStore', 'persistSession'],
    isBroken: ({ sessionStore, persistSession }) => sessionStore && persistSession === false,
    message:
      'The option "sessionStore" copies the transcript, which "persistSession: false" turns off. Leave out one of them.',
  },
  {
    options: ['sessionStore', 'enableFileCheckpointing'],
    message:
      'The option "enableFileCheckpointing" keeps files on this machine, and "sessionStore" does not store them. Leave out one of them.',
  },
  {
    options: ['projectKey', 'sessionStore'],
    isBroken: ({ projectKey, sessionStore }) => projectKey && !sessionStore,
    message: 'The option "projectKey" names a project in "sessionStore", which is missing.',
  },
  {
    options: ['permissionPromptToolName', 'canUseTool'],
    message:
      'The options "permissionPromptToolName" and "canUseTool" both answer permission questions. Leave out one of them.',
  },
  {
    options: ['output', 'outputFormat'],
    message:
      'The options "output" and "outputFormat" both say what the answer must be. Leave out one of them.',
  },
  {
    options: ['transport', 'spawnClaudeCodeProcess'],
    message:
      'The options "transport" and "spawnClaudeCodeProcess" both say where the CLI runs. Leave out one of them.',
  },
  {
    options: ['env', 'extendEnv'],
    message:
      'The option "env" replaces the whole environment, and "extendEnv" adds to the environment of this process. Leave out one of them.',
  },
  {
    options: ['sandbox', 'settings'],
    isBroken: ({ sandbox, settings }) => sandbox && typeof settings === 'string' && !isInline(settings),
    message:
      'The option "sandbox" is merged into "settings", which is the path of a file here. Pass the settings as an object, or move the sandbox into that file.',
  },
  {
    options: ['resumeDropsTurn', 'resumeSessionAt'],
    isBroken: ({ resumeDropsTurn, resumeSessionAt }) => resumeDropsTurn && !resumeSessionAt,
    message: 'The option "resumeDropsTurn" guards "resumeSessionAt", which is missing.',
  },
];

/** All contradictions in options of the right shapes. */
export function findContradictions(options: Options): Problem[] {
  const { resume, continue: isContinuing, sessionStore } = options;
  const broken: Problem[] = RULES.filter((rule) =>
    rule.isBroken
      ? rule.options.some((name) => name in options) && rule.isBroken(options)
      : rule.options.every((name) => options[name]),
  );
  // With a session store, only the launch finds out whether "continue" resumes a session. It calls `findResumeProblems` then.
  if (!resume && isContinuing && sessionStore) return broken;
  return [...broken, ...findResumeProblems({ options, isResuming: !!resume || !!isContinuing })];
}

/** The problems of the session options, once it is known whether a session is resumed. */
export function findResumeProblems(input: { options: Options; isResuming: boolean }): Problem[] {
  const { sessionId, forkSession, resumeSessionAt, resume, sessionStore } = input.options;
  if (sessionId && input.isResuming && !forkSession) {
    const message =
      'The option "sessionId" names a new session and cannot rename a resumed one. Add "forkSession: true", or leave it out.';
    return [{ options: ['sessionId', resume ? 'resume' : 'continue'], message }];
  }
  const canCut = resume || (sessionStore && input.isResuming);
  if (!resumeSessionAt || canCut) return [];
  const message = 'The option "resumeSessionAt" truncates the session named by "resume", which is missing.';
  return [{ options: ['resumeSessionAt', 'resume'], message }];
}
