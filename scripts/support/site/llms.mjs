// llms.txt, the table of contents for agents, and llms-full.txt, all guides in one file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// What an agent that writes a program can leave out.
const OPTIONAL = new Set(['Examples', 'Project']);

/** Writes both beside the built pages. The plain Markdown must be there. */
export function writeLlms({ dist, base, facts }) {
  const { description, home, groups } = facts;
  const head = `# Inboard\n\n> ${description}.\n\n${home.description}\n`;
  const sections = groups.flatMap((group) => list(group, OPTIONAL.has(group.text) ? 'Optional' : undefined));
  const merged = new Map();
  for (const { text, lines } of sections) merged.set(text, [...(merged.get(text) ?? []), ...lines]);
  const contents = Array.from(merged, ([text, lines]) => `## ${text}\n\n${lines.join('\n')}\n`);
  writeFileSync(
    join(dist, 'llms.txt'),
    [head, `All guides in one file: ${base}llms-full.txt\n`, ...contents].join('\n'),
  );

  const guides = groups.filter(({ text }) => !OPTIONAL.has(text)).flatMap(({ pages }) => pages);
  const texts = [home, ...guides].map(
    ({ plain }) => `<!-- ${base}${plain} -->\n\n${readFileSync(join(dist, plain), 'utf8').trim()}\n`,
  );
  writeFileSync(join(dist, 'llms-full.txt'), texts.join('\n'));

  function list({ text, pages, groups: inner }, under) {
    const lines = pages.map(
      (page) =>
        `- [${page.title}](${base}${page.plain})${page.description && `: ${firstSentence(page.description)}`}`,
    );
    return [{ text: under ?? text, lines }, ...inner.flatMap((group) => list(group, under))];
  }
}

function firstSentence(text) {
  return /^.+?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
