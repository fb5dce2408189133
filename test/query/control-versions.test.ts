import { describe, expect, it } from 'vitest';
import { ControlRequestError } from '../../src/errors.js';
import { checkControl } from '../../src/query/control-versions.js';

describe('control requests of old CLIs', () => {
  it('refuses what the oldest CLI would never answer', () => {
    expect(() => checkControl('get_context_usage', '2.1.33')).toThrow(ControlRequestError);
    expect(() => checkControl('get_context_usage', '2.1.33')).toThrow(
      expect.objectContaining({ errorCode: 'unsupported_request', subtype: 'get_context_usage' }),
    );
  });

  it.each([
    ['interrupt', '2.1.33'],
    ['get_context_usage', '2.1.325'],
    ['no_such_thing', '2.1.44'],
    ['no_such_thing', undefined],
  ])('lets %s through on %s', (subtype, version) => {
    expect(() => checkControl(subtype, version)).not.toThrow();
  });
});
