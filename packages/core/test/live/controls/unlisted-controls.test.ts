// Controls without official types: the request each one puts, and what becomes of the answer.
import { describe, expect, it } from 'vitest';
import { ControlRequestError } from '../../../src/errors.js';
import { createUnlistedControls } from '../../../src/live/controls/control-methods.js';
import type { UnlistedControls } from '../../../src/live/controls/controls.js';

function setUp(reply: unknown) {
  const sent: object[] = [];
  const controls = createUnlistedControls({
    request: (request) => {
      sent.push(request);
      return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
    },
  });
  return { controls, sent };
}

/** A call, the request it puts, and what it makes of a full and of an absent answer. */
type Row = [string, (controls: UnlistedControls) => Promise<unknown>, object, unknown, unknown];

const FULL = { title: 'T', response: 'R', synthetic: true, cancelled: true };
const ROWS: Row[] = [
  [
    'generateSessionTitle',
    (c) => c.generateSessionTitle('d', { persist: true }),
    { subtype: 'generate_session_title', description: 'd', persist: true },
    'T',
    null,
  ],
  [
    'generateSessionTitle without options',
    (c) => c.generateSessionTitle('d'),
    { subtype: 'generate_session_title', description: 'd' },
    'T',
    null,
  ],
  [
    'askSideQuestion',
    (c) => c.askSideQuestion('q'),
    { subtype: 'side_question', question: 'q' },
    { response: 'R', synthetic: true },
    null,
  ],
  [
    'cancelAsyncMessage',
    (c) => c.cancelAsyncMessage('u'),
    { subtype: 'cancel_async_message', message_uuid: 'u' },
    true,
    false,
  ],
  ['getStatus', (c) => c.getStatus(), { subtype: 'get_status' }, FULL, undefined],
  ['getPlan', (c) => c.getPlan(), { subtype: 'get_plan' }, FULL, undefined],
  ['exportConversation', (c) => c.exportConversation(), { subtype: 'export_conversation' }, FULL, undefined],
  ['setCwd', (c) => c.setCwd('/x'), { subtype: 'set_cwd', path: '/x' }, FULL, undefined],
  [
    'setPromptSuggestionsPaused',
    (c) => c.setPromptSuggestionsPaused(true),
    { subtype: 'set_prompt_suggestions_paused', paused: true },
    undefined,
    undefined,
  ],
  [
    'mcpAuthenticate',
    (c) => c.mcpAuthenticate('s', 'http://localhost/'),
    { subtype: 'mcp_authenticate', serverName: 's', redirectUri: 'http://localhost/' },
    FULL,
    undefined,
  ],
  [
    'mcpSubmitOAuthCallbackUrl',
    (c) => c.mcpSubmitOAuthCallbackUrl('s', 'http://localhost/?code=1'),
    { subtype: 'mcp_oauth_callback_url', serverName: 's', callbackUrl: 'http://localhost/?code=1' },
    FULL,
    undefined,
  ],
  [
    'mcpClearAuth',
    (c) => c.mcpClearAuth('s'),
    { subtype: 'mcp_clear_auth', serverName: 's' },
    FULL,
    undefined,
  ],
  [
    'enableChannel',
    (c) => c.enableChannel('s'),
    { subtype: 'channel_enable', serverName: 's' },
    undefined,
    undefined,
  ],
  [
    'enableRemoteControl',
    (c) => c.enableRemoteControl(true, 'n'),
    { subtype: 'remote_control', enabled: true, name: 'n' },
    FULL,
    undefined,
  ],
  [
    'claudeAuthenticate',
    (c) => c.claudeAuthenticate(true),
    { subtype: 'claude_authenticate', loginWithClaudeAi: true },
    FULL,
    undefined,
  ],
  [
    'claudeOAuthCallback',
    (c) => c.claudeOAuthCallback('code', 'state'),
    { subtype: 'claude_oauth_callback', authorizationCode: 'code', state: 'state' },
    FULL,
    undefined,
  ],
  [
    'claudeOAuthWaitForCompletion',
    (c) => c.claudeOAuthWaitForCompletion(),
    { subtype: 'claude_oauth_wait_for_completion' },
    FULL,
    undefined,
  ],
];

describe('a control without official types', () => {
  it.each(ROWS)('%s', async (_name, call, request, full, absent) => {
    const { controls, sent } = setUp(FULL);
    expect(await call(controls)).toEqual(full);
    expect(sent).toEqual([request]);
    expect(await call(setUp(undefined).controls)).toEqual(absent);
  });

  it.each(ROWS)("%s hands on the CLI's refusal", async (_name, call) => {
    const refusal = new ControlRequestError('x', 'no such request');
    await expect(call(setUp(refusal).controls)).rejects.toBe(refusal);
  });

  it('is in the table, every one of them', () => {
    const tried = new Set(ROWS.map(([name]) => String(name.split(' ')[0])));
    expect([...tried].toSorted()).toEqual(Object.keys(setUp({}).controls).toSorted());
  });
});
