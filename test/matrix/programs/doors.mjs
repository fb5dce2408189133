// Every door of the package, imported: each gives the names that it gives to the Node the matrix was started with.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('node_modules/inboard/package.json', 'utf8'));
const doors = Object.keys(manifest.exports).filter((door) => !door.endsWith('.json'));
const names = {};
for (const door of doors) {
  const specifier = door.replace('.', manifest.name);
  names[specifier] = Object.keys(await import(specifier)).toSorted();
}

// Doors and names without which nothing else here could be written; `sdk-tools` has types only.
const needed = {
  inboard: ['query', 'run', 'startup', 'tool', 'createSdkMcpServer', 'InboardError'],
  'inboard/core': [],
  'inboard/testing': ['startScriptedModel', 'createFakeCli', 'createToolHarness', 'callTool'],
  'inboard/trace': [],
  'inboard/otel': [],
  'inboard/ui': ['createUiChat', 'toNodeListener', 'toUiMessages', 'toUiResponse', 'toUiStream'],
  'inboard/sdk-tools': [],
};
for (const [door, wanted] of Object.entries(needed)) {
  assert.ok(door in names, `${door} is no door`);
  for (const name of wanted) assert.ok(names[door].includes(name), `${door} does not give ${name}`);
  if (door !== 'inboard/sdk-tools') assert.ok(names[door].length > 0, `${door} gives no names`);
}
assert.deepEqual(names, JSON.parse(readFileSync('names.json', 'utf8')));
