// The code and the lists of docs/hooks.md.
import { describe, expect, it } from 'vitest';
import { canBlock } from '../../src/answer/hooks/block-answer.js';
import { HOOK_EVENTS } from '../../src/wire/protocol/hooks/hook-callback.js';
import { describePrograms } from '../package/document-programs.js';
import { readProjectFile } from '../package/project.js';

const page = readProjectFile('docs/hooks.md');

describe('the page about hooks', () => {
  describePrograms('docs/hooks.md');

  it('counts the events there are', () => {
    expect(page).toContain(`All ${HOOK_EVENTS.length} events`);
  });

  it('names every event that can be stopped', () => {
    const [, meaning = ''] = /A no means: ([^]*?)\n\n/.exec(page) ?? [];
    const named = HOOK_EVENTS.filter((event) => meaning.includes(`\`${event}\``));
    expect(named).toEqual(HOOK_EVENTS.filter(canBlock));
  });
});
