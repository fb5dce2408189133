// The code of docs/coming-from-the-official-sdk.md, and the names it counts on.
import { describe, expect, it } from 'vitest';
import * as door from '../../src/doors/index.js';
import { createUnlistedControls } from '../../src/live/controls/control-methods.js';
import { describePrograms } from '../package/document-programs.js';
import { readProjectFile } from '../package/project.js';

const PAGE = 'docs/coming-from-the-official-sdk.md';
const page = readProjectFile(PAGE);

describe('the page for those who come from the official SDK', () => {
  describePrograms(PAGE);

  it('names errors that exist', () => {
    const named = Array.from(page.matchAll(/`(\w+Error)`/g), ([, name = '']) => name);
    expect(named.length).toBeGreaterThan(2);
    for (const name of named) expect(door).toHaveProperty(name);
  });

  it('names controls without a type that exist', () => {
    const controls = createUnlistedControls({ request: () => Promise.resolve() });
    const [, list = ''] = /and which programs look\s+for: ([^]*?) and others/.exec(page) ?? [];
    const named = Array.from(list.matchAll(/`(\w+)`/g), ([, name = '']) => name);
    expect(named.length).toBeGreaterThan(2);
    for (const name of named) expect(controls).toHaveProperty(name);
  });
});
