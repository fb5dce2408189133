// CommonJS: require() gives the same package, the same names and the same objects as import().
'use strict';
const assert = require('node:assert/strict');

const entryPoints = ['inboard', 'inboard/core', 'inboard/testing', 'inboard/trace', 'inboard/otel'];

async function compareEntryPoints() {
  for (const entryPoint of entryPoints) {
    const required = require(entryPoint);
    const imported = await import(entryPoint);
    const names = Object.keys(imported);
    assert.ok(names.length > 0, `${entryPoint} gives no names`);
    for (const name of names)
      assert.equal(required[name], imported[name], `${name} of ${entryPoint} is not the same`);
  }
}

const { query, tool, createSdkMcpServer } = require('inboard');
for (const value of [query, tool, createSdkMcpServer]) assert.equal(typeof value, 'function');
void compareEntryPoints();
