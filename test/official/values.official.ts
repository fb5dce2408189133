// The values both packages export: which names there are, and what the constants hold.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import * as ourCore from '../../packages/inboard/src/core.js';
import { loadBoth, type AnySdk } from './record-query.js';

// Parts of the official package that are there at run time without a type, or belong to its own services.
const ELSEWHERE = new Set([
  'CommandMatcher',
  'DirectConnectError',
  'DirectConnectTransport',
  'FileIndex',
  'parseDirectConnectUrl',
]);

let sdks: { ours: AnySdk; official: AnySdk };
beforeAll(async () => {
  sdks = await loadBoth();
});

describe('the values of the packages', () => {
  it('have the same names, and ours more', () => {
    const missing = Object.keys(sdks.official).filter((name) => !ELSEWHERE.has(name) && !(name in sdks.ours));
    expect(missing).toEqual([]);
  });

  it('have the same names behind the smaller entry point', async () => {
    const path = createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk/core');
    const official = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as object;
    expect(Object.keys(official).length).toBeGreaterThan(10);
    expect(Object.keys(official).filter((name) => !ELSEWHERE.has(name) && !(name in ourCore))).toEqual([]);
  });

  it('are of the same kind, constants the same', () => {
    for (const [name, value] of Object.entries(sdks.official)) {
      if (ELSEWHERE.has(name)) continue;
      if (typeof value === 'function') expect(typeof sdks.ours[name], name).toBe('function');
      else expect(sdks.ours[name], name).toEqual(value);
    }
  });
});

describe('what tool() makes', () => {
  it('has the same keys, in the same order', () => {
    const extras = { annotations: { readOnlyHint: true }, searchHint: 'x', alwaysLoad: true };
    for (const more of [[], [extras]]) {
      const [ours, official] = [sdks.ours, sdks.official].map((sdk) =>
        (sdk['tool'] as (...given: unknown[]) => object)('a', 'b', {}, () => undefined, ...more),
      );
      expect(Object.keys(ours ?? {})).toEqual(Object.keys(official ?? {}));
      expect({ ...ours, handler: 0 }).toEqual({ ...official, handler: 0 });
    }
  });
});
