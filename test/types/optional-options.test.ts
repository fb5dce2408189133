// Options take `undefined` where they may be left out, also in projects with `exactOptionalPropertyTypes`, which this one
// is not. Programs that build their options from variables rely on it; test/outsider checks it with a compiler.
import { expect, it } from 'vitest';
import { readSourceFiles } from '../package/project.js';

it.each(['packages/core/src/options/options.ts', 'packages/core/src/live/tooling/name-tools.ts'])(
  'every optional option of %s admits undefined',
  (path) => {
    const fields = [...(readSourceFiles().get(path) ?? '').matchAll(/^ {2}(\w+)\?: ([^;]*?);$/gms)];
    expect(fields.length).toBeGreaterThan(2);
    const refusing = fields.filter(([, , type = '']) => !/\bundefined$|^unknown$/.test(type));
    expect(refusing.map(([, name]) => name)).toEqual([]);
  },
);
