// Options that cannot be had together, and values that every CLI refuses: better said here, by name, than
// by a CLI that exits.
import { isGiven } from '../../util/guards.js';
import { parseInlineSettings } from '../rows/flag-settings.js';
import type { Options } from '../options.js';

/** Options at fault, and a sentence that says why and what to do. */
export interface Problem {
  options: readonly string[];
  message: string;
}

type Rule = (options: Options) => Problem | undefined | false;

const RULES: readonly Rule[] = [
  ({ model, fallbackModel }) =>
    !!model &&
    model === fallbackModel && {
      options: ['fallbackModel', 'model'],
      message: `The options "fallbackModel" and "model" are both "${model}"; a fallback must be another model.`,
    },
  ({ supportedDialogKinds, onUserDialog }) =>
    !!supportedDialogKinds?.length &&
    !isGiven(onUserDialog) && {
      options: ['supportedDialogKinds', 'onUserDialog'],
      message:
        'The option "supportedDialogKinds" promises dialogs, and "onUserDialog" to show them is missing.',
    },
  ({ sessionStore, persistSession }) =>
    isGiven(sessionStore) &&
    persistSession === false && {
      options: ['sessionStore', 'persistSession'],
      message:
        'The option "sessionStore" copies the transcript that "persistSession: false" switches off. Leave out one of them.',
    },
  ({ sessionStore, enableFileCheckpointing }) =>
    isGiven(sessionStore) &&
    enableFileCheckpointing === true && {
      options: ['sessionStore', 'enableFileCheckpointing'],
      message:
        'The option "enableFileCheckpointing" keeps files on this machine, which "sessionStore" does not carry along. Leave out one of them.',
    },
  ({ permissionPromptToolName, canUseTool }) =>
    !!permissionPromptToolName &&
    isGiven(canUseTool) && {
      options: ['permissionPromptToolName', 'canUseTool'],
      message:
        'The options "permissionPromptToolName" and "canUseTool" both want to be asked. Leave out one of them.',
    },
  ({ output, outputFormat }) =>
    isGiven(output) &&
    isGiven(outputFormat) && {
      options: ['output', 'outputFormat'],
      message:
        'The options "output" and "outputFormat" both say what the answer must be. Leave out one of them.',
    },
  ({ transport, spawnClaudeCodeProcess }) =>
    isGiven(transport) &&
    isGiven(spawnClaudeCodeProcess) && {
      options: ['transport', 'spawnClaudeCodeProcess'],
      message:
        'The options "transport" and "spawnClaudeCodeProcess" both say where the CLI runs. Leave out one of them.',
    },
  ({ env, extendEnv }) =>
    isGiven(env) &&
    isGiven(extendEnv) && {
      options: ['env', 'extendEnv'],
      message:
        'The option "env" replaces the whole environment and "extendEnv" adds to that of this process. Leave out one of them.',
    },
  ({ sandbox, settings }) =>
    isGiven(sandbox) &&
    typeof settings === 'string' &&
    !isInline(settings) && {
      options: ['sandbox', 'settings'],
      message:
        'The option "sandbox" is merged into "settings", which here is the path of a file. Give the settings as an object, or move the sandbox into that file.',
    },
  ({ settings }) => {
    if (typeof settings !== 'string' || !isInline(settings)) return undefined;
    try {
      parseInlineSettings(settings);
      return undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { options: ['settings'], message: `The option "settings" is no valid JSON object: ${reason}.` };
    }
  },
  findSessionProblem,
  ({ resumeDropsTurn, resumeSessionAt }) =>
    !!resumeDropsTurn &&
    !resumeSessionAt && {
      options: ['resumeDropsTurn', 'resumeSessionAt'],
      message: 'The option "resumeDropsTurn" guards "resumeSessionAt", which is missing.',
    },
];

/** All contradictions in options whose types are right. */
export function findContradictions(options: Options): Problem[] {
  return RULES.map((rule) => rule(options)).filter((problem) => !!problem);
}

// With a store, "continue" becomes a resume or nothing at all; which of them is only known later, and then
// checked again.
function findSessionProblem(options: Options): Problem | undefined {
  const { resume, sessionStore } = options;
  const isOpen = !resume && options.continue === true && isGiven(sessionStore);
  return isOpen
    ? undefined
    : findResumeProblem({ options, isResuming: !!resume || options.continue === true });
}

/** What is wrong with the session options once it is known whether a session is resumed. */
export function findResumeProblem(input: { options: Options; isResuming: boolean }): Problem | undefined {
  const { sessionId, forkSession, resumeSessionAt, resume, sessionStore } = input.options;
  if (sessionId && input.isResuming && !forkSession) {
    return {
      options: ['sessionId', resume ? 'resume' : 'continue'],
      message:
        'The option "sessionId" names a new session and cannot rename a resumed one. Add "forkSession: true", or leave it out.',
    };
  }
  const canCut = !!resume || (isGiven(sessionStore) && input.isResuming);
  if (resumeSessionAt && !canCut) {
    return {
      options: ['resumeSessionAt', 'resume'],
      message: 'The option "resumeSessionAt" cuts the session named by "resume", which is missing.',
    };
  }
  return undefined;
}

function isInline(settings: string): boolean {
  return settings.trimStart().startsWith('{');
}
