import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { createPermissionAnswerer } from '../../../src/answer/permissions/answer-permission.js';
import { LEFT_OPEN } from '../../../src/wire/protocol/answer.js';
import type { CallIdentity } from '../../../src/wire/protocol/call-identity.js';
import type {
  CanUseTool,
  CanUseToolOptions,
  PermissionResult,
} from '../../../src/wire/protocol/control/permission-question.js';

const INPUT = { command: 'ls' };
const identify = (): CallIdentity => ({ callKey: 'call_1', attempt: 1 });

const ignore = (): void => {};

async function answerOf(
  canUseTool: CanUseTool | undefined,
  more: object = {},
  onFailure: (error: Error) => void = ignore,
): Promise<unknown> {
  const controller = new AbortController();
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: INPUT, tool_use_id: 'tu1', ...more };
  return await createPermissionAnswerer(
    canUseTool,
    identify,
    onFailure,
  )(request, {
    requestId: 'r1',
    signal: controller.signal,
  });
}

const returning =
  (value: unknown): CanUseTool =>
  () =>
    Promise.resolve(value as PermissionResult);

describe('an allow', () => {
  it('always carries the input: 2.1.33 denies the call otherwise', async () => {
    expect(await answerOf(returning({ behavior: 'allow' }))).toEqual({
      behavior: 'allow',
      updatedInput: INPUT,
      toolUseID: 'tu1',
    });
  });

  it('takes the input, the permissions and everything else the callback gives', async () => {
    const decision = {
      behavior: 'allow',
      updatedInput: { command: 'pwd' },
      updatedPermissions: [{ type: 'setMode', mode: 'plan', destination: 'session' }],
      decisionClassification: 'user_permanent',
      note: 'mine',
    };
    expect(await answerOf(returning(decision))).toEqual({ ...decision, toolUseID: 'tu1' });
  });

  it('is always about the tool use that was asked about', async () => {
    expect(await answerOf(returning({ behavior: 'allow', toolUseID: 'another' }))).toMatchObject({
      toolUseID: 'tu1',
    });
  });

  it('leaves keys out that are null: the CLI would deny the call', async () => {
    const decision = {
      behavior: 'allow',
      updatedInput: null,
      updatedPermissions: undefined,
      interrupt: null,
    };
    const answer = await answerOf(returning(decision));
    expect(Object.keys(answer as object).sort()).toEqual(['behavior', 'toolUseID', 'updatedInput']);
    expect(answer).toMatchObject({ updatedInput: INPUT });
  });

  it('is what it was when it was given, whatever becomes of the object', async () => {
    const updatedInput = { command: 'ls', deep: [{ n: 1 }] };
    const answer = await answerOf(returning({ behavior: 'allow', updatedInput }));
    updatedInput.deep.push({ n: 2 });
    expect(answer).toMatchObject({ updatedInput: { command: 'ls', deep: [{ n: 1 }] } });
  });

  it('is read as JSON where it holds more than that', async () => {
    const updatedInput = { at: new Date(0), none: NaN, list: [undefined], call: () => {}, ['__proto__x']: 1 };
    expect(await answerOf(returning({ behavior: 'allow', updatedInput }))).toMatchObject({
      updatedInput: { at: '1970-01-01T00:00:00.000Z', none: null, list: [null], ['__proto__x']: 1 },
    });
  });

  it('may come without a promise', async () => {
    const canUseTool = (() => ({ behavior: 'allow' })) as unknown as CanUseTool;
    expect(await answerOf(canUseTool)).toMatchObject({ behavior: 'allow' });
  });
});

describe('a denial', () => {
  it('passes its message and interrupt on', async () => {
    expect(await answerOf(returning({ behavior: 'deny', message: 'no', interrupt: true }))).toEqual({
      behavior: 'deny',
      message: 'no',
      interrupt: true,
      toolUseID: 'tu1',
    });
    expect(await answerOf(returning({ behavior: 'deny', message: '' }))).toMatchObject({ message: '' });
  });

  it('without a message gets one: the CLI calls it invalid otherwise', async () => {
    expect(await answerOf(returning({ behavior: 'deny', interrupt: null }))).toEqual({
      behavior: 'deny',
      message: 'The permission callback denied the call',
      toolUseID: 'tu1',
    });
  });
});

