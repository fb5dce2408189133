// Many chats wait for review at the same time. None of them has a process, the server is killed meanwhile, two reviewers answer at once,
// and every ticket is created once. `CHATS=200 npm test` does it with 200 chats and prints what that takes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { Board, isIdle, makeFolder, type Staged } from './support/board.ts';

const CHATS = Number(process.env['CHATS'] ?? 6);
/** A chat takes two starts of a CLI, and a slow machine takes a while for each. */
const LIMIT_MS = 60_000 + CHATS * 10_000;
const SETTINGS = { SUSPEND_AFTER_MS: '200', MAX_RUNNING: '4' };

interface Process {
  pid: number;
  parent: number;
  command: string;
}

function listProcesses(): Process[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid = '', parent = '', ...words] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), command: words.join(' ') };
  });
}

/** The CLIs that a server has started: its children that speak the line protocol. */
function findClis({ child }: Board): Process[] {
  const all = listProcesses();
  const below = new Set([child.pid]);
  for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  return all.filter(({ pid, command }) => below.has(pid) && command.includes('stream-json'));
}

/** Looks until no CLI is left. */
async function untilNoClis(board: Board): Promise<void> {
  const until = Date.now() + 60_000;
  while (findClis(board).length > 0) {
    if (Date.now() > until) assert.fail(`CLIs are left: ${JSON.stringify(findClis(board))}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Megabytes that the server's process has in memory. */
function memoryOf({ child }: Board): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

function say(t: TestContext, text: string): void {
  t.diagnostic(text);
}

test(`${CHATS} chats in review have no CLI, and every ticket is created once`, async (t) => {
  const folder = await makeFolder(t);
  const first = await Board.start(t, folder, SETTINGS);
  const begun = Date.now();
  for (let chat = 1; chat <= CHATS; chat += 1)
    await first.say(`Page number ${chat} is broken, add a test for page ${chat}`);
  const { staged } = await first.until((state) => state.staged.length === 2 * CHATS, '', LIMIT_MS);
  await untilNoClis(first);
  say(t, `${CHATS} chats proposed ${staged.length} tickets in ${Math.round((Date.now() - begun) / 1000)} s`);
  say(t, `${findClis(first).length} CLIs while they wait; the server has ${memoryOf(first)} MB`);
  // They wait: no CLI is started again by itself.
  await first.until((state) => state.chats.every(({ activity }) => activity === 'review'));
  assert.deepEqual(findClis(first), []);

  await first.end('SIGKILL');
  const second = await Board.start(t, folder, SETTINGS);
  await second.until((state) => state.staged.length === 2 * CHATS);
  await untilNoClis(second);
  say(t, `${findClis(second).length} CLIs after kill -9; the new server has ${memoryOf(second)} MB`);

  // Two pages answer at the same time, one from the top and one from the end; each of them is first for some.
  const answerAll = async (by: string, tickets: readonly Staged[]): Promise<number[]> => {
    const statuses: number[] = [];
    for (const ticket of tickets) statuses.push((await second.decide(ticket, 'approve', {}, by)).status);
    return statuses;
  };
  const given = await Promise.all([answerAll('Ann', staged), answerAll('Ben', staged.toReversed())]);
  const statuses = given.flat();
  // The loser is told who was faster, or that the call is over.
  assert.equal(statuses.filter((status) => status === 200).length, staged.length);
  assert.deepEqual(
    statuses.filter((status) => status !== 200 && status !== 409 && status !== 410),
    [],
  );
  const { tickets, chats } = await second.until(
    (state) => isIdle(state) && state.tickets.length > 0,
    '',
    LIMIT_MS,
  );
  const titles = tickets.map(({ title }) => title).toSorted();
  assert.deepEqual(titles, staged.map(({ title }) => title).toSorted());
  say(t, `${tickets.length} tickets, each once, after ${Math.round((Date.now() - begun) / 1000)} s`);
  // Each agent has read what became of its own tickets.
  for (const { id } of chats) {
    const { messages } = await second.until(() => true, id);
    const said = messages.map(({ role, text }) => `${role}: ${text}`).join('\n');
    assert.equal(messages.filter(({ role }) => role === 'agent').length, 2, said);
    assert.equal(said.match(/is on the board/g)?.length, 2, said);
  }
  await untilNoClis(second);
});
