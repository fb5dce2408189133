// Asks the person at the terminal what the command line of `inboard init` has left open.
import { CommandError, UsageError } from '../terminal/usage-error.js';
import { askLine, isInteractive, noteLine, type Terminal } from '../terminal/terminal.js';
import { isTemplateName, TEMPLATE_NAMES, TEMPLATES, type TemplateName } from './templates.js';

/** Whether to ask: all streams are a terminal, and this is no CI job, some of which have a terminal without a person. */
export function canAsk(terminal: Terminal): boolean {
  const isJob = !['', '0', 'false'].includes(terminal.env['CI'] ?? '');
  return isInteractive(terminal) && terminal.stdout.isTTY === true && !isJob;
}

export async function askTemplate(terminal: Terminal): Promise<TemplateName> {
  const widest = Math.max(...TEMPLATE_NAMES.map((name) => name.length));
  for (const [index, name] of TEMPLATE_NAMES.entries())
    noteLine(terminal, `  ${index + 1}  ${name.padEnd(widest)}  ${TEMPLATES[name].summary}`);
  const [first] = TEMPLATE_NAMES;
  for (;;) {
    const answer = (await ask(terminal, `Template, by name or number (${first}): `)).toLowerCase();
    const name = answer === '' ? first : (TEMPLATE_NAMES[Number(answer) - 1] ?? answer);
    if (name !== undefined && isTemplateName(name)) return name;
    noteLine(terminal, `There is no template "${answer}".`);
  }
}

/** Whether the project is to be in JavaScript. */
export async function askJavaScript(terminal: Terminal): Promise<boolean> {
  for (;;) {
    const answer = (await ask(terminal, 'TypeScript or JavaScript, ts or js (ts): ')).toLowerCase();
    if (['', 'ts', 'typescript'].includes(answer)) return false;
    if (['js', 'javascript'].includes(answer)) return true;
  }
}

/** Asks for the folder until `take` accepts one; returns what `take` made of it. */
export async function askFolder<Place>(
  terminal: Terminal,
  suggested: string,
  take: (folder: string) => Promise<Place>,
): Promise<Place> {
  for (;;) {
    const answer = await ask(terminal, `Folder, "." for this one (${suggested}): `);
    try {
      return await take(answer || suggested);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof CommandError)) throw error;
      noteLine(terminal, error.message);
    }
  }
}

/** Throws if there is no answer: after Ctrl-C, and when the input ends. */
async function ask(terminal: Terminal, question: string): Promise<string> {
  const answer = await askLine(terminal, question, terminal.signal);
  if (answer !== undefined) return answer.trim();
  // The question has left the cursor in the middle of a line.
  noteLine(terminal, '\nNothing was written.');
  terminal.signal.throwIfAborted();
  throw new CommandError(
    'NOT_ANSWERED',
    'The input ended before all questions were answered. With --yes, nothing is asked.',
  );
}
