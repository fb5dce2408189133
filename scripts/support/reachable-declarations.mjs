// The compiler emits a declaration for every source file; a user's compiler reads those that an entry point leads to. The others
// are a third of the bytes and more than half of the files (docs/decisions/2026-11-16-package.md).
import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const RELATIVE_MODULE = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.js['"]/g;

/** Removes the declarations below `folder` that none of `entryPoints` (paths in it) leads to, and folders left empty. */
export function removeUnreachable(folder, entryPoints) {
  const reached = new Set();
  const reach = (path) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const [, module] of readFileSync(path, 'utf8').matchAll(RELATIVE_MODULE))
      reach(join(dirname(path), `${module}.d.ts`));
  };
  for (const entryPoint of entryPoints) reach(join(folder, entryPoint));
  removeOthers(folder, reached);
}

function removeOthers(folder, kept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeOthers(path, kept);
    else if (path.endsWith('.d.ts') && !kept.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
