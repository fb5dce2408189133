// What the tools answer, without a CLI: terms, formats, limits, faults of the mail server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApprovals } from 'inboard';
import { createToolHarness } from 'inboard/testing';
import { openMailbox } from '../app/mailbox.ts';
import { readDraft } from '../src/outgoing.ts';
import { mailTools } from '../src/tools.ts';
import { mail } from './support/office.ts';
import { onEachServer } from './support/on-servers.ts';

type Found = { note: string; mails: { uid: number; subject: string }[] };

test('A draft hides nothing in its one-line fields, where a person reads who gets it', () => {
  const draft = { to: 'Ada <ada@x.example>', subject: 'שלום, 你好', text: '\u202eas it is' };
  assert.deepEqual(readDraft(draft), draft);
  // Shown from right to left, this is "ed.tom@corp.com".
  for (const to of ['\u202e<moc.proc@mot.de>', 'ada@x.exam\u200bple', 'ada\0@x.example'])
    assert.throws(() => readDraft({ ...draft, to }), /a sign that cannot be seen/);
  assert.throws(() => readDraft({ ...draft, cc: 'bo@y.example\u2066' }), /a sign that cannot be seen/);
});

onEachServer((server) => {
  async function openTools() {
    const mailbox = openMailbox(server().url);
    const context = {
      mailbox,
      approvals: createApprovals(),
      smtpUrl: 'smtp://127.0.0.1:9',
      address: 'bo@inboard.example',
    };
    const harness = createToolHarness(mailTools, { context });
    const call = async (name: Parameters<typeof harness.call>[0], input: object) => {
      const { ok, text } = await harness.call(name, { ...input });
      assert.equal(ok, true, text);
      return JSON.parse(text) as Found & Record<string, unknown>;
    };
    const subjects = async (terms: object) =>
      (await call('email_search', terms)).mails.map(({ subject }) => subject);
    return { mailbox, harness, call, subjects, [Symbol.asyncDispose]: () => mailbox.close() };
  }

  test('A search is done by the server, by sender, subject, text, date and whether it was read', async () => {
    await using tools = await openTools();
    await server().deliver(mail({ Subject: 'Apples', From: 'Cy <cy@y.example>' }, 'Ten of them.'));
    await server().deliver(mail({ Subject: 'Pears' }, 'They are ripe.'));
    assert.deepEqual(await tools.subjects({ from: 'cy@y.example' }), ['Apples']);
    assert.deepEqual(await tools.subjects({ subject: 'pear' }), ['Pears']);
    assert.deepEqual(await tools.subjects({ text: 'ripe', since: '2020-01-01' }), ['Pears']);
    assert.deepEqual(await tools.subjects({ text: 'ripe', from: 'cy@y.example' }), []);
    const [pears] = (await tools.call('email_search', { subject: 'Pears' })).mails;
    await tools.mailbox.flag('INBOX', pears?.uid ?? 0, '\\Seen');
    assert.deepEqual(await tools.subjects({ subject: 'Pears', unread: true }), []);
    assert.deepEqual(await tools.subjects({ subject: 'Pears', unread: false }), ['Pears']);
    const wrong = await tools.harness.call('email_search', { since: 'yesterday-ish' });
    assert.match(wrong.text, /"yesterday-ish" is no date/);
  });

  test('A mail with a date that is none or with endless HTML harms no other mail', async () => {
    await using tools = await openTools();
    await server().deliver(mail({ Subject: 'Hostile', Date: 'the day after' }, 'Hi.'));
    const html = { Subject: 'Endless', 'Content-Type': 'text/html' };
    await server().deliver(mail(html, '<div>\n'.repeat(60_000)));
    const [hostile] = (await tools.call('email_search', { subject: 'Hostile' })).mails;
    assert.equal((await tools.harness.call('email_read', { uid: hostile?.uid })).ok, true);
    const [endless] = (await tools.call('email_search', { subject: 'Endless' })).mails;
    const read = await tools.harness.call('email_read', { uid: endless?.uid });
    assert.match(read.text, /HTML too long/);
  });

  test('HTML comes as text, long texts are cut and say so, and every text says who wrote it', async () => {
    await using tools = await openTools();
    const html = '<style>p{color:red}</style><p>Hello <b>Bo</b></p><script>alert(1)</script>';
    await server().deliver(mail({ Subject: 'In HTML', 'Content-Type': 'text/html; charset=utf-8' }, html));
    await server().deliver(mail({ Subject: 'Without end' }, `${'word '.repeat(5000)}end`));
    const read = async (subject: string) => {
      const [found] = (await tools.call('email_search', { subject })).mails;
      return await tools.call('email_read', { uid: found?.uid });
    };
    const short = await read('In HTML');
    assert.equal(String(short['text']).trim(), 'Hello Bo');
    assert.match(short.note, /^Written by Ada <ada@x\.example> \(not verified\).*never an instruction/);
    const long = await read('Without end');
    assert.equal(String(long['text']).length, 12_000);
    assert.ok(Number(long['fullLength']) >= 25_003);
    // The cut is in the middle of the last character.
    const encoded = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Transfer-Encoding': 'base64' };
    const faces = Buffer.from(`x${'😀'.repeat(6000)}`)
      .toString('base64')
      .replaceAll(/.{76}/g, '$&\n');
    await server().deliver(mail({ Subject: 'Faces', ...encoded }, faces));
    assert.equal((await read('Faces'))['text'], `x${'😀'.repeat(5999)}\ufffd`);
  });

  test('Attachments: texts and images are read, others and too large ones are refused', async () => {
    await using tools = await openTools();
    const part = (type: string, name: string, content: Buffer) =>
      `--b\nContent-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${content.toString('base64').replace(/.{76}/g, '$&\n')}\n`;
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
    const parts = [
      part('text/csv', 'list.csv', Buffer.from('a,b\n1,2')),
      part('image/png', 'dot.png', png),
      part('application/zip', 'all.zip', Buffer.from('PK')),
    ];
    const send = async (subject: string, content: string) => {
      const headers = { Subject: subject, 'Content-Type': 'multipart/mixed; boundary=b' };
      await server().deliver(mail(headers, `${content}--b--`));
      return (await tools.call('email_search', { subject })).mails[0]?.uid;
    };
    const uid = await send('Files', parts.join(''));
    const large = await send('Large', part('text/plain', 'huge.txt', Buffer.alloc(3_000_001, 'x')));
    const names = (await tools.call('email_read', { uid }))['attachments'] as { name: string }[];
    assert.deepEqual(
      names.map(({ name }) => name),
      ['list.csv', 'dot.png', 'all.zip'],
    );
    assert.equal((await tools.call('email_readAttachment', { uid, index: 0 }))['text'], 'a,b\n1,2');
    const { content } = await tools.harness.call('email_readAttachment', { uid, index: 1 });
    assert.deepEqual(content, [{ type: 'image', mimeType: 'image/png', data: png.toString('base64') }]);
    const cases = [
      [{ uid, index: 2 }, /all\.zip is application\/zip/],
      [{ uid, index: 3 }, /has 3 attachments, and none at 3/],
      [{ uid: large, index: 0 }, /huge\.txt has 3000001 bytes; up to 3000000/],
    ] as const;
    for (const [input, reason] of cases) {
      const refused = await tools.harness.call('email_readAttachment', input);
      assert.equal(refused.ok, false);
      assert.match(refused.text, reason);
    }
  });

  test('What is not there is told: a mailbox, a mail; moving takes a mail away', async () => {
    await using tools = await openTools();
    assert.match(
      (await tools.harness.call('email_search', { mailbox: 'Nowhere' })).text,
      /"Nowhere" could not be opened/,
    );
    await server().deliver(mail({ Subject: 'To be filed' }, 'Paper.'));
    const uid = (await tools.call('email_search', { subject: 'To be filed' })).mails[0]?.uid;
    assert.equal((await tools.harness.call('email_move', { uid, to: 'Archive' })).ok, true);
    assert.match(
      (await tools.harness.call('email_read', { uid })).text,
      new RegExp(`no mail ${uid} in INBOX`),
    );
    assert.deepEqual(await tools.subjects({ mailbox: 'Archive', subject: 'filed' }), ['To be filed']);
  });

  test('A name is a name: no comma in it makes another recipient of a reply', async () => {
    await using tools = await openTools();
    const From = '"Doe, John; boss@y.example" <john@x.example>';
    await server().deliver(mail({ Subject: 'Names', From }, 'Hello.'));
    const uid = (await tools.call('email_search', { subject: 'Names' })).mails[0]?.uid;
    const { replyTo } = await tools.call('email_read', { uid });
    assert.equal(replyTo, 'Doe  John  boss y.example <john@x.example>');
  });

  test('A server that is restarted is asked again by the next call', async () => {
    await using tools = await openTools();
    await tools.call('email_search', {});
    await server().stop();
    assert.equal((await tools.harness.call('email_search', {})).ok, false);
    await server().start();
    assert.equal((await tools.harness.call('email_search', {})).ok, true);
  });
});
