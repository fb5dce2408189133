// Leads the links of a page to where things are on the site: pages to their address, pictures to a copy, files of the
// repository to the code host, or, where none is named, nowhere: their text stays.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listAnchors, listLinks } from './markdown.mjs';

const PICTURE = /\.(png|svg|jpg|webp|gif)$/;
const ELSEWHERE = /^[a-z][a-z+.-]*:/i;

/**
 * The page's text with its links led on. `places` maps files to `{ address, text }`; `keepPicture(file)` tells a picture's
 * address. Links that lead nowhere are added to `faults` as sentences.
 */
export function rewriteLinks({ root, file, text, places, keepPicture, repository, faults }) {
  let result = '';
  let last = 0;
  for (const link of listLinks(text)) {
    const address = resolveLink(link);
    if (address === undefined) {
      const bare = unlink(text, link, last);
      if (bare === undefined) continue;
      result += text.slice(last, bare.start) + bare.text;
      last = bare.end;
    } else {
      result += text.slice(last, link.start) + address;
      last = link.end;
    }
  }
  return result + text.slice(last);

  function resolveLink({ target, line }) {
    if (ELSEWHERE.test(target) || target.startsWith('//')) return target;
    const found = findTarget(root, file, target);
    if (found === undefined || !found.isFile) {
      faults.push(`${file}:${line} links to ${target}, which does not exist`);
      return target;
    }
    const page = places.get(found.path) ?? places.get(posix.join(found.path, 'README.md'));
    const hash = found.anchor === undefined ? '' : `#${found.anchor}`;
    if (page !== undefined) {
      if (found.anchor !== undefined && !listAnchors(page.text).has(found.anchor))
        faults.push(`${file}:${line} links to ${target}, a heading that is not on that page`);
      return page.address + hash;
    }
    if (PICTURE.test(found.path)) return keepPicture(found.path);
    if (repository === undefined) return undefined;
    return `${repository.replace(/\/$/, '')}/${found.path}${hash}`;
  }
}

/** The file of the repository a link leads to, from its root; undefined when it leads out of it. */
export function findTarget(root, file, target) {
  const [path, anchor] = target.split('#');
  const name = decodeURIComponent(path.split('?')[0]);
  const full = name === '' ? file : posix.normalize(posix.join(posix.dirname(file), name));
  if (full.startsWith('..') || posix.isAbsolute(name)) return undefined;
  const isFile = existsSync(join(root, full));
  return { path: full.replace(/\/$/, ''), anchor, isFile };
}

// [text](target) becomes text.
function unlink(text, link, from) {
  const close = text.indexOf(')', link.end);
  const middle = text.lastIndexOf('](', link.start);
  const open = findOpening(text, middle, from);
  if (open === undefined || close < 0) return undefined;
  return { start: open, end: close + 1, text: text.slice(open + 1, middle) };
}

function findOpening(text, close, from) {
  let depth = 0;
  for (let place = close - 1; place >= from; place -= 1) {
    if (text[place] === ']') depth += 1;
    if (text[place] === '[' && depth === 0) return place;
    if (text[place] === '[') depth -= 1;
  }
  return undefined;
}
