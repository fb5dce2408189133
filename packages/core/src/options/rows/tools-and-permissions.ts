// The rows of the options about built-in tools and permissions.
import { isRecord } from '../../util/guards.js';
import { plansFor } from '../supported-versions.js';
import {
  unlessEmpty,
  unlessOff,
  writeListArgument,
  type OptionRows,
  type WrittenOptions,
} from './option-row.js';
import { AUTO_MODE } from './prompt-and-model.js';
import {
  callback,
  either,
  flag,
  preset,
  record,
  strictFlag,
  anyText,
  texts,
} from '../../util/option-shapes.js';

// CLIs from the first of these versions on, but before the second, start in the mode `auto`. In that mode a model allows
// tools, and this program is not asked.
const STARTS_IN_AUTO = ['2.1.285', '2.1.302'] as const;

export const TOOLS_AND_PERMISSIONS = {
  tools: {
    shape: {
      ...either(texts, preset),
      read: (value) => (value === 'default' ? { type: 'preset', preset: 'claude_code' } : value),
    },
    argv: {
      order: 170,
      // Unlike other lists, an empty one has a meaning: no tools.
      write: (tools) => [Array.isArray(tools) ? writeListArgument('--tools', tools) : '--tools=default'],
    },
  },
  allowedTools: {
    shape: texts,
    argv: {
      order: 150,
      flag: '--allowedTools',
      from: (rules, { skills }) => [...rules, ...allowSkills(skills)],
    },
  },
  disallowedTools: { shape: texts, argv: { order: 160, flag: '--disallowedTools' } },
  toolAliases: { shape: record, since: '2.1.142', older: unlessEmpty, initialize: { order: 60 } },
  toolConfig: {
    shape: record,
    forms: { 'toolConfig.askUserQuestion.previewFormat': '2.1.69' },
    env: {
      variable: 'CLAUDE_CODE_QUESTION_PREVIEW_FORMAT',
      from: ({ askUserQuestion }) => askUserQuestion?.previewFormat,
    },
  },
  canUseTool: {
    shape: callback,
    argv: {
      order: 110,
      write: (_callback, options) => ['--permission-prompt-tool=stdio', ...askByDefault(options)],
    },
  },
  permissionMode: {
    shape: anyText,
    known: ['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto', 'manual', 'delegate'],
    forms: { 'permissionMode auto': AUTO_MODE },
    argv: { order: 210, flag: '--permission-mode' },
  },
  allowDangerouslySkipPermissions: {
    // Strict, because a text such as 'false' must not allow everything.
    shape: strictFlag,
    argv: { order: 220, flag: '--allow-dangerously-skip-permissions' },
  },
  permissionPromptToolName: {
    shape: anyText,
    argv: {
      order: 110,
      write: (name, options) =>
        options.canUseTool || name === ''
          ? []
          : [`--permission-prompt-tool=${name}`, ...askByDefault(options)],
    },
  },
  permissionPrompts: {
    shape: anyText,
    known: ['host', 'none'],
    since: '2.1.259',
    older: (prompts) => (prompts === 'host' ? undefined : prompts),
    hint: 'The permission mode "dontAsk" also refuses whatever would need an answer.',
    argv: { order: 120, flag: '--permission-prompts' },
  },
  additionalDirectories: {
    shape: texts,
    argv: { order: 270, write: (folders) => folders.map((folder) => `--add-dir=${folder}`) },
  },
  projectConfigRoot: {
    shape: anyText,
    since: '2.1.275',
    argv: { order: 260, flag: '--project-config-root' },
  },
  onUserDialog: { shape: callback, host: true },
  supportedDialogKinds: { shape: texts, since: '2.1.268', older: unlessEmpty, initialize: { order: 140 } },
  perTaskStopAffordance: { shape: flag, since: '2.1.325', older: unlessOff, initialize: { order: 150 } },
} satisfies Partial<OptionRows>;

/** The permission rules that let skills run without asking. */
export function allowSkills(skills: string[] | 'all' | undefined): string[] {
  return skills === 'all' ? ['Skill'] : (skills ?? []).map((name) => `Skill(${name})`);
}

// Each name becomes the content of a rule, in which these characters have a meaning. Parentheses end the rule, a
// backslash escapes, and `*` stands for any name. An empty name also stands for any name.
const NOT_IN_SKILL_NAMES = /[()*\\\p{Cc}]/u;

/** What is wrong with the first invalid skill name, as the end of a sentence about the option. */
export function findWrongSkill(skills: readonly string[]): string | undefined {
  const index = skills.findIndex((name) => name.trim() === '' || NOT_IN_SKILL_NAMES.test(name));
  if (index === -1) return undefined;
  const name = skills[index] ?? '';
  const letter = NOT_IN_SKILL_NAMES.exec(name)?.[0];
  const why =
    name.trim() === ''
      ? 'is empty and would allow every skill'
      : `has the character ${JSON.stringify(letter)} and could allow other tools or skills`;
  return `has the name ${JSON.stringify(name)} at index ${index}, which ${why}. Give the full name of each skill, or 'all'.`;
}

/** Asks for the mode `default` if the CLI would start in `auto`, so that permission questions are really asked. */
function askByDefault({ permissionMode, settings, version }: WrittenOptions): string[] {
  const isChosen =
    permissionMode ||
    (isRecord(settings) && isRecord(settings['permissions']) && 'defaultMode' in settings['permissions']);
  const [since, until] = STARTS_IN_AUTO;
  return !isChosen && plansFor(version, since) && !plansFor(version, until)
    ? ['--permission-mode=default']
    : [];
}
