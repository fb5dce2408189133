// Links between the Markdown files of the repository, looked at without building anything.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listAnchors, listLinks } from './markdown.mjs';
import { findTarget } from './rewrite-links.mjs';

/**
 * Every link on `files` that leads to no file below `root`, or to no heading of it, as a sentence.
 * @param {string} root
 * @param {string[]} files
 * @param {(file: string) => string} read
 * @returns {string[]}
 */
export function findBrokenLinks(root, files, read = (file) => readFileSync(join(root, file), 'utf8')) {
  const anchors = new Map();
  const anchorsOf = (file) => {
    if (!anchors.has(file)) anchors.set(file, listAnchors(read(file)));
    return anchors.get(file);
  };
  return files.flatMap((file) =>
    listLinks(read(file)).flatMap(({ target, line }) => {
      if (/^[a-z][a-z+.-]*:/i.test(target)) return [];
      const found = findTarget(root, file, target);
      const isHere = target.startsWith('#');
      if (!isHere && !found?.isFile) return [`${file}:${line} links to ${target}, which does not exist`];
      if (!found?.anchor || !found.path.endsWith('.md') || anchorsOf(found.path).has(found.anchor)) return [];
      return [`${file}:${line} links to ${target}, a heading that is not on that page`];
    }),
  );
}
