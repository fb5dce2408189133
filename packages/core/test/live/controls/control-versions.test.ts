import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ControlRequestError, SessionClosedError } from '../../../src/errors.js';
import { CapabilityWatch } from '../../../src/live/controls/capabilities.js';
import { CONTROLS, OLDEST } from '../../../src/live/controls/control-table.js';
import {
  checkControl,
  explainRefusal,
  knowsControl,
  takesWithdrawal,
} from '../../../src/live/controls/control-versions.js';

describe('control requests of old CLIs', () => {
  it('refuses what the oldest CLI would never answer, and says what is needed', () => {
    expect(() => checkControl('stop_task', '2.1.33')).toThrow(
      expect.objectContaining({
        errorCode: 'unsupported_request',
        subtype: 'stop_task',
        versionNeeded: '2.1.44',
        message:
          'Claude CLI 2.1.33 does not know the control request "stop_task". Use version 2.1.44 or newer.',
      }),
    );
    expect(() => checkControl('no_such_thing', '2.1.33')).toThrow(/A newer one may/);
  });

  it.each([
    ['interrupt', '2.1.33'],
    ['get_context_usage', '2.1.325'],
    ['no_such_thing', '2.1.44'],
    ['no_such_thing', undefined],
  ])('lets %s through on %s', (subtype, version) => {
    expect(() => checkControl(subtype, version)).not.toThrow();
  });

  it('knows which CLI knows what, and takes an unknown one for the newest', () => {
    expect(knowsControl('interrupt', '2.1.33')).toBe(true);
    expect(knowsControl('stop_task', '2.1.43')).toBe(false);
    expect(knowsControl('stop_task', '2.1.44')).toBe(true);
    expect(knowsControl('stop_task', undefined)).toBe(true);
    expect(knowsControl('set_color', '2.1.325')).toBe(false);
    expect(knowsControl('toString', undefined)).toBe(false);
  });

  it('does not tell the oldest CLI of a request that was given up: it would end', () => {
    expect(takesWithdrawal('2.1.33')).toBe(false);
    expect(takesWithdrawal('2.1.45')).toBe(false);
    expect(takesWithdrawal('2.1.325')).toBe(true);
    expect(takesWithdrawal(undefined)).toBe(true);
  });
});

describe('the versions in the code', () => {
  const page = readFileSync(
    new URL('../../../../../docs/discoveries/cli-versions.md', import.meta.url),
    'utf8',
  );
  const [, json = '[]'] = /```json\n(.*?)```/s.exec(page) ?? [];
  const findings = JSON.parse(json) as {
    name: string;
    kind: string;
    least: string;
    absentIn: string | null;
  }[];
  const requests = findings.filter(
    ({ name, kind }) => kind === 'request' && /^\w+$/.test(name) && name !== 'control_cancel_request',
  );

  it('are there', () => {
    expect(requests.length).toBeGreaterThan(30);
    const withdrawal = findings.find(({ name }) => name === 'control_cancel_request');
    expect(takesWithdrawal(withdrawal?.least)).toBe(true);
    expect(takesWithdrawal(withdrawal?.absentIn ?? undefined)).toBe(false);
  });

  it('were found for every method that not all CLIs know', () => {
    const younger = Object.values(CONTROLS).flatMap((row) =>
      'since' in row && row.since !== OLDEST ? [row.subtype] : [],
    );
    expect(younger.length).toBeGreaterThan(20);
    expect(younger.filter((subtype) => !requests.some(({ name }) => name === subtype))).toEqual([]);
  });

  it.each(requests)('are those that were found for $name', ({ name, least, absentIn }) => {
    expect(knowsControl(name, least)).toBe(true);
    if (absentIn !== null) expect(knowsControl(name, absentIn)).toBe(false);
  });
});

describe('a refusal of the CLI', () => {
  const unknown = (subtype: string): ControlRequestError =>
    new ControlRequestError(subtype, `Unsupported control request subtype: ${subtype}`);

  it('names the version that is needed', () => {
    expect(explainRefusal(unknown('stop_task'), '2.1.40')).toMatchObject({
      subtype: 'stop_task',
      errorCode: 'unsupported_request',
      versionNeeded: '2.1.44',
    });
    const again = new ControlRequestError('initialize', 'Already initialized');
    const explained = explainRefusal(again, '2.1.33') as ControlRequestError;
    expect(explained).toMatchObject({ errorCode: 'already_initialized', subtype: 'initialize' });
    expect(explained.message).toContain(`Use version ${explained.versionNeeded ?? '?'} or newer`);
  });

  it('claims nothing where no version is known, or the CLI is new enough', () => {
    for (const error of [unknown('no_such_thing'), unknown('stop_task')]) {
      const explained = explainRefusal(error, '2.1.325') as ControlRequestError;
      expect(explained.errorCode).toBe('unsupported_request');
      expect(explained.versionNeeded).toBeUndefined();
    }
  });

  it('is passed on as it is when it is about something else', () => {
    for (const error of [
      new ControlRequestError('set_model', 'no such model'),
      new SessionClosedError(),
      'thrown',
    ]) {
      expect(explainRefusal(error, '2.1.33')).toBe(error);
    }
  });
});

describe('capabilities', () => {
  it('are those of the handshake and of the turns together', () => {
    const watch = new CapabilityWatch(() => undefined);
    expect(watch.known).toEqual({ version: undefined, names: [] });
    watch.note({ capabilities: ['a_v1'], claude_code_version: '2.1.307' });
    watch.observe({ type: 'system', subtype: 'init', capabilities: ['a_v1', 'b_v1'] });
    watch.observe({ type: 'system', subtype: 'status', capabilities: ['c_v1'] });
    expect(watch.known).toEqual({ version: '2.1.307', names: ['a_v1', 'b_v1'] });
    expect(watch.has('b_v1')).toBe(true);
    expect(watch.has('c_v1')).toBe(false);
  });

  it('include the requests the version knows', () => {
    const watch = new CapabilityWatch(() => '2.1.33');
    watch.note({ capabilities: 'nonsense' });
    expect(watch.has('interrupt')).toBe(true);
    expect(watch.has('get_task_output')).toBe(false);
  });
});
