// Conversations of one machine: a host that opens sessions on its disk, goes on with those that were cut off when it is started again, and
// keeps questions, calls and transcripts in files; and a person's program, which is another process.
import { readFileSync } from 'node:fs';
import {
  allow,
  createApprovals,
  createCalls,
  createFileApprovalStore,
  deny,
  openSession,
  type Approvals,
  type Session,
} from '../../../packages/inboard/src/index.js';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { PlannedConversation, PlannedTurn } from '../plan.js';
import { checkPendings, createSeen, notePending, type EndedTurn, type Kit, type Scene } from './kit.js';
import { createShop, sleep, writePrompt } from './tools.js';

const CONFIG = '/home/.claude';
const CLI = '/opt/inboard-fake-1/cli.cjs';
const QUESTIONS = '/desk/questions';
const ENV = { HOME: '/home', PATH: '/bin', CLAUDE_CONFIG_DIR: CONFIG };
const AGAIN_MS = 500;

interface Entry {
  type?: string;
  uuid?: string;
  isMeta?: boolean;
  message?: { content?: unknown; stop_reason?: string };
}

export function createDeskScene(kit: Kit): Scene {
  const { plan } = kit;
  const seen = (kit.shared.seen ??= createSeen());
  const facts = (kit.shared.desk ??= { begun: new Set(), ended: new Set() });
  const total = plan.conversations.reduce((sum, { turns }) => sum + turns.length, 0);
  const open: { close(): unknown }[] = [];
  const life = { isEnding: false };

  const work = async (): Promise<void> => {
    await insist(async () => {
      mkdirSync('/opt/inboard-fake-1', { recursive: true });
      writeFileSync(CLI, '#!/usr/bin/env node\n');
      chmodSync(CLI, 0o755);
      writeFileSync(
        '/opt/inboard-fake-1/package.json',
        '{"name":"@anthropic-ai/claude-code","version":"2.1.325"}',
      );
    });
    const approvals = createApprovals({ store: createFileApprovalStore(QUESTIONS) });
    open.push(approvals);
    await Promise.all(plan.conversations.map((each) => keepTalking(each, approvals)));
  };

  /** As a program does whose session may end at any time: opens it again. */
  const keepTalking = async (conversation: PlannedConversation, approvals: Approvals): Promise<void> => {
    while (
      !life.isEnding &&
      conversation.turns.some(({ n }) => !facts.ended.has(`${conversation.key}-${n}`))
    ) {
      try {
        await talk(conversation, approvals);
      } catch (error) {
        kit.note(`session of ${conversation.key} ended: ${String(error)}`);
        await sleep(AGAIN_MS);
      }
    }
  };

  const talk = async (conversation: PlannedConversation, approvals: Approvals): Promise<void> => {
    const { key, turns } = conversation;
    const sessionId = sessionOf(key);
    const isKnown = readEntries(key).length > 0;
    const session: Session = openSession({
      options: {
        pathToClaudeCodeExecutable: CLI,
        cwd: '/desk',
        env: ENV,
        ...(isKnown ? { resume: sessionId } : { sessionId }),
        mcpServers: { shop: createShop(kit, seen, ({ callKey }) => callKey) },
        allowedTools: ['mcp__shop__work'],
        canUseTool: approvals.canUseTool,
        permissionMode: 'default',
        onWarning: ({ message }) => {
          kit.note(`warning ${message}`);
          seen.troubles.push(message);
        },
      },
      restart: { maxRestarts: 1000, backoffMs: 100, resend: 'continue' },
      ...(isKnown && { interrupted: 'continue' as const }),
      oneByOne: true,
      suspendAfterMs: plan.work.suspendAfterMs,
    });
    open.push(session);
    try {
      const cut = isKnown ? await session.continued : undefined;
      if (cut) await cut.outcome();
      for (const turn of turns) {
        const id = `${key}-${turn.n}`;
        if (facts.ended.has(id)) continue;
        if (!isAnswered(key, turn.n)) await say(session, key, turn, id);
        facts.ended.add(id);
        kit.note(`turn ${id} ended`);
      }
    } finally {
      if (!life.isEnding) await session.close();
    }
  };

  const say = async (session: Session, key: string, turn: PlannedTurn, id: string): Promise<void> => {
    if (facts.begun.has(id) && findMessages(readEntries(key), key, turn.n).length > 0)
      seen.complaints.push(`G1 the turn ${id} was cut off and is not gone on with`);
    else {
      await sleep(turn.afterMs);
      const uuid = randomUUID();
      facts.begun.add(id);
      const message = { role: 'user' as const, content: writePrompt(key, turn) };
      const { kind, text } = await session
        .send({ type: 'user', uuid, message, parent_tool_use_id: null })
        .outcome();
      if (!isAnswered(key, turn.n))
        throw new Error(`The turn ${id} ended as ${kind}, without an answer: ${text}`);
    }
  };

  const people = async (): Promise<void> => {
    const approvals = createApprovals({ store: createFileApprovalStore(QUESTIONS) });
    const calls = createCalls({ env: ENV, dir: '/desk' });
    open.push(approvals);
    const findTurn = (k: string, n: number): PlannedTurn | undefined =>
      plan.conversations.find(({ key }) => key === k)?.turns.find((turn) => turn.n === n);
    const answer = async (
      id: string,
      { k, n, call }: { k: string; n: number; call: number },
    ): Promise<void> => {
      const turn = findTurn(k, n);
      await sleep(turn?.answerMs ?? 1);
      const isDenied = turn?.denied.includes(call) === true;
      const taken = await insist(() =>
        approvals.answer(id, isDenied ? deny(`denied ${k} ${n} ${call}`) : allow(), { by: 'ann' }),
      );
      seen.answered.push({
        k,
        n,
        call,
        id,
        taken,
        behavior: isDenied ? 'deny' : 'allow',
      });
    };
    const questions = async (): Promise<void> => {
      for await (const { id, input } of approvals.watch())
        void answer(id, input as never).catch((error: unknown) =>
          seen.complaints.push(`G11 ${id}: ${String(error)}`),
        );
    };
    const complete = async (): Promise<void> => {
      const known = new Set<string>();
      for await (const { type, call, ...how } of calls.watch()) {
        notePending(seen, kit.host(), call.callKey, type, how);
        if (type !== 'pending' || known.has(`${call.callKey} ${call.since}`)) continue;
        known.add(`${call.callKey} ${call.since}`);
        const [k, n] = (call.note ?? '').split(' ');
        void sleep(findTurn(k ?? '', Number(n))?.answerMs ?? 1)
          .then(() => insist(() => calls.complete(call.callKey, `did ${call.note}`)))
          .catch((error: unknown) => {
            if ((error as { code?: string }).code !== 'CALL_ENDED')
              seen.complaints.push(`G11 ${call.callKey}: ${String(error)}`);
          });
      }
    };
    await Promise.all([questions(), complete()]);
  };

  /** A disk that is full is full for a while. */
  const insist = async <T>(run: () => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await run();
      } catch (error) {
        if (tries > 40 || (error as { code?: string }).code === 'CALL_ENDED') throw error;
        await sleep(AGAIN_MS);
      }
    }
  };

  return {
    seen,
    start: (role) => (role === 'p' ? people() : work()),
    end: async () => {
      life.isEnding = true;
      for (const each of open) await each.close();
    },
    isSettled: async () => facts.ended.size >= total,
    collect: async () => {
      const turns: EndedTurn[] = [];
      const broken: string[] = [];
      for (const { key, turns: planned } of plan.conversations) {
        const entries = readEntries(key);
        for (const { n } of planned) {
          const text = findAnswer(entries, key, n);
          const count = findMessages(entries, key, n).length;
          if (count !== 1) broken.push(`G8 the message of ${key} ${n} is in the transcript ${count} times`);
          if (text === undefined) broken.push(`G1 the turn ${key} ${n} has no answer`);
          turns.push({
            key,
            n,
            state: 'ended',
            ok: text !== undefined,
            kind: 'success',
            text: text ?? '',
            turnCostUsd: 0,
          });
        }
      }
      if (plan.isCalm)
        broken.push(
          ...checkPendings(seen, () => true),
          ...seen.troubles.map((what) => `W in a calm world: ${what}`),
        );
      return { turns, broken };
    },
  };
}

