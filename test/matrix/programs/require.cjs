// CommonJS: require() gives the same package, the same names and the same objects as import().
'use strict';
const assert = require('node:assert/strict');

const doors = ['inboard', 'inboard/core', 'inboard/testing', 'inboard/trace', 'inboard/otel'];

async function compareDoors() {
  for (const door of doors) {
    const required = require(door);
    const imported = await import(door);
    const names = Object.keys(imported);
    assert.ok(names.length > 0, `${door} gives no names`);
    for (const name of names)
      assert.equal(required[name], imported[name], `${name} of ${door} is not the same`);
  }
}

const { query, tool, createSdkMcpServer } = require('inboard');
for (const value of [query, tool, createSdkMcpServer]) assert.equal(typeof value, 'function');
void compareDoors();
