// What is loaded: the package's own files and their bytes, or (with "builtins") the modules of Node, or (with "unrun") the bytes
// of functions that were never called. Arguments: what is done (import, zod, json, words: a first query with one call of a tool
// with such a schema), and what is counted.
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chooseCli, readAll, report } from './session.mjs';
import { makeShapes, offerTools } from './tools.mjs';

const [work, counted] = process.argv.slice(2);
// The inspector loads modules of Node itself, so it is there only for what is counted with it.
const counter = counted === 'builtins' ? undefined : await import('./count-steps.mjs');
const shapes = work === 'import' ? undefined : await makeShapes(work);

const before = new Set(process.moduleLoadList);
counter?.startCounting();
const inboard = await import('inboard');
if (shapes) {
  const mcpServers = offerTools(inboard, shapes);
  await readAll(inboard.query({ prompt: 'go', options: { ...chooseCli({ calls: 1 }), mcpServers } }));
}

if (counted === 'unrun') {
  const files = counter.countUnrun();
  report({
    bytes: files.reduce((sum, { unrun }) => sum + unrun, 0),
    details: files.map(({ url, unrun }) => `${unrun} bytes ${url.replace(/.*\/node_modules\//, '')}`),
  });
} else if (counter) {
  const files = counter.listScripts().map((url) => ({ url, bytes: statSync(fileURLToPath(url)).size }));
  report({
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    details: files.map(({ url, bytes }) => `${bytes} bytes ${url.replace(/.*\/node_modules\//, '')}`),
  });
} else {
  const loaded = process.moduleLoadList.filter(
    (name) => name.startsWith('NativeModule ') && !before.has(name),
  );
  report({ builtins: loaded.length, details: loaded });
}
