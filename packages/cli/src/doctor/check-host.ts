// Checks the host: its Node, whether it can load TypeScript, and which copies of this package a project sees.
import { join } from 'node:path';
import { findTypeScriptLoader } from '../tools-file/jiti.js';
import { findOwnPackage, PACKAGE_NAME, readManifest } from '../tools-file/own-package.js';
import type { Check } from './check.js';
import { listCopies } from './package-copies.js';

const MIN_NODE = 20;

/** Whether this Node is new enough, and how it loads TypeScript. */
export function checkNode(cwd: string, version = process.versions.node): Check {
  const found = { id: 'node', title: 'Node' };
  if (Number.parseInt(version, 10) < MIN_NODE) {
    return {
      ...found,
      status: 'failed',
      detail: `${version} is too old`,
      advice: `Install Node ${MIN_NODE} or newer.`,
    };
  }
  const loader = findTypeScriptLoader(join(cwd, 'tools.ts'));
  if (loader === 'none') {
    return {
      ...found,
      status: 'note',
      detail: `${version}; tools files in TypeScript cannot be loaded`,
      advice:
        'Run "npm install --save-dev jiti", use Node 22.18 or newer, or write tools files in JavaScript.',
    };
  }
  const how = loader === 'runtime' ? 'by the runtime itself' : 'through jiti';
  return { ...found, status: 'ok', detail: `${version}; loads TypeScript ${how}` };
}

/** Whether the copy of this package that runs is the only one that the project sees. */
export function checkPackage(cwd: string): Check {
  const found = { id: 'package', title: 'Package' };
  const own = findOwnPackage();
  const running = `${PACKAGE_NAME} ${own?.manifest.version ?? 'unknown'}${own ? ` at ${own.folder}` : ''}`;
  const others = listCopies(cwd).filter((folder) => folder !== own?.folder);
  if (others.length === 0) return { ...found, status: 'ok', detail: running };
  const described = others.map((folder) => `${readManifest(folder)?.version ?? 'unknown'} at ${folder}`);
  return {
    ...found,
    status: 'note',
    detail: `${running}; there is another copy: ${described.join(', ')}`,
    advice:
      'Copies do not recognize the servers, tools and errors of each other. Run the command as "npx inboard" in the ' +
      'project, and "npm dedupe" if the project itself has several.',
  };
}
