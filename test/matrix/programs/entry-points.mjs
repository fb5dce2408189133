// Every entry point of the package, imported: each gives the names that it gives to the Node the matrix was started with.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('node_modules/inboard/package.json', 'utf8'));
// What is for Temporal's sandbox needs Temporal's library.
const left = (entryPoint) => entryPoint.endsWith('.json') || entryPoint === './temporal/workflow';
const entryPoints = Object.keys(manifest.exports).filter((entryPoint) => !left(entryPoint));
const names = {};
for (const entryPoint of entryPoints) {
  const specifier = entryPoint.replace('.', manifest.name);
  names[specifier] = Object.keys(await import(specifier)).toSorted();
}

// Entry points and names without which nothing else here could be written; `sdk-tools` and `types` have types only.
const needed = {
  inboard: ['query', 'run', 'startup', 'tool', 'createSdkMcpServer', 'InboardError'],
  'inboard/core': [],
  'inboard/testing': ['startScriptedModel', 'createFakeCli', 'createToolHarness', 'callTool'],
  'inboard/trace': [],
  'inboard/otel': [],
  'inboard/ui': ['createUiChat', 'toNodeListener', 'toUiMessages', 'toUiResponse', 'toUiStream'],
  'inboard/sdk-tools': [],
};
for (const [entryPoint, wanted] of Object.entries(needed)) {
  assert.ok(entryPoint in names, `${entryPoint} is no entry point`);
  for (const name of wanted)
    assert.ok(names[entryPoint].includes(name), `${entryPoint} does not give ${name}`);
  if (entryPoint !== 'inboard/sdk-tools')
    assert.ok(names[entryPoint].length > 0, `${entryPoint} gives no names`);
}
assert.deepEqual(names, JSON.parse(readFileSync('names.json', 'utf8')));
