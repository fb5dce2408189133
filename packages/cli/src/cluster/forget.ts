// `inboard cluster forget`: removes all that belongs to a conversation or a tenant, after the user has confirmed it.
import { loadPart } from '@inboard/core/util/load-part.js';
import { countOf } from '@inboard/core/util/message-of.js';
import type { Journal } from '@inboard/cluster/journal/journal.js';
import { readSwitch, readText, type CommandInput } from '../command.js';
import { askLine, isInteractive, noteLine, printJson, printLine } from '../terminal/terminal.js';
import { CommandError, EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { nameUser } from './name-user.js';
import { withJournal } from './open-journal.js';
import { showText } from './print-table.js';

/**
 * Forgets the conversation, or all conversations of the tenant. The exit code is 1 if nothing was found, if the user
 * did not confirm, or if files on this machine remain.
 */
export async function runForget(input: CommandInput, [key]: readonly string[]): Promise<number> {
  const { terminal } = input;
  const tenant = readText(input, 'tenant');
  if ((key === undefined) === (tenant === undefined))
    throw new UsageError('Give either the key of the conversation to forget or --tenant <name>.');
  const isJson = readSwitch(input, 'json');
  const isAsked = !readSwitch(input, 'yes');
  if (isAsked && (isJson || !isInteractive(terminal)))
    throw new UsageError(
      'There is nobody to ask here. Check with "inboard cluster ls" or "show", then repeat with --yes.',
    );
  const what =
    key === undefined
      ? `all conversations of the tenant "${showText(tenant ?? '', 40)}"`
      : `the conversation "${showText(key, 40)}"`;
  return await withJournal(input, async (journal) => {
    if (key !== undefined && !(await isKnown(journal, key)))
      throw new CommandError(
        'CONVERSATION_UNKNOWN',
        `There is no conversation "${showText(key, 60)}" in this journal.`,
      );
    if (isAsked) {
      const question = `Remove ${what}, with transcripts, events and questions? This cannot be undone. (yes/no) `;
      if ((await askLine(terminal, question, terminal.signal))?.trim() !== 'yes') {
        noteLine(terminal, 'Nothing was removed.');
        return EXIT_CODES.failed;
      }
    }
    // This import loads all the code that runs conversations. It is done here, because only this subcommand needs that code.
    const { createCluster } = await loadPart(() => import('@inboard/inboard/cluster.js'));
    const cluster = createCluster({ agents: { none: () => ({}) }, journal });
    const by = readText(input, 'by') ?? nameUser();
    const report = await cluster.forget(
      key === undefined ? { tenant: tenant ?? '', by } : { conversation: key, by },
    );
    if (isJson) printJson(terminal, report, 2);
    else {
      printLine(terminal, `Removed: ${countOf(report.conversations.length, 'conversation')}.`);
      for (const sentence of report.left) noteLine(terminal, `Not removed: ${showText(sentence, 400)}`);
    }
    const isLeftHere = report.local.kept.length + report.local.problems.length > 0;
    return report.conversations.length === 0 || isLeftHere ? EXIT_CODES.failed : EXIT_CODES.ok;
  });
}

/** Whether there is a conversation, or what the audit has left of one that was removed because of its age. */
async function isKnown(journal: Journal, key: string): Promise<boolean> {
  if (await journal.conversation(key)) return true;
  return ((await journal.audit?.({ key, limit: 1 }))?.entries.length ?? 0) > 0;
}
