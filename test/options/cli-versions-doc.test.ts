import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  EVENT_VERSIONS,
  LEAST_VERSIONS,
  NEWEST_VERSION,
  OLDEST_VERSION,
} from '../../src/options/option-versions.js';

const page = readFileSync(new URL('../../docs/cli-versions.md', import.meta.url), 'utf8');

describe('the page about CLI versions', () => {
  it('has the numbers that are used', () => {
    const rows = [...page.matchAll(/^\| `([\w.]+)`( [\w -]+)? \| (\d+\.\d+\.\d+) \|$/gm)];
    const written = rows.map(([, name, form = '', version]) => [`${name}${form}`, version]);
    expect(Object.fromEntries(written)).toStrictEqual({ ...LEAST_VERSIONS, ...EVENT_VERSIONS });
    expect(new Set(written.map(([name]) => name)).size).toBe(written.length);
  });

  it('names the supported range', () => {
    expect(page).toContain(`| ${OLDEST_VERSION} to ${NEWEST_VERSION} | supported |`);
  });
});
