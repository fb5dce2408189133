// Words and tables in Markdown, for the pages that are made from the sources.

/** A table: `columns` are its heads, each row a list of as many cells. */
export function table(columns, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

/** Names of the program, as in a sentence. */
export function code(name) {
  return `\`${name}\``;
}

/** A list as in a sentence: `a`, `b` and `c`. */
export function listWords(words) {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