describe('what fails is denied, and only the host is told why', () => {
  const bare: unknown = Object.create(null);

  it.each<[string, CanUseTool, RegExp]>([
    [
      'a throw',
      () => {
        throw new Error('boom');
      },
      /about Bash, failed: boom/,
    ],
    ['a rejection', () => Promise.reject(new Error('boom')), /about Bash, failed: boom/],
    ['an error without a text', () => Promise.reject(new TypeError()), /about Bash, failed: TypeError/],
    // oxlint-disable-next-line prefer-promise-reject-errors -- callbacks do
    ['a rejected string', () => Promise.reject('plain'), /about Bash, failed: plain/],
    // oxlint-disable-next-line prefer-promise-reject-errors -- callbacks do
    ['a rejected thing without a text', () => Promise.reject(bare), /about Bash, failed: something/],
    ['undefined', returning(undefined), /returned undefined; expected/],
    ['true', returning(true), /returned true/],
    ['a word', returning('allow'), /returned "allow"/],
    ['an array', returning([{ behavior: 'allow' }]), /returned \[object Object\]/],
    ['an array of things without a text', returning([bare]), /returned something/],
    ['an object without a behavior', returning({ x: 1 }), /whose behavior is "undefined"/],
    ['another behavior', returning({ behavior: 'ask' }), /whose behavior is "ask"/],
    ['a behavior without a text', returning({ behavior: bare }), /whose behavior is "something/],
    ['"Allow"', returning({ behavior: 'Allow' }), /whose behavior is "Allow"/],
    ['"allow "', returning({ behavior: 'allow ' }), /whose behavior is "allow "/],
    ['"allowed"', returning({ behavior: 'allowed' }), /whose behavior is "allowed"/],
    ['a list as behavior', returning({ behavior: ['allow'] }), /whose behavior is "allow"/],
    ['the answer of a hook', returning({ permissionDecision: 'allow' }), /whose behavior is "undefined"/],
    ['{ allow: true }', returning({ allow: true }), /whose behavior is "undefined"/],
    ['JSON', returning('{"behavior":"allow"}'), /returned "{/],
    ['a Map', returning(new Map([['behavior', 'allow']])), /whose behavior is "undefined"/],
    ['an inherited behavior', returning(Object.create({ behavior: 'allow' })), /whose behavior is "allow"/],
    [
      'a getter that throws',
      returning({
        get behavior() {
          throw new Error('hands off');
        },
      }),
      /cannot be read as JSON \(hands off\)/,
    ],
    [
      'a revoked proxy',
      () => {
        const { proxy, revoke } = Proxy.revocable({ behavior: 'allow' }, {});
        const promise = Promise.resolve(proxy as PermissionResult);
        revoke();
        return promise;
      },
      /cannot be read as JSON/,
    ],
    ['an input without JSON', returning({ behavior: 'allow', updatedInput: { big: 1n } }), /as JSON/],
    ['an input that is a Map', returning({ behavior: 'allow', updatedInput: new Map() }), /not an object/],
    ['an input that is false', returning({ behavior: 'allow', updatedInput: false }), /not an object/],
    ['an input that is a Date', returning({ behavior: 'allow', updatedInput: new Date(0) }), /not an object/],
    ['an input that is a word', returning({ behavior: 'allow', updatedInput: 'ls' }), /not an object/],
    ['an input that is a list', returning({ behavior: 'allow', updatedInput: ['ls'] }), /not an object/],
  ])('%s', async (_, canUseTool, text) => {
    const failures: Error[] = [];
    const answer = await answerOf(canUseTool, {}, (error) => failures.push(error));
    expect(answer).toEqual({
      behavior: 'deny',
      message: 'The permission callback failed, so the call was denied',
      toolUseID: 'tu1',
    });
    expect(failures).toEqual([
      expect.objectContaining({
        code: 'PERMISSION_CALLBACK_FAILED',
        message: expect.stringMatching(text) as string,
      }),
    ]);
  });

  it('a missing callback', async () => {
    expect(await answerOf(undefined)).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('canUseTool') as string,
    });
  });
});

it('a callback that gives up because its signal fired is no failure', async () => {
  const failures: Error[] = [];
  const controller = new AbortController();
  const waiting: CanUseTool = (_name, _input, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('given up')));
    });
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: INPUT, tool_use_id: 'tu1' };
  const answer = createPermissionAnswerer(waiting, identify, (error) => failures.push(error))(request, {
    requestId: 'r1',
    signal: controller.signal,
  });
  controller.abort();
  expect(await answer).toMatchObject({ behavior: 'deny' });
  expect(failures).toEqual([]);
});

describe('null', () => {
  it('leaves the question open', async () => {
    expect(await answerOf(returning(null))).toBe(LEFT_OPEN);
  });
});

