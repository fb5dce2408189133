// A server that is killed while a person is asked. The page keeps the question, or is loaded again and sees it; the next server
// starts nothing before a person answers, and then goes on with the turn.
import assert from 'node:assert/strict';
import { Tab } from './client.mjs';

/** The model never makes its calls again: it reads the results of those that were cut off. */
export function writeCrashScript({ reply, text, toolUse }) {
  const refund = (order) => toolUse('mcp__shop__refund', { order, amount: 84 });
  const letters = (customer) => toolUse('mcp__shop__read_letters', { customer });
  return [
    refund('7'),
    ({ answer }) => text(`Done: ${answer.text}`),
    reply(text('I pay it back.'), refund('8')),
    ({ answer }) => text(`Done: ${answer.text}`),
    reply(letters('Ines'), letters('Bo')),
    text('Both wrote.'),
  ];
}

/** Throws when an approval is lost with its server. */
export async function driveCrash({ api, crash, listProcesses }) {
  await answerFromKeptPage(api, crash);
  await answerAfterReload(api, crash, listProcesses);
  await answerFromTwoTabs(api, crash);
}

async function answerFromKeptPage(api, crash) {
  const before = new Tab(api, crypto.randomUUID());
  await before.sendMessage({ text: 'Pay order 7 back.' });
  const [asked] = before.calls;
  assert.equal(asked.state, 'approval-requested');

  await crash();
  const tab = new Tab(api, before.id, before.messages);
  tab.edits = { [asked.approval.id]: { order: '7', amount: 30 } };
  await tab.addToolApprovalResponse({ id: asked.approval.id, approved: true });
  await tab.until('the rest of the answer', ({ status, text }) => status === 'ready' && text !== '');
  assert.equal(tab.text, 'Done: Paid back 30 euros for order 7.');
  assert.equal(tab.messages.length, 2);
  assert.equal(tab.lastMessage.id, before.lastMessage.id);
}

async function answerAfterReload(api, crash, listProcesses) {
  const before = new Tab(api, crypto.randomUUID());
  await before.sendMessage({ text: 'Pay order 8 back.' });
  const [asked] = before.calls;

  await crash();
  const idle = listProcesses();
  let tab;
  for (let times = 0; times < 3; times += 1) {
    tab = await reload(api, before.id);
    assert.deepEqual(
      tab.messages.map(({ role }) => role),
      ['user', 'assistant'],
    );
    assert.equal(tab.lastMessage.id, before.lastMessage.id);
    assert.equal(tab.text, 'I pay it back.');
    assert.deepEqual(tab.calls.map(shown), [shown(asked)]);
    assert.deepEqual(
      (await tab.ask('approvals')).approvals.map(({ approvalId }) => approvalId),
      [asked.approval.id],
    );
  }
  assert.deepEqual(listProcesses(), idle, 'reading starts nothing');

  tab.edits = { [asked.approval.id]: { order: '8', amount: 12 } };
  await tab.addToolApprovalResponse({ id: asked.approval.id, approved: true });
  await tab.until(
    'the rest of the answer',
    ({ status, text }) => status === 'ready' && text.includes('Done'),
  );
  assert.equal(tab.text, 'I pay it back.Done: Paid back 12 euros for order 8.');
  assert.deepEqual(tab.calls[0].input, { order: '8', amount: 12 });
  assert.equal(tab.messages.length, 2);
}

async function answerFromTwoTabs(api, crash) {
  const before = new Tab(api, crypto.randomUUID());
  await before.sendMessage({ text: 'What did they write?' });
  assert.equal(before.calls.length, 2);

  await crash();
  const one = await reload(api, before.id);
  const other = await reload(api, before.id);
  const [ines, bo] = one.calls.map(({ approval }) => approval.id);
  const approvals = (tab, approvalId) => tab.ask('approvals', { approvalId, approved: true });
  assert.deepEqual(await approvals(other, bo), { answered: true });
  await assert.rejects(approvals(one, bo), /409.*ALREADY_ANSWERED/s);
  assert.deepEqual(await approvals(one, ines), { answered: true });
  // Each page answers what it still shows. Both were answered, so it only gets the rest.
  for (const tab of [one, other]) {
    for (const id of [ines, bo]) await tab.addToolApprovalResponse({ id, approved: false });
    await tab.until('the rest', ({ status, text }) => status === 'ready' && text === 'Both wrote.');
    assert.deepEqual(
      tab.calls.map(({ state }) => state),
      ['output-available', 'output-available'],
    );
  }
}

/** What a page shows of a call. */
const shown = ({ toolCallId, toolName, state, input, approval }) => ({
  toolCallId,
  toolName,
  state,
  input,
  approval: approval.id,
});

/** A page that is loaded again: it knows nothing but its address. */
async function reload(api, id) {
  const { messages } = await new Tab(api, id).ask('messages');
  const tab = new Tab(api, id, messages);
  await tab.resumeStream();
  assert.equal(tab.status, 'ready', String(tab.error?.stack));
  return tab;
}
