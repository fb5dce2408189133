import { describe, expect, it, vi } from 'vitest';
import {
  createElicitationAnswerer,
  createUserDialogAnswerer,
} from '../../../src/answer/permissions/answer-dialog.js';
import { LEFT_OPEN, NOT_OURS } from '../../../src/wire/protocol/answer.js';
import type { OnElicitation, OnUserDialog } from '../../../src/wire/protocol/config/user-questions.js';

const ignore = (): void => {};
const context = { requestId: 'r1', signal: new AbortController().signal };

describe('an elicitation', () => {
  const request = {
    subtype: 'elicitation',
    mcp_server_name: 's',
    message: 'Who?',
    mode: 'form',
    url: 'https://x.test',
    elicitation_id: 'e1',
    requested_schema: { type: 'object' },
    property_order: ['b', 'a'],
    title: 'T',
    display_name: 'D',
    description: 'X',
  };

  it('is declined without a callback, so that the server is not left waiting', async () => {
    expect(await createElicitationAnswerer(undefined, ignore)(request, context)).toEqual({
      action: 'decline',
    });
  });

  it('reaches the callback in camel case, and its answer goes back unchanged', async () => {
    const answer = { action: 'accept' as const, content: { name: 'me' } };
    const onElicitation = vi.fn<OnElicitation>(() => Promise.resolve(answer));
    expect(await createElicitationAnswerer(onElicitation, ignore)(request, context)).toBe(answer);
    expect(onElicitation).toHaveBeenCalledWith(
      {
        serverName: 's',
        message: 'Who?',
        mode: 'form',
        url: 'https://x.test',
        elicitationId: 'e1',
        requestedSchema: { type: 'object' },
        propertyOrder: ['b', 'a'],
        title: 'T',
        displayName: 'D',
        description: 'X',
      },
      { signal: context.signal, requestId: 'r1' },
    );
  });

  it('answered with null is left open', async () => {
    expect(await createElicitationAnswerer(() => Promise.resolve(null), ignore)(request, context)).toBe(
      LEFT_OPEN,
    );
  });

  it('whose callback fails is refused, and only the host is told why', async () => {
    const onFailure = vi.fn();
    const answerer = createElicitationAnswerer(() => {
      throw new Error('secret');
    }, onFailure);
    await expect(answerer(request, context)).rejects.toThrow(/^The callback "onElicitation" failed$/);
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        code: 'DIALOG_CALLBACK_FAILED',
        message: expect.stringContaining('secret') as string,
      }),
    );
  });
});

describe('an invalid answer', () => {
  const NONSENSE = [undefined, true, 'accept', [], {}, { action: 'allow' }, { behavior: 'allow' }];

  it.each(NONSENSE)('such as %j is refused, never taken for consent', async (answer) => {
    const texts: string[] = [];
    const onFailure = (error: Error): void => void texts.push(error.message);
    const elicitation = createElicitationAnswerer(() => Promise.resolve(answer as never), onFailure);
    await expect(elicitation({}, context)).rejects.toThrow('"onElicitation" failed');
    const dialog = createUserDialogAnswerer(() => Promise.resolve(answer as never), onFailure);
    await expect(dialog({}, context)).rejects.toThrow('"onUserDialog" failed');
    expect(texts).toEqual([
      expect.stringMatching(/"action" is one of "accept", "decline", "cancel"/),
      expect.stringMatching(/"behavior" is one of "completed", "cancelled"/),
    ]);
  });
});

describe('a dialog', () => {
  const request = {
    subtype: 'request_user_dialog',
    dialog_kind: 'k1',
    payload: { a: 1 },
    tool_use_id: 'tu1',
  };

  it('without a callback is left to another client', async () => {
    expect(await createUserDialogAnswerer(undefined, ignore)(request, context)).toBe(NOT_OURS);
  });

  it('reaches the callback in camel case, and its answer goes back unchanged', async () => {
    const answer = { behavior: 'completed' as const, result: 7 };
    const onUserDialog = vi.fn<OnUserDialog>(() => Promise.resolve(answer));
    expect(await createUserDialogAnswerer(onUserDialog, ignore)(request, context)).toBe(answer);
    expect(onUserDialog).toHaveBeenCalledWith(
      { dialogKind: 'k1', payload: { a: 1 }, toolUseID: 'tu1' },
      { signal: context.signal, requestId: 'r1' },
    );
  });

  it('answered with null is left open, and one that fails is refused', async () => {
    expect(await createUserDialogAnswerer(() => Promise.resolve(null), ignore)(request, context)).toBe(
      LEFT_OPEN,
    );
    await expect(
      createUserDialogAnswerer(() => Promise.reject(new Error('secret')), ignore)(request, context),
    ).rejects.toThrow(/^The callback "onUserDialog" failed$/);
  });
});
