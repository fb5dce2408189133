// What a guard may answer before something happens. A no is heard in whatever words it is said; what is not understood is a no;
// what the official SDK would send, and the CLI read, goes as it is.
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createHookRegistry } from '../../../src/answer/hooks/hook-registry.js';
import { allow, deny } from '../../../src/answer/permissions/decisions.js';
import { isRecord } from '../../../src/util/guards.js';
import type {
  HookCallback,
  HookCallbackMatcher,
  HookEvent,
} from '../../../src/wire/protocol/hooks/hook-callback.js';
import { propertyOptions } from '../../../../../test/support/seed.js';

const BEFORE = [
  'PreToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'PreModelSwitch',
  'Elicitation',
] as const satisfies HookEvent[];
type Before = (typeof BEFORE)[number];
type Fields = Record<string, unknown>;

/** What stops the event on the real CLI, as measured: see docs/discoveries/hooks-and-permissions.md. */
const STOPS: Record<Before, (output: Fields, specific: Fields) => boolean> = {
  PreToolUse: (output, { permissionDecision }) =>
    permissionDecision === 'deny' || (output['decision'] === 'block' && permissionDecision === undefined),
  PermissionRequest: (_, { decision }) => isRecord(decision) && decision['behavior'] === 'deny',
  UserPromptSubmit: ({ decision }) => decision === 'block',
  UserPromptExpansion: ({ decision }) => decision === 'block',
  PreModelSwitch: ({ decision }, { permissionDecision }) =>
    permissionDecision === 'deny' || decision === 'block',
  Elicitation: ({ decision }) => decision === 'block',
};

async function give(event: HookEvent, value: unknown, more: Partial<HookCallbackMatcher> = {}) {
  const warnings: { code: string; message: string }[] = [];
  const { answer } = createHookRegistry(
    { [event]: [{ hooks: [(() => value) as unknown as HookCallback], ...more }] },
    { onFailure: (error) => warnings.push(error) },
  );
  const context = { requestId: 'r1', signal: new AbortController().signal };
  const sent = await new Promise((resolve) => {
    resolve(answer({ callback_id: 'hook_0', input: { hook_event_name: event } }, context));
  }).catch((error: unknown) => ({ error }));
  return { sent, warnings };
}

function isStopped(event: Before, sent: unknown): boolean {
  if (!isRecord(sent) || sent['async'] === true) return false;
  const specific = sent['hookSpecificOutput'] ?? {};
  if (!isRecord(specific) || (specific['hookEventName'] ?? event) !== event) return false;
  return STOPS[event](sent, specific);
}

/** Warnings about an answer that is understood. */
const HARMLESS = new Set(['HOOK_FIELD_UNKNOWN', 'HOOK_DECISION_MISSING']);
const reasonIn = (sent: unknown): string => JSON.stringify(sent);
const inside = (fields: object) => ({ hookSpecificOutput: fields });

class Verdict {
  get decision() {
    return 'block';
  }
}

class Refusal {
  deny = true;
}

const throwing = {
  get decision(): string {
    throw new Error('unreadable');
  },
};
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error('hands off');
    },
    ownKeys() {
      throw new Error('hands off');
    },
  },
);