describe('the callback', () => {
  it('receives everything the CLI sent, in camel case', async () => {
    const canUseTool = vi.fn(returning({ behavior: 'allow' }));
    await answerOf(canUseTool, {
      permission_suggestions: [{ type: 'setMode' }],
      blocked_path: '/etc',
      mcp_server: { name: 's', source: 'sdk' },
      decision_reason: 'because',
      decision_reason_type: 'rule',
      server_policy_ask_only: true,
      title: 'T',
      display_name: 'D',
      description: 'X',
      default_to_no: true,
      suppress_always_allow_rule: true,
      agent_id: 'agent',
      requires_user_interaction: true,
      classifier_approvable: false,
      matched_ask_rule: { source: 'user', tool_name: 'Bash', rule_content: 'rm *' },
    });
    const [name, input, options] = canUseTool.mock.calls[0] ?? [];
    expect([name, input]).toEqual(['Bash', INPUT]);
    const { signal, ...facts } = options ?? ({} as never);
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(facts).toEqual({
      toolUseID: 'tu1',
      requestId: 'r1',
      callKey: 'call_1',
      attempt: 1,
      suggestions: [{ type: 'setMode' }],
      blockedPath: '/etc',
      mcpServer: { name: 's', source: 'sdk' },
      decisionReason: 'because',
      decisionReasonType: 'rule',
      serverPolicyAskOnly: true,
      title: 'T',
      displayName: 'D',
      description: 'X',
      defaultToNo: true,
      suppressAlwaysAllowRule: true,
      agentID: 'agent',
      requiresUserInteraction: true,
      classifierApprovable: false,
      matchedAskRule: { source: 'user', toolName: 'Bash', ruleContent: 'rm *' },
    });
  });

  it('finds undefined where the CLI sent nothing', async () => {
    const canUseTool = vi.fn(returning({ behavior: 'allow' }));
    await answerOf(canUseTool);
    const options = canUseTool.mock.calls[0]?.[2];
    expect(options).toMatchObject({ toolUseID: 'tu1', requestId: 'r1' });
    expect(options?.suggestions).toBeUndefined();
    expect(options?.matchedAskRule).toBeUndefined();
    expect(options?.agentID).toBeUndefined();
  });

  it('may copy, wrap and print what it is given', async () => {
    const canUseTool = vi.fn(returning({ behavior: 'allow' }));
    await answerOf(canUseTool);
    const options = canUseTool.mock.calls[0]?.[2] as CanUseToolOptions;
    const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(options)) as CanUseToolOptions;
    for (const form of [options, { ...options }, copy, new Proxy(options, {}), Object.create(options)]) {
      const { callKey, attempt, signal } = form as CanUseToolOptions;
      expect({ callKey, attempt, signal }).toEqual({ ...identify(), signal: options.signal });
    }
    expect(Object.getPrototypeOf(options)).toBe(Object.prototype);
    expect(Object.keys(options)).toEqual(expect.arrayContaining(['signal', 'callKey', 'attempt']));
    expect(inspect(options)).not.toContain('source');
  });

  it('creates no signal unless it reads it', async () => {
    const context = { requestId: 'r', signal: undefined as unknown as AbortSignal };
    const look = vi.fn(() => new AbortController().signal);
    Object.defineProperty(context, 'signal', { get: look });
    await createPermissionAnswerer(
      returning({ behavior: 'allow' }),
      identify,
      ignore,
    )({ input: {} }, context);
    expect(look).not.toHaveBeenCalled();
  });
});

// As CLI 2.1.325 and 2.1.33 wrote them, with paths and ids shortened.
const RECORDED = [
  '{"subtype":"can_use_tool","tool_name":"Bash","display_name":"Bash","input":{"command":"touch child"},"description":"touch child","permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"touch child *"}],"behavior":"allow","destination":"localSettings"},{"type":"addDirectories","directories":["/w"],"destination":"session"},{"type":"setMode","mode":"acceptEdits","destination":"session"}],"blocked_path":"/w/child","tool_use_id":"toolu_4","agent_id":"a52692249bb3a7680"}',
  '{"subtype":"can_use_tool","tool_name":"mcp__demo__k","mcp_server":{"name":"demo","source":"sdk"},"display_name":"K","input":{"a":1},"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"mcp__demo__k"}],"behavior":"allow","destination":"localSettings"}],"server_policy_ask_only":true,"tool_use_id":"toolu_0"}',
  '{"subtype":"can_use_tool","tool_name":"Bash","display_name":"Bash","input":{"command":"touch made"},"description":"touch made","decision_reason":"let me ask","decision_reason_type":"hook","tool_use_id":"toolu_1"}',
  '{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"touch child"},"permission_suggestions":[{"type":"addDirectories","directories":["/w"],"destination":"session"}],"blocked_path":"/w/child","tool_use_id":"toolu_4","agent_id":"a84bebd"}',
];

it.each(RECORDED)('loses nothing of the question %s', async (line) => {
  const request = JSON.parse(line) as Record<string, unknown>;
  const callback = vi.fn(returning({ behavior: 'allow' }));
  await createPermissionAnswerer(
    callback,
    identify,
    ignore,
  )(request, {
    requestId: 'r1',
    signal: new AbortController().signal,
  });
  const [toolName, input, options] = callback.mock.calls[0] ?? ['', {}, {}];
  const { signal: _signal, requestId: _requestId, callKey, attempt, ...told } = options as CanUseToolOptions;
  expect({ callKey, attempt }).toEqual(identify());
  const heard = [toolName, input, ...Object.values(told).filter((value) => value !== undefined)];
  const { subtype: _subtype, ...said } = request;
  expect(heard).toHaveLength(Object.keys(said).length);
  expect(heard).toEqual(expect.arrayContaining(Object.values(said)));
});
