// A resume that started something else, as the messages of a session show it; and messages that a part cannot read.
import { describe, expect, it } from 'vitest';
import type { InboardWarning } from '../../src/options/check/warning.js';
import type { WireObject } from '../../src/wire/protocol/codec.js';
import { MessageRouter } from '../../src/live/message-router.js';
import { WarningReporter } from '../../src/options/check/warning-reporter.js';

const ASKED = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';
const THIRD = '00000000-0000-4000-8000-000000000003';
const system = (subtype: string, session_id: string): WireObject => ({ type: 'system', subtype, session_id });

function follow(...messages: WireObject[]): { road: MessageRouter; warnings: InboardWarning[] } {
  const warnings: InboardWarning[] = [];
  const options = { resume: ASKED, onWarning: (warning: InboardWarning) => void warnings.push(warning) };
  const road = new MessageRouter({
    options,
    warnings: new WarningReporter(options),
    observers: [],
    pass: () => {},
  });
  for (const message of messages) road.receive(message, JSON.stringify(message));
  return { road, warnings };
}

describe('a session other than the one to resume', () => {
  it('is reported though messages with its id came before the first one', () => {
    const { road, warnings } = follow(
      system('session_state_changed', OTHER),
      system('hook_started', OTHER),
      system('init', OTHER),
    );
    expect(warnings).toMatchObject([
      { code: 'SESSION_NOT_FOUND', error: { sessionId: ASKED, startedSessionId: OTHER } },
    ]);
    expect(road.sessionId).toBe(OTHER);
  });

  it('is reported once, and not when it was begun later', () => {
    expect(follow(system('init', OTHER), system('init', THIRD)).warnings).toHaveLength(1);
    expect(follow(system('init', ASKED), system('init', OTHER)).warnings).toEqual([]);
  });
});

it('a message that one part cannot read reaches the others and the program, and a warning says so', () => {
  const warnings: InboardWarning[] = [];
  const options = { onWarning: (warning: InboardWarning) => void warnings.push(warning) };
  const seen: string[] = [];
  const observe = (name: string) => ({ observe: () => void seen.push(name) });
  const fails = {
    observe: () => {
      throw new TypeError('Cannot convert object to primitive value');
    },
  };
  const router = new MessageRouter({
    options,
    warnings: new WarningReporter(options),
    observers: [observe('first'), fails, observe('last')],
    pass: () => void seen.push('program'),
  });
  router.receive(system('init', OTHER), JSON.stringify(system('init', OTHER)));
  expect(seen).toEqual(['first', 'last', 'program']);
  expect(warnings).toMatchObject([{ code: 'MALFORMED_FRAME' }]);
  expect(warnings[0]?.message).toContain('could not be read in all its parts');
  expect(router.sessionId).toBe(OTHER);
});
