// MCP servers that ask the user something in the middle of a tool call.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { deny, text, toolUse, type Options } from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';
import { kindsOf, readRest } from '../support/talk.js';

type OnElicitation = NonNullable<Options['onElicitation']>;

const SERVER = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../../fixtures/eliciting-server.mjs', import.meta.url))],
  alwaysLoad: true,
};
const OPTIONS: Options = { mcpServers: { eliciting: SERVER }, allowedTools: ['mcp__eliciting'] };

/** What the server was told, in the order in which it asked. */
function heardByServer(stage: Stage): unknown[] {
  return stage.model.conversation
    .flatMap(({ toolResults }) => toolResults)
    .map(({ text: heard }) => JSON.parse(heard.split('\n')[0] ?? '') as unknown);
}

async function answerForms(cli: Cli): Promise<void> {
  const script = [1, 2, 3, 4, 5].map(() => toolUse('mcp__eliciting__ask_form', {}));
  const onElicitation = vi
    .fn<OnElicitation>()
    .mockResolvedValueOnce({ action: 'accept', content: { name: 'Ada', age: 36, member: true } })
    .mockResolvedValueOnce({ action: 'decline' })
    .mockResolvedValueOnce({ action: 'cancel' })
    .mockRejectedValueOnce(new Error('the form fell over'))
    .mockResolvedValueOnce({ action: 'allow' } as never);
  await onStage(cli, { script: [...script, text('Done.')], options: OPTIONS }, async (stage) => {
    const { query } = stage.start('Ask.', { onElicitation });
    expect(await readRest(query)).toMatchObject({ error: undefined });
    expect(heardByServer(stage)).toEqual([
      { action: 'accept', content: { name: 'Ada', age: 36, member: true } },
      { action: 'decline' },
      { action: 'cancel' },
      // What has no meaning here is cancelled there, never accepted.
      { action: 'cancel' },
      { action: 'cancel' },
    ]);
    expect(onElicitation.mock.calls[0]?.[0]).toMatchObject({
      serverName: 'eliciting',
      message: 'Who are you?',
      mode: 'form',
      requestedSchema: { type: 'object', required: ['name'] },
      propertyOrder: ['name', 'age', 'member'],
    });
  });
}

async function sendToAPage(cli: Cli): Promise<void> {
  const script = [toolUse('mcp__eliciting__ask_url', {}), text('Done.')];
  const onElicitation = vi.fn<OnElicitation>(() => Promise.resolve({ action: 'accept' }));
  await onStage(cli, { script, options: OPTIONS }, async (stage) => {
    const { query } = stage.start('Ask.', { onElicitation });
    const { messages, error } = await readRest(query);
    expect(error).toBeUndefined();
    expect(onElicitation.mock.calls[0]?.[0]).toMatchObject({
      mode: 'url',
      url: 'https://example.com/sign-in',
      elicitationId: 'visit-1',
    });
    expect(heardByServer(stage)).toEqual([{ action: 'accept' }]);
    expect(kindsOf(messages)).toContain('system/elicitation_complete');
    expect(messages).toContainEqual(
      expect.objectContaining({ mcp_server_name: 'eliciting', elicitation_id: 'visit-1' }),
    );
  });
}

async function takeBack(cli: Cli): Promise<void> {
  const script = [toolUse('mcp__eliciting__ask_and_withdraw', {}), text('Done.')];
  const folder = mkdtempSync(join(tmpdir(), 'eliciting-'));
  const tellServer = (name: string): void => writeFileSync(join(folder, name), '');
  const withdrawn = vi.fn();
  const onElicitation = vi.fn<OnElicitation>(
    (_request, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          withdrawn();
          tellServer('withdrawn');
          resolve({ action: 'accept', content: { name: 'too late' } });
        });
        tellServer('asked');
      }),
  );
  const mcpServers = { eliciting: { ...SERVER, env: { ELICITING_FOLDER: folder } } };
  try {
    await onStage(cli, { script, options: { ...OPTIONS, mcpServers } }, async (stage) => {
      const { query } = stage.start('Ask.', { onElicitation });
      expect(await readRest(query)).toMatchObject({ error: undefined });
      expect(withdrawn).toHaveBeenCalledTimes(1);
      expect(heardByServer(stage)).toEqual(['withdrawn']);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function declineWithoutACallback(cli: Cli): Promise<void> {
  const script = [toolUse('mcp__eliciting__ask_form', {}), text('Done.')];
  await onStage(cli, { script, options: OPTIONS }, async (stage) => {
    const { query } = stage.start('Ask.');
    expect(await readRest(query)).toMatchObject({ error: undefined });
    expect(heardByServer(stage)).toEqual([{ action: 'decline' }]);
  });
}

async function refuseByAHook(cli: Cli): Promise<void> {
  // What the CLI has a field for but does not listen to, what it does not know, and what it cannot read.
  const answers: unknown[] = [
    { hookSpecificOutput: { hookEventName: 'Elicitation', action: 'decline' } },
    deny('No.'),
    { deny: true },
    'decline',
  ];
  const script = [...answers, 1].map(() => toolUse('mcp__eliciting__ask_form', {}));
  const left = [...answers];
  const guard = (): Promise<never> => Promise.resolve((left.shift() ?? {}) as never);
  const onElicitation = vi.fn<OnElicitation>(() =>
    Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
  );
  await onStage(cli, { script: [...script, text('Done.')], options: OPTIONS }, async (stage) => {
    const { query } = stage.start('Ask.', { onElicitation, hooks: { Elicitation: [{ hooks: [guard] }] } });
    expect(await readRest(query)).toMatchObject({ error: undefined });
    expect(heardByServer(stage)).toEqual([
      ...answers.map(() => ({ action: 'decline' })),
      { action: 'accept', content: { name: 'Ada' } },
    ]);
    expect(onElicitation).toHaveBeenCalledTimes(1);
  });
}

async function sayThatItCannotAsk(cli: Cli): Promise<void> {
  await onStage(cli, { script: [] }, async (stage) => {
    const { query } = stage.start('Ask.', { onElicitation: () => Promise.resolve({ action: 'decline' }) });
    expect((await readRest(query)).error).toMatchObject({
      code: 'UNSUPPORTED_OPTION',
      option: 'onElicitation',
      versionNeeded: '2.1.84',
    });
  });
}

/** On the newest CLI: the oldest puts no such questions. */
export const elicitationCases: CaseSet = {
  'answers forms of servers, and cancels where the callback fails': answerForms,
  'sends the user to a page, and hears when that is done': sendToAPage,
  'stops asking when the server takes its question back': takeBack,
  'declines where nobody is there to be asked': declineWithoutACallback,
  'declines when a hook says no, in whatever words': refuseByAHook,
};

/** On the oldest CLI. */
export const noElicitationCases: CaseSet = {
  'says which CLI can ask': sayThatItCannotAsk,
};