function sessionOf(key: string): string {
  return `00000000-0000-4000-8000-00000000000${key.slice(1)}`;
}

/** The transcript as the CLI has it on its disk. */
function readEntries(key: string): Entry[] {
  const path = `${CONFIG}/projects/-desk/${sessionOf(key)}.jsonl`;
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Entry];
      } catch {
        return [];
      }
    });
}

const isAnswered = (key: string, n: number): boolean => findAnswer(readEntries(key), key, n) !== undefined;

/** The messages of a turn. A session may send one again under another id, if the CLI has not saved it. */
function findMessages(entries: readonly Entry[], key: string, n: number): Entry[] {
  return entries.filter((entry) => readPrompt(entry).includes(`{"k":"${key}","n":${n},`));
}

function readPrompt({ type, isMeta, message }: Entry): string {
  const content = type === 'user' && isMeta !== true ? message?.content : '';
  const blocks = Array.isArray(content) ? (content as { text?: string }[]) : [];
  return typeof content === 'string' ? content : blocks.map(({ text }) => text ?? '').join('');
}

/** What the model said last before the next message. */
function findAnswer(entries: readonly Entry[], key: string, n: number): string | undefined {
  const [message] = findMessages(entries, key, n);
  if (!message) return undefined;
  const at = entries.indexOf(message);
  const next = entries.findIndex((entry, index) => index > at && readPrompt(entry).includes('chaos {'));
  const own = entries.slice(at, next === -1 ? undefined : next);
  const last = own.findLast(({ message }) => message?.stop_reason === 'end_turn');
  const [block] = (last?.message?.content ?? []) as { text?: string }[];
  return block?.text;
}
