// A fleet made by hand: two runs of the same task that went differently, one that waits, one that failed, and many small ones.
import type { Question } from '../../../../packages/inspector/src/stream/question.js';
import type { InspectorEvent } from '../../../../packages/inspector/src/stream/inspector-event.js';
import { EventMaker } from '../../../../packages/inspector/test/support/make-events.js';
import type { SessionEvents } from './embedded-page.js';

const PROMPT = 'How many lamps and desks do we have? Order more where there are fewer than ten.';

/** The question that `waiting` waits for. */
export const OPEN_QUESTION: Question = {
  id: 'perm-1',
  session: 'waiting',
  kind: 'permission',
  subject: 'mcp__shop__send',
  title: 'Send "invoice.pdf" to ines@example.com',
  input: { to: 'ines@example.com', file: 'invoice.pdf' },
  hidden: [],
  suggestions: [],
  askedAt: Date.parse('2026-11-16T09:00:03.000Z'),
  attempt: 1,
  canAnswer: true,
};

/** Sessions by id; `small` is how many there are besides the four. */
export function makeFleet({ small = 8 } = {}): Record<string, SessionEvents> {
  return {
    first: plain(checkStock(new EventMaker('first'), false)),
    second: plain(checkStock(new EventMaker('second'), true)),
    waiting: plain(
      new EventMaker('waiting')
        .open('query', 'Send the invoice to Ines')
        .prompt('Send the invoice to Ines')
        .init()
        .wait(2400)
        .assistant({ type: 'tool_use', id: 'w1', name: 'mcp__shop__send', input: OPEN_QUESTION.input })
        .asked({ ...OPEN_QUESTION, toolUseId: 'w1' }),
    ),
    failed: plain(
      new EventMaker('failed')
        .open('query', 'Nightly report')
        .prompt('Write the nightly report.')
        .init()
        .call('f1', 'Bash', { command: 'make report' }, { isError: true, result: 'make: no rule', ms: 900 })
        .end(1)
        .over({ code: 'PROCESS_EXIT', message: 'The CLI ended with code 1.' }),
    ),
    ...Object.fromEntries(
      Array.from({ length: small }, (_, at) => [`small-${at + 1}`, plain(translate(at + 1))]),
    ),
  };
}

function plain({ events }: EventMaker): InspectorEvent[] {
  return events.map(({ event }) => event);
}

function translate(chapter: number): EventMaker {
  const answer = `Chapter ${chapter} is translated; ${chapter + 1} words had no counterpart.`;
  return new EventMaker(`small-${chapter}`)
    .open('query')
    .prompt(`Translate chapter ${chapter}.`)
    .init()
    .wait(700 * chapter)
    .call(`c${chapter}`, 'Read', { file_path: `/ledger/${chapter}.md` }, { result: '…', ms: 40 * chapter })
    .wait(900)
    .assistant({ type: 'text', text: answer })
    .turnEnd(answer, { costUsd: 0.004 * chapter })
    .end()
    .over();
}

function checkStock(maker: EventMaker, other: boolean): EventMaker {
  const answer = other
    ? 'There are seven lamps and twelve standing desks. I ordered three lamps.'
    : 'There are seven lamps and four desks. Ordering failed.';
  maker
    .open('query', other ? 'Check the stock, with opus' : 'Check the stock')
    .prompt(PROMPT)
    .init(other ? { model: 'claude-opus-4-5-20251101' } : {})
    .wait(1800)
    .assistant({ type: 'text', text: 'I look both up.' })
    .call('t1', 'mcp__shop__count', { article: 'lamp' }, { ms: 120 })
    .wait(800)
    .call(
      't2',
      'mcp__shop__count',
      other ? { article: 'standing desk', warehouse: 'Basel' } : { article: 'desk' },
      { result: other ? '12' : '4', ms: 140 },
    );
  if (other)
    maker
      .call('t4', 'Bash', { command: 'cat stock.csv' }, { result: 'lamp,7\nstanding desk,12', ms: 300 })
      .call('t5', 'mcp__shop__order', { article: 'lamp', count: 3 }, { result: 'ordered', ms: 4200 });
  else
    maker.call(
      't3',
      'mcp__shop__order',
      { article: 'desk', count: 6 },
      { isError: true, result: 'The supplier does not answer.', ms: 1400 },
    );
  return maker
    .wait(1200)
    .assistant({ type: 'text', text: answer })
    .turnEnd(answer, { costUsd: other ? 0.0712 : 0.0123 })
    .end()
    .over();
}
