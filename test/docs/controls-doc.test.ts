// The page on controls: its versions are those that refusals name.
import { describe, expect, it } from 'vitest';
import { CONTROLS, OLDEST } from '../../packages/core/src/live/controls/control-table.js';
import { knowsControl } from '../../packages/core/src/live/controls/control-versions.js';
import { readProjectFile } from '../package/project.js';

/** The version before. */
function previous(version: string): string {
  const [major = '', minor = '', patch = ''] = version.split('.');
  return [major, minor, Number(patch) - 1].join('.');
}

describe('docs/controls.md', () => {
  const rows = Array.from(
    readProjectFile('docs/controls.md').matchAll(/^\| `(\w+)` \|.*\| (2\.[\d.]+) \|$/gm),
    ([, request = '', since = '']) => [request, since] as const,
  );

  it('has a table of versions', () => {
    expect(rows.length).toBeGreaterThan(20);
  });

  it('has every method that not all supported CLIs know', () => {
    const younger = Object.values(CONTROLS).flatMap((row) =>
      'since' in row && row.since !== OLDEST ? [row.subtype] : [],
    );
    expect(younger.filter((subtype) => !rows.some(([request]) => request === subtype))).toEqual([]);
  });

  it.each(rows)('says since when there is %s', (request, since) => {
    expect(knowsControl(request, since)).toBe(true);
    expect(knowsControl(request, previous(since))).toBe(false);
  });
});
