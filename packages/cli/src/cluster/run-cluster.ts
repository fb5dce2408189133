// `inboard cluster`: finds the subcommand, checks its words and options, and runs it.
import type { CommandInput } from '../command.js';
import { UsageError } from '../terminal/usage-error.js';
import { showAudit } from './audit.js';
import { runApprovals } from './approvals.js';
import { runClusterCalls } from './calls.js';
import { runForget } from './forget.js';
import { showConversations } from './list-conversations.js';
import { runClusterMigrate } from './migrate.js';
import { runPrune } from './prune.js';
import { PRUNED_KINDS } from './pruned-kinds.js';
import { showConversation } from './show-conversation.js';
import { showStatus } from './status.js';

interface Part {
  run: (input: CommandInput, words: readonly string[]) => Promise<number>;
  /** How many words the subcommand takes after its name. */
  words: { least: number; most: number };
  /** The options that the subcommand takes, besides `--journal` and `--schema`. */
  options: readonly string[];
}

const PARTS: Readonly<Record<string, Part>> = {
  status: { run: showStatus, words: { least: 0, most: 0 }, options: ['tenant', 'watch', 'json'] },
  ls: {
    run: showConversations,
    words: { least: 0, most: 0 },
    options: ['tenant', 'state', 'waits', 'limit', 'after', 'json'],
  },
  show: { run: showConversation, words: { least: 1, most: 1 }, options: ['tenant', 'limit', 'json'] },
  approvals: {
    run: runApprovals,
    words: { least: 0, most: 2 },
    options: ['tenant', 'limit', 'allow', 'deny', 'by', 'json'],
  },
  calls: { run: runClusterCalls, words: { least: 0, most: 3 }, options: ['tenant', 'limit', 'by', 'json'] },
  audit: {
    run: showAudit,
    words: { least: 0, most: 0 },
    options: ['tenant', 'key', 'by', 'what', 'since', 'until', 'after', 'limit', 'json'],
  },
  forget: { run: runForget, words: { least: 0, most: 1 }, options: ['tenant', 'by', 'yes', 'json'] },
  prune: {
    run: runPrune,
    words: { least: 0, most: 0 },
    options: [...PRUNED_KINDS, 'by', 'yes', 'json'],
  },
  migrate: { run: runClusterMigrate, words: { least: 0, most: 0 }, options: ['print', 'from', 'json'] },
};

/** Runs a subcommand. Throws a UsageError for words or options that the subcommand does not take. */
export async function runCluster(input: CommandInput): Promise<number> {
  const [name = '', ...words] = input.args;
  const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (!part)
    throw new UsageError(`There is no "cluster ${name}". Use one of: ${Object.keys(PARTS).join(', ')}.`);
  const { least, most } = part.words;
  if (words.length < least)
    throw new UsageError(`"inboard cluster ${name}" needs the key of a conversation.`);
  if (words.length > most)
    throw new UsageError(`"inboard cluster ${name}" does not take the argument "${words[most]}".`);
  const known = new Set(['journal', 'schema', ...part.options]);
  for (const [option, value] of Object.entries(input.values)) {
    if (value === undefined) continue;
    if (!known.has(option)) throw new UsageError(`"inboard cluster ${name}" does not take --${option}.`);
    // An empty value usually comes from a shell variable that is not set.
    if (value === '') throw new UsageError(`--${option} needs a value that is not empty.`);
  }
  return await part.run(input, words);
}
