// The rows of the options about the prompt and the model.
import { isRecord } from '../../util/guards.js';
import {
  SYSTEM_PROMPT_DYNAMIC_BOUNDARY,
  type PresetSystemPrompt,
  type SystemPrompt,
} from '../../wire/protocol/config/option-values.js';
import type { ThinkingConfig } from '../options.js';
import { ANY_VERSION, plansFor, type PlannedVersion } from '../supported-versions.js';
import type { OptionRows, WrittenOptions } from './option-row.js';
import {
  count,
  dropEmptyEntries,
  either,
  entries,
  fields,
  flag,
  oneOf,
  optional,
  preset,
  shape,
  anyText,
  texts,
} from '../../util/option-shapes.js';

/** The first CLI with the permission mode `auto`, also for agents. */
export const AUTO_MODE = '2.1.71';

const PROMPT_LIST = '2.1.110';
const THINKING_FLAG = '2.1.47';

// For a CLI that has no `--thinking`. With a budget above that of any of its models, it does what later CLIs do with
// `--thinking=adaptive`: the model thinks adaptively if it can, and otherwise as much as it may.
const WHOLE_THINKING_BUDGET = 31_999;

// The short model names that every supported CLI accepts for agents.
const MODEL_ALIASES = ['sonnet', 'opus', 'haiku', 'inherit'];

const customPrompt = fields("{ type: 'custom', prompt }", {
  type: oneOf('custom'),
  prompt: either(anyText, texts),
});
const thinking = fields("{ type: 'adaptive' }, { type: 'enabled', budgetTokens } or { type: 'disabled' }", {
  type: oneOf('adaptive', 'enabled', 'disabled'),
  budgetTokens: optional(count),
  display: optional(anyText),
});
const agent = fields('{ description, prompt }', { description: anyText, prompt: anyText });

export const PROMPT_AND_MODEL = {
  systemPrompt: {
    shape: either(anyText, texts, customPrompt, preset),
    forms: {
      'systemPrompt list': { since: PROMPT_LIST, hasOlderForm: true },
      'systemPrompt.snapshot': { since: '2.1.257', older: (prompt) => withoutFalse(prompt, 'snapshot') },
      'systemPrompt.excludeDynamicSections': {
        since: '2.1.97',
        older: (prompt) => withoutFalse(prompt, 'excludeDynamicSections'),
      },
    },
    initialize: [
      { order: 20, field: 'systemPrompt', from: writePrompt },
      {
        order: 30,
        field: 'appendSystemPrompt',
        from: (prompt) => (isPreset(prompt) ? prompt.append : undefined),
      },
      { order: 50, field: 'systemPromptSnapshot', from: (prompt) => partOf(prompt, 'snapshot') },
      {
        order: 70,
        field: 'excludeDynamicSections',
        from: (prompt) => partOf(prompt, 'excludeDynamicSections'),
      },
    ],
  },
  model: { shape: anyText, argv: { order: 60, flag: '--model' } },
  fallbackModel: {
    shape: anyText,
    since: '2.1.75',
    forms: {
      // Older CLIs fall back only from Opus. With another model, or without the option `model`, it has no effect.
      'fallbackModel besides Opus': {
        since: '2.1.160',
        isUsed: (fallback, { model }) => fallback && !/opus/i.test(model ?? ''),
      },
      'fallbackModel list': { since: '2.1.160', isUsed: (fallback) => fallback.includes(',') },
    },
    argv: { order: 230, flag: '--fallback-model' },
  },
  thinking: {
    shape: thinking,
    forms: { thinking: { since: THINKING_FLAG, hasOlderForm: true }, 'thinking.display': '2.1.94' },
    argv: { order: 10, write: writeThinking },
  },
  effort: {
    shape: anyText,
    known: ['low', 'medium', 'high', 'xhigh', 'max'],
    since: '2.1.38',
    forms: { 'effort xhigh': '2.1.111' },
    argv: { order: 20, flag: '--effort' },
  },
  maxThinkingTokens: {
    shape: count,
    argv: {
      order: 10,
      write: (tokens, { thinking, version }) => {
        if (thinking) return [];
        return [tokens > 0 ? `--max-thinking-tokens=${tokens}` : writeThinkingMode('disabled', version)];
      },
    },
  },
  maxTurns: {
    shape: { ...count, read: (value) => (value === Infinity ? undefined : count.read?.(value)) },
    findWarnings: (turns) =>
      turns === 0
        ? [{ code: 'OPTION_IGNORED', message: 'The option "maxTurns" is 0, which means no limit.' }]
        : [],
    argv: { order: 30, flag: '--max-turns', from: (turns) => turns || undefined },
  },
  maxBudgetUsd: {
    shape: shape(
      'a number above 0 (leave it out for no limit)',
      (value) => Number.isFinite(value) && (value as number) > 0,
    ),
    argv: { order: 40, flag: '--max-budget-usd' },
  },
  taskBudget: {
    shape: fields('{ total } with a whole number above 0', {
      total: shape('', (value) => count.fits(value) && value !== 0),
    }),
    since: '2.1.84',
    argv: { order: 50, flag: '--task-budget', from: ({ total }) => total },
  },
  betas: {
    shape: texts,
    // Each beta gets a flag. The CLI would take a list with commas as the name of a single beta, and drop it.
    argv: {
      order: 80,
      write: (betas) => betas.filter((beta) => beta !== '').map((beta) => `--betas=${beta}`),
    },
  },
  agent: { shape: anyText, argv: { order: 70, flag: '--agent' } },
  agents: {
    shape: {
      ...entries(`an object that maps agent names to ${agent.expected}`, (value) => agent.fits(value)),
      read: dropEmptyEntries,
    },
    entryForms: {
      'permissionMode auto': AUTO_MODE,
      'agents.model by full name': {
        since: '2.1.74',
        isUsed: ({ model }) => model && !MODEL_ALIASES.includes(model),
      },
      'agents.effort': '2.1.219',
      'agents.background': '2.1.47',
      'agents.memory': '2.1.59',
      'agents.initialPrompt': '2.1.83',
      'agents.omitClaudeMd': '2.1.302',
      'agents.autoCompactWindow': '2.1.325',
      'agents.observer': '2.1.325',
      'agents.observerMessage': '2.1.325',
      'agents.criticalSystemReminder_EXPERIMENTAL': '2.1.325',
    },
    initialize: { order: 80 },
  },
  title: { shape: anyText, since: '2.1.113', initialize: { order: 90 } },
  planModeInstructions: { shape: anyText, since: '2.1.118', initialize: { order: 40 } },
  // Each user message has a field for it.
  verbatimPrompts: { shape: flag, since: '2.1.248', host: true },
} satisfies Partial<OptionRows>;

