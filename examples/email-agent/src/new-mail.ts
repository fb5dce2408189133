// Waits for new mail (IMAP IDLE) and starts one turn of the agent for each mail that a listener wants: exactly one, whatever
// is restarted meanwhile. A file remembers how far the mailbox was read, and which turns are under way.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { ImapFlow } from 'imapflow';
import { SessionClosedError } from 'inboard';
import { connect, summarize, SUMMARY } from '../app/mailbox.ts';
import type { Listener } from '../listeners.ts';
import type { Agent } from './agent.ts';

/** What a listener had the agent do; `text` is its answer, or why there is none. */
export type Run = Record<'id' | 'listener' | 'subject' | 'prompt' | 'state' | 'text', string>;
export type NewMail = ReturnType<typeof createNewMail>;
type Parts = { url: URL; agent: Agent; listeners: Listener[]; file: string; onChange: () => void };

export function createNewMail({ url, agent, listeners, file, onChange }: Parts) {
  let isWatching = false;
  const known = { uidValidity: '', nextUid: 1, runs: [] as Run[] };
  if (existsSync(file)) Object.assign(known, JSON.parse(readFileSync(file, 'utf8')));
  for (const run of known.runs) if (run.state === 'at work') void finish(run);

  function save(): void {
    writeFileSync(`${file}.new`, JSON.stringify(known, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    onChange();
  }

  async function finish(run: Run): Promise<void> {
    try {
      Object.assign(run, { text: await agent.run(run.id, run.prompt), state: 'done' });
    } catch (error) {
      if (error instanceof SessionClosedError) return; // this process ends; the next one goes on
      Object.assign(run, { state: 'failed', text: (error as Error).message });
    }
    save();
  }

  async function takeNew(client: ImapFlow): Promise<void> {
    const { uidValidity, uidNext } = client.mailbox || { uidValidity: 0n, uidNext: 1 };
    // The first time, and when the server numbers its mails anew: only what comes from now on is new.
    if (known.uidValidity !== String(uidValidity))
      Object.assign(known, { uidValidity: String(uidValidity), nextUid: uidNext });
    const found = await client.fetchAll(`${known.nextUid}:*`, SUMMARY, { uid: true });
    // A range that begins behind the last mail stands for the last mail.
    const mails = found.filter(({ uid }) => uid >= known.nextUid).map((mail) => summarize('INBOX', mail));
    const begun = mails.flatMap((mail): Run[] => {
      const listener = listeners.find((one) => one.matches(mail));
      const facts = { id: randomUUID(), subject: mail.subject, state: 'at work', text: '' };
      return listener ? [{ ...facts, listener: listener.name, prompt: listener.prompt(mail) }] : [];
    });
    known.nextUid = Math.max(known.nextUid, ...mails.map(({ uid }) => uid + 1));
    known.runs = [...known.runs, ...begun].slice(-100);
    isWatching = true;
    save(); // before they begin: a mail that is noted here is never begun again
    for (const run of begun) void finish(run);
  }

  async function watchWith(client: ImapFlow, signal: AbortSignal): Promise<never> {
    const lost = new AbortController();
    client.once('close', () => lost.abort(new Error('The connection was lost')));
    await client.mailboxOpen('INBOX', { readOnly: true });
    for (;;) {
      const arrived = once(client, 'exists', { signal: AbortSignal.any([signal, lost.signal]) });
      arrived.catch(() => {}); // it may fail before it is awaited
      await takeNew(client);
      client.idle().catch(() => {}); // its end is told by "close"
      await arrived;
    }
  }

  /** Until the signal fires. A server that is away is tried again, at longer and longer intervals. */
  async function watch(signal: AbortSignal): Promise<void> {
    for (let pause = 250; !signal.aborted; pause = Math.min(pause * 2, 30_000)) {
      try {
        await using client = await connect(url);
        pause = 250;
        await watchWith(client, signal);
      } catch (error) {
        isWatching = false;
        onChange();
        const { message } = ((error as Error).cause ?? error) as Error;
        if (!signal.aborted) console.error(`New mail is not seen, next try in ${pause} ms: ${message}`);
      }
      await wait(pause, undefined, { signal }).catch(() => {});
    }
  }
  return { watch, state: () => ({ isWatching, runs: known.runs }) };
}