const NOT_UNDERSTOOD: [string, unknown][] = [
  ['{ deny: true }', { deny: true }],
  ['{ block: true }', { block: true }],
  ['{ blocked: true }', { blocked: true }],
  ['{ allow: false }', { allow: false }],
  ['{ approve: false }', { approve: false }],
  ['{ ok: false }', { ok: false }],
  ['{ ok: true }', { ok: true }],
  ['{ logged: 1 }', { logged: 1 }],
  ['{ deny: true } with a reason', { deny: true, reason: 'why' }],
  ['a no beside a yes', { continue: true, block: true }],
  ['a no beside a message', { systemMessage: 'careful', blocked: true }],
  ['a no beside context', inside({ additionalContext: 'x', denied: 'yes' })],
  ['a misspelled field', inside({ permisionDecision: 'deny', additionalContext: 'x' })],
  ['a reason beside a verdict of its own', { verdict: 'unsafe', reason: 'why' }],
  ['permissionDecision at the top', { permissionDecision: 'deny' }],
  ['"allow" at the top', { permissionDecision: 'allow' }],
  ['"denied"', inside({ permissionDecision: 'denied' })],
  ['"Deny"', inside({ permissionDecision: 'Deny' })],
  ['"deny "', inside({ permissionDecision: 'deny ' })],
  ['a list as decision', inside({ permissionDecision: ['deny'] })],
  ['true as decision', inside({ permissionDecision: true })],
  ['decision inside', inside({ decision: 'deny' })],
  ['block inside', inside({ decision: 'block', reason: 'why' })],
  ['an unknown field inside', inside({ foo: 1 })],
  ['another event', inside({ hookEventName: 'PostToolUse', permissionDecision: 'deny' })],
  ['another event that allows', inside({ hookEventName: 'Stop', permissionDecision: 'allow' })],
  ['its own event in small letters', inside({ hookEventName: 'pretooluse', permissionDecision: 'allow' })],
  ['{ decision: "deny" }', { decision: 'deny' }],
  ['{ decision: "Block" }', { decision: 'Block' }],
  ['{ decision: "allow" }', { decision: 'allow' }],
  ['{ decision: false }', { decision: false }],
  ['{ decision: deny() }', { decision: deny('why') }],
  ['{ decision: allow() }', { decision: allow() }],
  ['{ continue: "false" }', { continue: 'false' }],
  ['{ continue: 0 }', { continue: 0 }],
  ['{ continue: NaN }', { continue: Number.NaN }],
  ['{ continue: false, reason: 5 }', { continue: false, reason: 5 }],
  ['{ continue: true, reason: 5 }', { continue: true, reason: 5 }],
  ['{ suppressOutput: "yes" }', { suppressOutput: 'yes' }],
  ['{ systemMessage: 5 } with a block', { systemMessage: 5, decision: 'block' }],
  ['hookSpecificOutput as text', { hookSpecificOutput: 'deny' }],
  ['hookSpecificOutput as a list', { hookSpecificOutput: [{ permissionDecision: 'deny' }] }],
  ['hookSpecificOutput as a Map', { hookSpecificOutput: new Map([['permissionDecision', 'deny']]) }],
  ['hookSpecificOutput that was not awaited', { hookSpecificOutput: Promise.resolve({}) }],
  ['nested once more', { hookOutput: inside({ permissionDecision: 'deny' }) }],
  ['nested in itself', inside(inside({ permissionDecision: 'deny' }))],
  ['{ behavior: "denied" }', { behavior: 'denied', message: 'why' }],
  ['{ behavior: "Allow" }', { behavior: 'Allow' }],
  ['a yes and a no at once', { ...allow(), decision: 'block' }],
  ['allow() beside { deny: true }', { ...allow(), deny: true }],
  ['allow() with an input that is none', { behavior: 'allow', updatedInput: 'x' }],
  ['{ async: true } with a block', { async: true, decision: 'block' }],
  ['{ async: true } with { deny: true }', { async: true, deny: true }],
  ['{ async: true } that ends the turn', { async: true, continue: false }],
  ['{ async: true } with hookSpecificOutput', { async: true, ...inside({ additionalContext: 'x' }) }],
  ['{ async: "true" }', { async: 'true' }],
  ['{ async: true } with a time that is none', { async: true, asyncTimeout: '5' }],
  ['"deny"', 'deny'],
  ['"allow"', 'allow'],
  ['an empty text', ''],
  ['JSON', '{"decision":"block"}'],
  ['false', false],
  ['true', true],
  ['0', 0],
  ['1n', 1n],
  ['a symbol', Symbol('no')],
  ['a function', () => deny('why')],
  ['[]', []],
  ['["deny"]', ['deny']],
  ['[deny()]', [deny('why')]],
  ['a Map', new Map([['decision', 'block']])],
  ['a Set', new Set(['deny'])],
  ['a Date', new Date(0)],
  ['an Error', new Error('no')],
  ['an Error with fields', Object.assign(new Error('no'), { code: 'EDENY' })],
  ['a class with getters', new Verdict()],
  ['a class with fields', new Refusal()],
  ['an object that inherits', Object.create({ decision: 'block' })],
  ['hidden fields', Object.defineProperty({}, 'decision', { value: 'block' })],
  ['a symbol as field', { [Symbol('decision')]: 'block' }],
  ['functions in fields', { decision: () => 'block' }],
  ['what toJSON makes of it', { toJSON: () => ({ deny: true }) }],
  ['a getter that throws', throwing],
  ['a getter that throws inside', { hookSpecificOutput: throwing }],
  ['a revoked proxy', revoked()],
  ['a hostile proxy', hostile],
  [
    'a cycle',
    Object.assign(Object.create(null), {
      continue: true,
      get self(): unknown {
        return this;
      },
    }),
  ],
];