function writeThinking(given: ThinkingConfig, { version }: WrittenOptions): string[] {
  const display = given.type !== 'disabled' && given.display ? [`--thinking-display=${given.display}`] : [];
  const budget = given.type === 'enabled' ? given.budgetTokens : undefined;
  if (budget !== undefined) return [`--max-thinking-tokens=${budget}`, ...display];
  return [writeThinkingMode(given.type === 'disabled' ? 'disabled' : 'adaptive', version), ...display];
}

function writeThinkingMode(mode: 'adaptive' | 'disabled', version: PlannedVersion): string {
  if (plansFor(version, THINKING_FLAG)) return `--thinking=${mode}`;
  return `--max-thinking-tokens=${mode === 'disabled' ? 0 : WHOLE_THINKING_BUDGET}`;
}

function isPreset(prompt: SystemPrompt): prompt is PresetSystemPrompt {
  return isRecord(prompt) && prompt.type === 'preset';
}

// With the preset, the CLI uses its own prompt. Every other value replaces the CLI's prompt.
function writePrompt(given: SystemPrompt, { version }: WrittenOptions): string | string[] | undefined {
  if (isPreset(given)) return undefined;
  const prompt = typeof given === 'string' || Array.isArray(given) ? given : given.prompt;
  const parts = typeof prompt === 'string' ? [prompt] : prompt;
  // Every CLI accepts a text. To CLIs that also accept lists, it means the same as a list of one part.
  if (version === ANY_VERSION && parts.length === 1) return parts[0];
  if (plansFor(version, PROMPT_LIST)) return parts;
  // The parts are joined as later CLIs join them. The boundary only tells later CLIs where to cut for the prompt cache.
  return parts.filter((part) => part !== SYSTEM_PROMPT_DYNAMIC_BOUNDARY).join('\n\n');
}

function partOf(prompt: unknown, part: string): unknown {
  return isRecord(prompt) ? prompt[part] : undefined;
}

function withoutFalse(prompt: SystemPrompt, part: string): SystemPrompt {
  if (typeof prompt === 'string' || Array.isArray(prompt) || partOf(prompt, part)) return prompt;
  return Object.fromEntries(Object.entries(prompt).filter(([name]) => name !== part)) as SystemPrompt;
}
