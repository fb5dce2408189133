// The home page: the README's own sentence, install line, example and claims, laid out by site/home.md. They are written
// once, in the README, where tests run the example.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blankCode } from './markdown.mjs';

/** The page at the site's root. Throws, by name, when the README no longer has what it shows. */
export function composeHome(root) {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const watching = sectionOf(readme, 'Watch it, and steer it');
  const picture = firstMatch(watching, /(<picture>[\s\S]*?<\/picture>)/, 'a picture of the inspector');
  const parts = {
    lead: firstMatch(readme, /^# .+\n+((?:.+\n)+)/m, 'a paragraph below its title'),
    install: firstMatch(
      readme,
      /<!-- install: [^>]+-->([\s\S]+?)<!-- end of install -->/,
      'part about installing',
    ),
    example: firstMatch(
      readme,
      /(^```ts\n(?:(?!```)[\s\S])*?\btool\((?:(?!```)[\s\S])*?\n```)/m,
      'an example with a tool',
    ),
    claims: firstMatch(
      sectionOf(readme, 'What you get'),
      /((?:^- .+\n?(?:^ +.+\n?)*)+)/m,
      'list of what one gets',
    ),
    // It is on the first screen, so it is not shown again where it is explained.
    picture,
    inspector: watching.replace(picture, '').trim(),
    cost: sectionOf(readme, 'What it costs'),
  };
  const template = readFileSync(join(root, 'site/home.md'), 'utf8');
  const text = template.replaceAll(/^\[\[(\w+)\]\]$/gm, (_, name) => {
    if (parts[name] === undefined)
      throw new Error(`site/home.md asks for "${name}", which is no part of the README`);
    return parts[name];
  });
  return { file: 'site/home.md', from: 'README.md', route: '/', title: 'Inboard', text, isHome: true };
}

function firstMatch(text, pattern, what) {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`README.md has no ${what}, which the home page of the site shows`);
  return found.trim();
}

function sectionOf(readme, title) {
  const prose = blankCode(readme);
  const start = prose.indexOf(`\n## ${title}\n`);
  if (start < 0)
    throw new Error(`README.md has no section "${title}", which the home page of the site shows`);
  const body = start + `\n## ${title}\n`.length;
  const end = prose.indexOf('\n## ', body);
  return readme.slice(body, end < 0 ? undefined : end).trim();
}
