// What a CLI's `--help` lists: its flags, the form of their values, and its subcommands.

const FLAG_LINE = /^ {2}((?:-\w, )?--[\w-]+(?:, --?[\w-]+)*)(?: ([<[][^>\]]*[>\]]))?(?: {2,}|$)/m;
const COMMAND_LINE = /^ {2}([a-z][\w-]*(?:\|[\w-]+)*)(?: [<[][^\n]*?)?(?: {2,}|$)/m;

/**
 * Gives `flags`, a map from each flag to what is said of its value (`<model>`, with the choices where there are some), and
 * `commands`. Descriptions are left out: they are reworded all the time.
 */
export function parseHelp(text) {
  const flags = new Map();
  const commands = [];
  for (const { section, entry } of entriesOf(text)) {
    if (/^commands/i.test(section)) {
      const [, names] = COMMAND_LINE.exec(entry) ?? [];
      if (names !== undefined) commands.push(names.split('|')[0]);
    } else if (/^options/i.test(section)) {
      const [, names, value = ''] = FLAG_LINE.exec(entry) ?? [];
      const choices = /\(choices: ([^)]*)\)/.exec(entry.replaceAll(/\s+/g, ' '))?.[1];
      const form = choices === undefined ? value : `${value} of ${choices.replaceAll('"', '')}`;
      for (const name of names?.match(/--[\w-]+/g) ?? []) flags.set(name, form);
    }
  }
  return { flags, commands };
}

/** Entries begin with two spaces; what is indented further goes on with the one before. */
function* entriesOf(text) {
  let section = '';
  let entry;
  for (const line of text.split('\n')) {
    const isHeading = /^\S.*:\s*$/.test(line);
    if (/^ {3,}/.test(line) && entry !== undefined) {
      entry += `\n${line}`;
      continue;
    }
    if (entry !== undefined) yield { section, entry };
    entry = /^ {2}\S/.test(line) ? line : undefined;
    if (isHeading) section = line;
  }
  if (entry !== undefined) yield { section, entry };
}
