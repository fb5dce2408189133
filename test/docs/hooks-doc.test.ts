// The lists of docs/hooks.md.
import { describe, expect, it } from 'vitest';
import { canBlock } from '../../packages/core/src/answer/hooks/block-answer.js';
import { HOOK_EVENTS } from '../../packages/core/src/wire/protocol/hooks/hook-callback.js';
import { readProjectFile } from '../package/project.js';

const page = readProjectFile('docs/hooks.md');

describe('the page about hooks', () => {
  it('counts the events there are', () => {
    expect(page).toContain(`all ${HOOK_EVENTS.length} events are typed`);
  });

  it('names every event that can be stopped', () => {
    const [, meaning = ''] = /A refusal means ([^]*?)\n\n/.exec(page) ?? [];
    const named = HOOK_EVENTS.filter((event) => meaning.includes(`\`${event}\``));
    expect(named).toEqual(HOOK_EVENTS.filter(canBlock));
  });
});
