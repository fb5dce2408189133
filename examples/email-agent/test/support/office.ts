// The parts of the program on a mail server of a test: a script as the model, an outbox that remembers, drafts in a folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApprovals, createFileApprovalStore, type Approval } from 'inboard';
import { startOffline, type Step } from 'inboard/testing';
import { startSink } from '../../demo/mail-servers.ts';
import { createAgent } from '../../src/agent.ts';
import { openMailbox } from '../../app/mailbox.ts';

type Script = Extract<Step, (context: never) => unknown>;

export function createFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'email-agent-'));
  return {
    path,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}

/** Opened twice on one folder, the second is the first after a restart. */
export async function openOffice(url: URL, folder: string, script: Script) {
  const outbox: { raw: string; to: string[] }[] = [];
  const sink = await startSink(join(folder, 'outbox'), (raw, to) => outbox.push({ raw, to }));
  const offline = await startOffline({ onExhausted: script }, { folder: join(folder, 'cli') });
  const approvals = createApprovals({ store: createFileApprovalStore(join(folder, 'drafts')) });
  const desk = { mailbox: openMailbox(url), approvals, smtpUrl: sink.url, address: 'bo@inboard.example' };
  const agent = createAgent(desk, { ...offline.options, cwd: folder });
  return {
    desk,
    agent,
    outbox,
    /** The next draft that waits. */
    async draft(): Promise<Approval> {
      for await (const approval of approvals.watch()) return approval;
      throw new Error('There was no draft.');
    },
    async [Symbol.asyncDispose]() {
      await agent.close();
      approvals.close();
      await Promise.all([desk.mailbox.close(), sink.close(), offline.close({ verify: false })]);
    },
  };
}

/** A mail as it would lie in a mailbox. */
export function mail(headers: Record<string, string>, body: string): string {
  const all = {
    From: 'Ada <ada@x.example>',
    To: 'bo@inboard.example',
    Date: new Date().toUTCString(),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [...lines, 'MIME-Version: 1.0', '', ...body.split('\n')].join('\r\n');
}
