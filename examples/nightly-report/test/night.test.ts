// Runs on the real CLI with a scripted model: limits, budgets, a busy service, a CLI that is killed; and what is left of a
// run: the report, the mail, spans and recordings that belong together.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { buildTimeline, readTrace } from 'inboard/trace';
import { apiError, gate, held, reply, structuredOutput, text, toolUse } from 'inboard/testing';
import { simpleParser } from 'mailparser';
import { sendMail } from '../src/mail.ts';
import { renderReport } from '../src/report.ts';
import { openStore, spentInMonth } from '../src/store.ts';
import { playNight, temporaryFolder, tenant } from './support.ts';

let folder: string;
let remove: () => void;
before(() => ({ folder, remove } = temporaryFolder()));
after(() => remove());

const look = () =>
  reply(toolUse('mcp__orders__last_days', { count: 14 }), {
    usage: { input_tokens: 1000, output_tokens: 100 },
  });

describe('a run', () => {
  it('works for as many tenants at once as it may, each with its own orders, and leaves a trail', async () => {
    const tenants = ['alder', 'birch', 'cedar'].map((id) => tenant(id));
    const bothAreHere = gate();
    const begun = new Set<string>();
    const read = new Map<string, string>();
    let finished = 0;
    let finishedBeforeThird = 0;
    const { results, waits } = await playNight(folder, tenants, (id, { answers: [answer] }) => {
      if (!begun.has(id) && begun.size === 2) finishedBeforeThird = finished;
      begun.add(id);
      if (begun.size === 2) bothAreHere.open();
      if (!answer) return held(look(), bothAreHere);
      read.set(id, answer.text);
      finished += 1;
      return structuredOutput({ headline: `<b>${id}</b> & co`, findings: [`about ${id}`] });
    });
    assert.deepEqual(
      results.map(({ status }) => status),
      ['done', 'done', 'done'],
    );
    // The first two were at work together, or neither could have gone on; the third had to wait for one of them.
    assert.equal(begun.size, 3);
    assert.ok(finishedBeforeThird >= 1);
    assert.equal(new Set(read.values()).size, 3, 'each tenant has orders of its own');
    assert.deepEqual(waits, []);

    // The ledger has what the CLI says.
    const store = await openStore(folder, []);
    for (const {
      tenant: { id },
      costUsd,
      tokens,
    } of results) {
      assert.ok(costUsd > 0 && tokens >= 1100);
      assert.equal(await spentInMonth(store, id, '2026-11-30'), costUsd);
      assert.equal(await spentInMonth(store, id, '2026-12-01'), 0);
    }
    store.close();

    // The mail, as somebody's mail program reads it.
    const report = renderReport('2026-11-16', folder, results, ['2026-11-15']);
    assert.match(await sendMail(report, folder), /kept as .*\.eml/);
    const [file = ''] = readdirSync(join(folder, 'mails'));
    const mail = await simpleParser(readFileSync(join(folder, 'mails', file)));
    assert.equal(mail.subject, 'Nightly report of 2026-11-16: 3 of 3 done');
    assert.match(
      mail.text ?? '',
      /Shop birch: done\n {2}<b>birch<\/b> & co\n {2}about birch\n {2}\$0\.\d+, [\d.]+ % of \$5 a month spent, [\d,]+ tokens, [\d.]+ s, trace: traces\/2026-11-16\/birch\.jsonl/,
    );
    assert.match(mail.text ?? '', /The run of 2026-11-15 was missed\./);
    assert.match(String(mail.html), /&#60;b&#62;birch&#60;\/b&#62; &#38; co/);
    assert.doesNotMatch(String(mail.html), /<b>|\{\{/);

    // The spans and the recordings tell the same story.
    const spans = readFileSync(join(folder, 'spans', '2026-11-16.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            name: string;
            traceId: string;
            spanId: string;
            parentSpanId?: string;
            attributes: Record<string, unknown>;
          },
      );
    const root = spans.find(({ name }) => name === 'nightly_report');
    assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
    const agents = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
    assert.deepEqual(
      new Set(agents.map(({ name }) => name)),
      new Set(tenants.map(({ id }) => `invoke_agent ${id}`)),
    );
    for (const {
      tenant: { id },
      costUsd,
      trace,
    } of results) {
      const agent = agents.find(({ name }) => name === `invoke_agent ${id}`);
      assert.equal(agent?.attributes['inboard.cost_usd'], costUsd);
      const calls = buildTimeline(await readTrace(trace)).spans.filter(({ kind }) => kind === 'tool');
      assert.equal(
        calls.length,
        spans.filter(
          ({ name, parentSpanId }) => name.startsWith('execute_tool') && isUnder(parentSpanId, agent?.spanId),
        ).length,
      );
      assert.ok(calls.length >= 1);
    }
    function isUnder(id: string | undefined, ancestor: string | undefined): boolean {
      return (
        id !== undefined &&
        (id === ancestor || isUnder(spans.find(({ spanId }) => spanId === id)?.parentSpanId, ancestor))
      );
    }
  });

  it('stops who is over budget, tries again where the service is busy, gives up in the end, and harms nobody', async () => {
    const place = temporaryFolder();
    const tenants = [
      tenant('fine'),
      tenant('greedy', 0.01),
      tenant('unlucky'),
      tenant('hopeless'),
      tenant('killed'),
    ];
    let refusals = 0;
    let hopeless = 0;
    const answer: Parameters<typeof playNight>[2] = (id, { answers }) => {
      if (id === 'unlucky' && (refusals += 1) <= 2)
        return apiError(429, { message: 'Slow down.', retryAfter: 1 });
      if (id === 'hopeless') return ((hopeless += 1), apiError(529, { message: 'Overloaded' }));
      if (id === 'killed') {
        const trace = join(place.folder, 'traces', '2026-11-16', 'killed.jsonl');
        return killCli(trace).then(() => text('Too late.'));
      }
      if (answers.length > 0) return structuredOutput({ headline: `${id} is well`, findings: [] });
      const input_tokens = id === 'greedy' ? 200_000 : 1000;
      return reply(toolUse('mcp__orders__last_days', { count: 7 }), {
        usage: { input_tokens, output_tokens: 10 },
      });
    };
    const limits = { running: 5, tries: 3, milliseconds: 60_000 };
    const { results, waits } = await playNight(place.folder, tenants, answer, { limits });
    const [fine, greedy, unlucky, bad, killed] = results;
    assert.deepEqual([fine?.status, fine?.headline], ['done', 'fine is well']);
    assert.equal(greedy?.status, 'over budget');
    assert.equal(greedy?.headline, 'Stopped: the budget is spent.');
    // One answer took it past 80 % and past the whole, so only the whole is reported.
    assert.deepEqual(greedy?.notes, []);
    assert.deepEqual(
      [unlucky?.status, unlucky?.notes],
      ['done', ['The service was busy (429); tried again.']],
    );
    assert.equal(bad?.status, 'failed');
    assert.match(bad?.headline ?? '', /529/);
    // Three tries of ours, of two requests each: the CLI makes one more by itself. Then it ends.
    assert.equal(hopeless, 6);
    assert.equal(bad?.notes.length, 2);
    assert.equal(killed?.status, 'failed');
    assert.match(killed?.headline ?? '', /SIGKILL/);
    // What the service asked for (1 s), and our own waits, which all share: three refusals, so up to 1.5, 3 and 6 s, less where
    // one succeeded in between.
    assert.ok(
      waits.every((ms) => ms > 0 && ms <= 6000),
      String(waits),
    );
    assert.ok(waits.length >= 2);

    // The next night of that month it is not even started; the others are.
    const again = await playNight(place.folder, [tenant('fine'), tenant('greedy', 0.01)], answer, {
      night: '2026-11-17',
    });
    assert.deepEqual(
      again.results.map(({ status, headline }) => [status, headline]),
      [
        ['done', 'fine is well'],
        ['over budget', 'Not started: the budget is spent.'],
      ],
    );
    assert.equal(existsSync(join(place.folder, 'traces', '2026-11-17', 'greedy.jsonl')), false);
    place.remove();
  });

  it('gives a tenant so much time and no more', async () => {
    const limits = { running: 1, tries: 1, milliseconds: 1500 };
    const { results } = await playNight(folder, [tenant('slow')], () => held(text('Never.'), gate()), {
      limits,
    });
    assert.deepEqual([results[0]?.status, results[0]?.headline], ['failed', 'Not done within 1.5 seconds.']);
  });
});

/** Ends the CLI of a tenant as the system does when memory runs out; its recording knows the process, once it is written. */
async function killCli(trace: string): Promise<void> {
  let header: string | undefined;
  while (header === undefined) {
    [header] = existsSync(trace) ? (/^.+(?=\n)/.exec(readFileSync(trace, 'utf8')) ?? []) : [];
    if (header === undefined) await setTimeout(20);
  }
  const { pid } = JSON.parse(header) as { pid?: number };
  if (pid === undefined) throw new Error(`No process id in ${header}`);
  process.kill(pid, 'SIGKILL');
}
