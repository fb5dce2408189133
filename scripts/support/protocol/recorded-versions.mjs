// The CLIs that the protocol is recorded on: the oldest and the newest supported one, as packages/core/src/options/supported-versions.ts has them.
import { readFileSync } from 'node:fs';

const source = readFileSync(
  new URL('../../../packages/core/src/options/supported-versions.ts', import.meta.url),
  'utf8',
);

function read(name) {
  const [, version] = new RegExp(`export const ${name} = '([^']+)'`).exec(source) ?? [];
  if (version === undefined)
    throw new Error(`packages/core/src/options/supported-versions.ts does not say ${name}`);
  return version;
}

export const OLDEST = read('OLDEST_VERSION');
export const NEWEST = read('NEWEST_VERSION');
