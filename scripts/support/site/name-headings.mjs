// Anchors of the reference's headings. TypeDoc writes one before each name; on the site it is the heading's own. Headings like
// "Properties", which every name has, are called after the name they stand under.
import { blankCode, slugify } from './markdown.mjs';

/** The text with an id behind each heading, in VitePress's notation. */
export function nameHeadings(text) {
  const joined = text.replaceAll(/^<a id="([^"]+)"><\/a>\n+(#+ .*)$/gm, '$2 {#$1}');
  const prose = blankCode(joined).split('\n');
  const counts = new Map();
  let above = 'page';
  return joined
    .split('\n')
    .map((line, index) => {
      const title = /^#{1,6} (.*)$/.exec(prose[index] === '' ? '' : line)?.[1];
      if (title === undefined || !prose[index].startsWith('#')) return line;
      const own = /\{#([^}]+)\}$/.exec(title)?.[1];
      if (own !== undefined) {
        above = own;
        return line;
      }
      const name = `${above}--${slugify(title)}`;
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return `${line} {#${name}${count === 0 ? '' : `-${count}`}}`;
    })
    .join('\n');
}