describe.each(BEFORE)('%s', (event) => {
  it('takes what it does not understand for a no, and says what to write', async () => {
    for (const [title, value] of NOT_UNDERSTOOD) {
      for (const failClosed of [false, true]) {
        const { sent, warnings } = await give(event, value, { failClosed });
        expect(isStopped(event, sent), `${title}: ${JSON.stringify(sent)}`).toBe(true);
        expect(warnings, title).toMatchObject([
          { code: 'HOOK_OUTPUT_INVALID', message: expect.stringContaining('To refuse, return {') as string },
        ]);
      }
    }
  });

  it.each([undefined, null, {}, Object.create(null), { reason: null }, runInNewContext('({})')])(
    'hears nothing in %j',
    async (value: unknown) => {
      expect(await give(event, value)).toEqual({ sent: {}, warnings: [] });
      expect(await give(event, Promise.resolve(value))).toEqual({ sent: {}, warnings: [] });
    },
  );

  it('understands deny(), wherever it comes from, with its reason', async () => {
    for (const value of [
      deny('why'),
      Promise.resolve(deny('why')),
      JSON.parse(JSON.stringify(deny('why'))),
    ]) {
      const { sent, warnings } = await give(event, value);
      expect(isStopped(event, sent)).toBe(true);
      expect(reasonIn(sent)).toContain('"why"');
      expect(warnings).toEqual([]);
    }
    expect(isStopped(event, (await give(event, { behavior: 'deny' })).sent)).toBe(true);
    expect(isStopped(event, (await give(event, { behavior: 'deny', message: 5 })).sent)).toBe(true);
  });

  it('understands allow()', async () => {
    const { sent, warnings } = await give(event, allow());
    expect(isStopped(event, sent)).toBe(false);
    expect(warnings).toEqual([]);
    const changed = await give(event, allow({ input: { safe: true } }));
    // Where no input can be changed, to go on with the old one is not what was allowed.
    const isCarried = event === 'PreToolUse' || event === 'PermissionRequest';
    expect(isStopped(event, changed.sent)).toBe(!isCarried);
    expect(JSON.stringify(changed.sent).includes('"updatedInput":{"safe":true}')).toBe(isCarried);
  });

  it('carries the reason of a no in the wrong words, and of nothing else', async () => {
    const clear = [
      { deny: true, reason: 'why' },
      { deny: 'why' },
      { blocked: true, message: 'why' },
      { decision: 'deny', reason: 'why' },
      { permissionDecision: 'deny', permissionDecisionReason: 'why' },
      inside({ decision: deny('why'), foo: 1, hookEventName: 'Stop' }),
      { allow: false, stopReason: 'why' },
    ];
    for (const value of clear) expect(reasonIn((await give(event, value)).sent)).toContain('"why"');
    for (const value of [{ secret: 'why' }, { ok: true, reason: 'why' }, 'why', new Error('why')]) {
      const { sent } = await give(event, value);
      expect(isStopped(event, sent)).toBe(true);
      expect(reasonIn(sent)).not.toContain('why');
    }
  });

  it('takes only fields it does not know for a no, beside its own name too', async () => {
    const { sent } = await give(event, inside({ hookEventName: event, foo: 1 }));
    expect(isStopped(event, sent)).toBe(true);
    expect((await give(event, inside({ hookEventName: event }))).warnings).toEqual([]);
  });

  it('warns of unknown fields beside a valid answer, and names them', async () => {
    const { sent, warnings } = await give(event, { continue: true, trace: 1 });
    expect(sent).toEqual({ continue: true, trace: 1 });
    expect(warnings).toMatchObject([
      { code: 'HOOK_FIELD_UNKNOWN', message: expect.stringContaining('"trace"') as string },
    ]);
  });
});

describe.each(BEFORE)('a reason without a decision, in answer to %s', (event) => {
  it.each([
    { reason: 'not allowed' },
    { stopReason: 'not allowed' },
    inside({ hookEventName: event, ...(event === 'PreToolUse' && { permissionDecisionReason: 'no' }) }),
  ])('goes as it is, with a warning: %j', async (value) => {
    const { sent, warnings } = await give(event, value);
    expect(sent).toEqual(value);
    const hasReason = JSON.stringify(value).includes('eason');
    expect(warnings.map(({ code }) => code)).toEqual(hasReason ? ['HOOK_DECISION_MISSING'] : []);
    if (hasReason) expect(warnings[0]?.message).toContain('To refuse, return {');
  });

  it.each([
    { continue: true, reason: 'fine' },
    { decision: 'approve', reason: 'fine' },
  ])('is not what %j is', async (value) => expect((await give(event, value)).warnings).toEqual([]));
});

