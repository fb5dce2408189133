// Permissions: what a callback is given and what it may answer.
import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  PermissionMode,
  PermissionUpdate,
} from '../../packages/core/src/wire/protocol/control/permissions.js';
import type {
  CanUseTool,
  CanUseToolOptions,
  CanUseToolRequest,
  PermissionResult,
} from '../../packages/core/src/wire/protocol/control/permission-question.js';

describe('CanUseTool', () => {
  it('takes the answers people write', async () => {
    const update: PermissionUpdate = {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'git *' }],
      behavior: 'allow',
      destination: 'session',
    };
    const answers: CanUseTool[] = [
      async () => ({ behavior: 'allow' }),
      async (_tool, input) => ({ behavior: 'allow', updatedInput: input }),
      async (_tool, _input, { suggestions }) => ({ behavior: 'allow', updatedPermissions: suggestions }),
      async () => ({ behavior: 'allow', updatedPermissions: [update] }),
      async (tool) => ({ behavior: 'deny', message: `no ${tool}` }),
      async () => ({ behavior: 'deny', message: 'stop', interrupt: true }),
      async () => null,
    ];
    const options: CanUseToolOptions = {
      signal: new AbortController().signal,
      toolUseID: 'toolu_1',
      requestId: 'r1',
    };
    const results = await Promise.all(answers.map((answer) => answer('Bash', { command: 'ls' }, options)));
    expect(results.map((result) => result?.behavior)).toEqual([
      'allow',
      'allow',
      'allow',
      'allow',
      'deny',
      'deny',
      undefined,
    ]);
  });

  it('refuses a denial without a message, which the CLI calls invalid', () => {
    // @ts-expect-error `message` is required.
    const silent: PermissionResult = { behavior: 'deny' };
    // @ts-expect-error An answer is allow or deny.
    const undecided: PermissionResult = { behavior: 'ask' };
    // @ts-expect-error The CLI refuses null where a record belongs.
    const empty: PermissionResult = { behavior: 'allow', updatedInput: null };
    expect([silent, undecided, empty]).toHaveLength(3);
  });

  it('can be told every field the CLI sends', () => {
    type Translated = {
      tool_use_id: 'toolUseID';
      permission_suggestions: 'suggestions';
      blocked_path: 'blockedPath';
      decision_reason: 'decisionReason';
      decision_reason_type: 'decisionReasonType';
      classifier_approvable: 'classifierApprovable';
      suppress_always_allow_rule: 'suppressAlwaysAllowRule';
      server_policy_ask_only: 'serverPolicyAskOnly';
      default_to_no: 'defaultToNo';
      matched_ask_rule: 'matchedAskRule';
      title: 'title';
      display_name: 'displayName';
      description: 'description';
      agent_id: 'agentID';
      mcp_server: 'mcpServer';
      requires_user_interaction: 'requiresUserInteraction';
    };
    expectTypeOf<keyof Translated | 'tool_name' | 'input'>().toEqualTypeOf<keyof CanUseToolRequest>();
    expectTypeOf<
      Translated[keyof Translated] | 'signal' | 'requestId' | 'callKey' | 'attempt' | 'sessionId'
    >().toEqualTypeOf<keyof CanUseToolOptions>();
  });
});

describe('PermissionUpdate', () => {
  it('has six kinds', () => {
    expectTypeOf<PermissionUpdate['type']>().toEqualTypeOf<
      'addRules' | 'replaceRules' | 'removeRules' | 'setMode' | 'addDirectories' | 'removeDirectories'
    >();
    expectTypeOf<Extract<PermissionUpdate, { type: 'setMode' }>['mode']>().toEqualTypeOf<PermissionMode>();
  });
});