describe('an answer that the official SDK would send', () => {
  it.each<[HookEvent, object]>([
    ...BEFORE.flatMap((event): [HookEvent, object][] => [
      [event, { continue: true }],
      [event, { continue: false, stopReason: 'enough' }],
      [event, { async: true }],
      [event, { async: true, asyncTimeout: 5 }],
      [event, { async: false }],
      [event, { suppressOutput: true }],
      [event, { systemMessage: 'seen' }],
      [event, { decision: 'approve', reason: 'fine' }],
    ]),
    ...(
      ['PreToolUse', 'UserPromptSubmit', 'UserPromptExpansion', 'PreModelSwitch', 'Elicitation'] as const
    ).map((event): [HookEvent, object] => [event, { decision: 'block', reason: 'no' }]),
    ...['allow', 'deny', 'ask', 'defer'].map((permissionDecision): [HookEvent, object] => [
      'PreToolUse',
      inside({ hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: 'r' }),
    ]),
    ['PreToolUse', inside({ hookEventName: 'PreToolUse', updatedInput: { keep: null, list: [] } })],
    ['PreToolUse', inside({ hookEventName: 'PreToolUse', additionalContext: 'deny' })],
    [
      'PreToolUse',
      { decision: 'approve', ...inside({ hookEventName: 'PreToolUse', permissionDecision: 'deny' }) },
    ],
    ['PreToolUse', { decision: 'block', ...inside({ hookEventName: 'PreToolUse', additionalContext: 'x' }) }],
    ['PermissionRequest', inside({ hookEventName: 'PermissionRequest', decision: deny('no') })],
    [
      'PermissionRequest',
      inside({
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'allow', updatedInput: {}, updatedPermissions: [] },
      }),
    ],
    [
      'UserPromptSubmit',
      inside({ hookEventName: 'UserPromptSubmit', additionalContext: 'x', sessionTitle: 't' }),
    ],
    ['PreModelSwitch', inside({ hookEventName: 'PreModelSwitch', permissionDecision: 'ask' })],
    ['Elicitation', inside({ hookEventName: 'Elicitation', action: 'accept', content: { name: 'Ada' } })],
    [
      'PostToolUse',
      { decision: 'block', reason: 'r', ...inside({ hookEventName: 'PostToolUse', updatedToolOutput: [1] }) },
    ],
    ['Stop', { decision: 'block', reason: 'go on' }],
    ['SessionStart', inside({ hookEventName: 'SessionStart', watchPaths: ['/a'], reloadSkills: true })],
    [
      'Tomorrow' as HookEvent,
      { newField: 1, ...inside({ hookEventName: 'Tomorrow', more: [1] }), continue: true },
    ],
  ])('to %s, %j, goes as it is', async (event, value) => {
    const { sent, warnings } = await give(event, value);
    expect(sent).toEqual(value);
    if (event !== ('Tomorrow' as HookEvent)) expect(warnings).toEqual([]);
    expect((await give(event, Promise.resolve(value), { failClosed: true })).sent).toEqual(value);
  });
});

describe('a no that the CLI has a field for, and does not hear', () => {
  it('is said again where it listens: an action of Elicitation', async () => {
    for (const event of ['Elicitation', 'ElicitationResult'] as const) {
      for (const action of ['decline', 'cancel']) {
        const { sent, warnings } = await give(event, inside({ action }));
        expect(sent).toEqual({ decision: 'block', ...inside({ hookEventName: event, action }) });
        expect(warnings).toEqual([]);
      }
    }
  });

  it('is said where it listens: a block of PermissionRequest, or a block beside another decision', async () => {
    for (const [event, value] of [
      ['PermissionRequest', { decision: 'block', reason: 'why' }],
      ['PermissionRequest', { decision: 'block', reason: 'why', ...inside({ decision: allow() }) }],
      // 2.1.33 would run the tool.
      ['PreToolUse', { decision: 'block', reason: 'why', ...inside({ permissionDecision: 'allow' }) }],
      ['PreToolUse', { decision: 'block', reason: 'why', ...inside({ permissionDecision: 'ask' }) }],
    ] as const) {
      const { sent, warnings } = await give(event, value);
      expect(isStopped(event, sent)).toBe(true);
      expect(reasonIn(sent)).toContain('"why"');
      expect(warnings).toMatchObject([{ code: 'HOOK_OUTPUT_INVALID' }]);
    }
  });

  it.each([
    { permissionDecision: 'deny', permissionDecisionReason: 5 },
    { permissionDecision: 'deny', additionalContext: 5 },
    { permissionDecision: 'allow', updatedInput: [] },
    { permissionDecision: 'allow', updatedInput: new Map() },
  ])('is a no although the CLI could not read it: PreToolUse %j', async (fields) => {
    expect(isStopped('PreToolUse', (await give('PreToolUse', inside(fields))).sent)).toBe(true);
  });

  it.each([
    { behavior: 'deny', message: 5 },
    { behavior: 'deny', message: 'no', interrupt: 'yes' },
    { behavior: 'allow', updatedInput: [1] },
    { behavior: 'allow', updatedPermissions: 'all' },
    { behavior: 'ask' },
    { message: 'no' },
    'deny',
  ])('is a no although the CLI could not read it: PermissionRequest %j', async (decision) => {
    const { sent } = await give('PermissionRequest', inside({ decision }));
    expect(isStopped('PermissionRequest', sent)).toBe(true);
  });
});

it('a field of hookSpecificOutput that stands beside it is not understood, whatever else is there', async () => {
  for (const value of [{ additionalContext: 'x' }, { updatedInput: {} }, { permissionDecision: 'allow' }]) {
    const { sent, warnings } = await give('PreToolUse', { continue: true, ...value });
    expect(isStopped('PreToolUse', sent)).toBe(true);
    expect(warnings[0]?.message).toContain('it belongs inside');
  }
});

describe('deny()', () => {
  it('that interrupts ends the turn as well', async () => {
    const given = deny('why', { interrupt: true });
    expect((await give('PreToolUse', given)).sent).toEqual({
      continue: false,
      stopReason: 'why',
      ...inside({ hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'why' }),
    });
    expect((await give('PermissionRequest', given)).sent).toEqual(
      inside({ hookEventName: 'PermissionRequest', decision: given }),
    );
  });

  it('stops a compaction, and is only warned of where the tool has run', async () => {
    expect((await give('PreCompact', deny('why'))).sent).toEqual({ decision: 'block', reason: 'why' });
    for (const event of ['PostToolUse', 'PostToolBatch', 'Stop', 'Notification'] as const) {
      expect((await give(event, deny('why'))).warnings).toMatchObject([{ code: 'HOOK_OUTPUT_INVALID' }]);
    }
    expect((await give('PostToolUse', deny('why'), { failClosed: true })).sent).toEqual({
      continue: false,
      stopReason: 'why',
    });
  });

  it('and rules to remember: allowed, with a warning where there is no field for them', async () => {
    const given = allow({ remember: [{ type: 'setMode', mode: 'plan', destination: 'session' }] });
    expect(await give('PreToolUse', given)).toMatchObject({
      sent: inside({ permissionDecision: 'allow' }),
      warnings: [
        { code: 'HOOK_FIELD_UNKNOWN', message: expect.stringContaining('updatedPermissions') as string },
      ],
    });
    expect((await give('PermissionRequest', given)).sent).toEqual(
      inside({ hookEventName: 'PermissionRequest', decision: given }),
    );
  });
});

describe('where nothing is about to happen', () => {
  const AFTER: [HookEvent, object | undefined][] = [
    ['PostToolUse', { continue: false }],
    ['PostToolBatch', { continue: false }],
    ['PreCompact', { decision: 'block' }],
    ['ElicitationResult', { decision: 'block' }],
    ['Stop', undefined],
    ['Notification', undefined],
    ['SessionEnd', undefined],
  ];

  it.each(AFTER)(
    'an answer to %s that is not understood is a warning, and a no only with failClosed',
    async (event, no) => {
      for (const value of [
        'deny',
        false,
        ['deny'],
        { deny: true },
        { ok: true },
        { decision: 'deny' },
        new Map(),
      ]) {
        const { sent, warnings } = await give(event, value);
        expect(warnings).toMatchObject([{ code: 'HOOK_OUTPUT_INVALID' }]);
        // An error, which the CLI treats as an empty answer, or fields it does not know.
        expect(isRecord(sent) && (sent['error'] !== undefined || 'deny' in sent || 'ok' in sent)).toBe(true);
        const closed = await give(event, value, { failClosed: true });
        if (no) expect(closed.sent).toMatchObject(no);
      }
    },
  );
});

describe('any value at all', () => {
  const text = z.string().nullish();
  const common = {
    async: z.boolean().nullish(),
    asyncTimeout: z.number().nullish(),
    continue: z.boolean().nullish(),
    suppressOutput: z.boolean().nullish(),
    stopReason: text,
    decision: z.enum(['approve', 'block']).nullish(),
    reason: text,
    systemMessage: text,
    terminalSequence: text,
  };
  const input = z.record(z.string(), z.unknown()).nullish();
  const specific: Record<Before, z.ZodRawShape> = {
    PreToolUse: {
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).nullish(),
      permissionDecisionReason: text,
      updatedInput: input,
      additionalContext: text,
    },
    PermissionRequest: {
      decision: z
        .discriminatedUnion('behavior', [
          z.looseObject({ behavior: z.literal('allow'), updatedInput: input }),
          z.looseObject({ behavior: z.literal('deny'), message: text, interrupt: z.boolean().nullish() }),
        ])
        .nullish(),
    },
    UserPromptSubmit: {
      additionalContext: text,
      sessionTitle: text,
      suppressOriginalPrompt: z.boolean().nullish(),
    },
    UserPromptExpansion: { additionalContext: text, suppressOriginalPrompt: z.boolean().nullish() },
    PreModelSwitch: {
      permissionDecision: z.enum(['allow', 'deny', 'ask']).nullish(),
      permissionDecisionReason: text,
    },
    Elicitation: { action: z.enum(['accept', 'decline', 'cancel']).nullish(), content: input },
  };
  const schemaOf = (event: Before) =>
    z.looseObject({
      ...common,
      hookSpecificOutput: z
        .looseObject({ ...specific[event], hookEventName: z.literal(event).nullish() })
        .nullish(),
    });
  const word = fc.constantFrom(
    'deny',
    'allow',
    'block',
    'approve',
    'decline',
    'accept',
    'ask',
    'Denied',
    'x',
    '',
  );
  const leaf = fc.oneof(word, fc.boolean(), fc.constant(null), fc.integer(), fc.anything({ maxDepth: 1 }));
  const decision = fc.oneof(leaf, fc.record({ behavior: word, message: leaf }, { requiredKeys: [] }));
  const fields = {
    hookEventName: fc.oneof(fc.constantFrom(...BEFORE), word),
    permissionDecision: leaf,
    permissionDecisionReason: leaf,
    updatedInput: leaf,
    additionalContext: leaf,
    decision,
    action: leaf,
    deny: leaf,
    other: leaf,
  };
  const top = {
    async: fc.oneof(fc.boolean(), leaf),
    continue: leaf,
    decision,
    reason: leaf,
    systemMessage: leaf,
    behavior: leaf,
    message: leaf,
    updatedInput: leaf,
    block: leaf,
    other: leaf,
    hookSpecificOutput: fc.oneof(leaf, fc.record(fields, { requiredKeys: [] })),
  };
  const anything = fc.oneof(
    { weight: 4, arbitrary: fc.record(top, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.record({ hookSpecificOutput: fc.record(fields, { requiredKeys: [] }) }) },
    { weight: 1, arbitrary: fc.anything({ withBigInt: true, withMap: true, withDate: true }) },
  );

  it.each(BEFORE)('in answer to %s is valid, says nothing, or is a no', async (event) => {
    const schema = schemaOf(event);
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        const { sent, warnings } = await give(event, value);
        if (isStopped(event, sent)) return;
        expect(sent).not.toHaveProperty('error');
        // It passes: then the CLI reads every field of it, ...
        expect(schema.safeParse(sent).error).toBeUndefined();
        if (JSON.stringify(sent) === '{}') return;
        // ... it is what was returned, or allow(), ...
        const given = value as { behavior?: unknown; hookSpecificOutput?: object };
        if (given.behavior !== undefined && given.behavior !== null) {
          expect(given.behavior).toBe('allow');
          return;
        }
        expect(schema.safeParse(value).error).toBeUndefined();
        // ... and no known field or other one says no in it, unless it ends the turn.
        const { continue: _, ...rest } = sent as Record<string, unknown>;
        expect(JSON.stringify(rest)).not.toMatch(
          /"(?:decision|permissionDecision|behavior|action)":"(?:deny|block|decline)"/,
        );
        expect(JSON.stringify(rest)).not.toMatch(/"(?:deny|block)":true/);
        expect(warnings.map(({ code }) => code).filter((code) => !HARMLESS.has(code))).toEqual([]);
      }),
      propertyOptions(100),
    );
  });
});
