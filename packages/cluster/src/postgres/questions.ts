// The questions to people, tool calls and events of a journal in PostgreSQL.
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { checkAfter, checkBy, checkKey, checkLimit, checkName } from '../journal/check-names.js';
import type { Journal } from '../journal/journal.js';
import type { NewJournalQuestion } from '../journal/journal-question.js';
import type { ClusterEventBody, Json, KnownCall } from '../journal/records.js';
import { ContentKeeper, writeWithContents } from './contents/keep-contents.js';
import { readAtOnce, readContent } from './contents/read-contents.js';
import type { Database } from './database.js';
import type { FencedWrites } from './fenced-writes.js';
import {
  EVENT_COLUMNS,
  ms,
  QUESTION_COLUMNS,
  readAnswerRow,
  readEventRow,
  readQuestionRow,
  toText,
} from './rows.js';
import { TableReader } from './table-reader.js';

const BEGUN = new TableReader('begin_call_contents');
const PUBLISHED = new TableReader('publish');

type Methods = Pick<
  Journal,
  'ask' | 'answer' | 'questions' | 'withdraw' | 'beginCall' | 'endCall' | 'publish' | 'events' | 'readWhole'
>;

export function questionMethods(database: Database, writes: FencedWrites): Methods {
  const { schema } = database;
  const readResult = (content: number): Promise<Json> =>
    readAtOnce(database, (run) => readContent(run, schema, content));
  return {
    async ask(fence, turn, question) {
      checkName('turn', turn);
      checkName('id', question.id);
      const [row] = await database.query(
        `select answer, ${ms('answered_at')} as answered_at from ${schema}.ask($1, $2, $3, $4, $5, $6, $7)`,
        [fence.key, fence.epoch, turn, question.id, toText('question', question), question.attempt].concat([
          toText('question', describeQuestion(question)),
        ]),
        { fence, turn },
      );
      return readAnswerRow(row);
    },

    async answer(id, answer, { tenant } = {}) {
      checkName('id', id);
      checkBy(answer.by);
      const event: ClusterEventBody = withoutUndefined({
        type: 'answer' as const,
        question: id,
        behavior: answer.result?.behavior ?? 'deny',
        by: answer.by,
      });
      const values = [id, toText('answer', answer), toText('answer', event)];
      const [row] =
        tenant === undefined
          ? await database.query(`select * from ${schema}.answer_question($1, $2, $3)`, values)
          : // The question's id comes from the locked rows, so that a question is answered only if it belongs to the tenant.
            await database.query(
              `with own as materialized (
                select q.id from ${schema}.questions q join ${schema}.conversations c on c.number = q.conversation
                where q.id = $1 and c.tenant = $4 for no key update of c
              ) select a.* from own cross join lateral ${schema}.answer_question(own.id, $2, $3) a`,
              [...values, tenant],
            );
      const key = row?.['key'];
      return { taken: row?.['taken'] === true, ...(typeof key === 'string' && { key }) };
    },

    async questions({ id, key, tenant, answered = false, after, limit } = {}) {
      checkAfter(after);
      checkLimit(limit);
      const rows = await database.query(
        `select ${QUESTION_COLUMNS} from ${schema}.questions q join ${schema}.conversations c on c.number = q.conversation
        where ($1::text is null or q.id = $1) and ($2::text is null or c.key = $2) and ($3::text is null or c.tenant = $3)
          and ($4 or q.answer is null)
          and ($6::float8 is null or (q.asked_at, q.id) > (
            select x.asked_at, x.id from (
              select a.asked_at, a.id, 1 as choice from ${schema}.questions a where a.id = $7 and ${ms('a.asked_at')} = $6
              -- It is gone, or was asked again.
              union all select to_timestamp($6::float8 / 1000), '', 2
            ) x order by x.choice limit 1))
        order by q.asked_at, q.id limit $5`,
        [id, key, tenant, answered, limit, after?.askedAt, after?.id],
      );
      return rows.map(readQuestionRow);
    },

    async withdraw(fence, id) {
      checkName('id', id);
      await database.query(`select ${schema}.withdraw($1, $2, $3)`, [fence.key, fence.epoch, id], { fence });
    },

    async beginCall(fence, { callKey, turn, toolName, input }): Promise<KnownCall> {
      checkName('callKey', callKey);
      checkName('turn', turn);
      const row = await writes.write(fence, {
        name: 'begin_call_contents',
        values: [fence.key, fence.epoch, callKey, turn, toText('toolName', toolName), toText('input', input)],
        columns: ['begun', 'result', 'content'],
        turn,
      });
      const begun = BEGUN.number(row, 'begun');
      const content = BEGUN.numberIfAny(row, 'content');
      if (content !== undefined) return { state: 'ended', begun, result: await readResult(content) };
      if (row['result'] !== null) return { state: 'ended', begun, result: BEGUN.json(row, 'result') };
      return begun === 0 ? { state: 'new' } : { state: 'begun', begun };
    },

    async endCall(fence, callKey, result) {
      checkName('callKey', callKey);
      await writeWithContents(async () => {
        const { text, digest } = await new ContentKeeper(database, fence).keepResult(result);
        await writes.write(fence, {
          name: digest === null ? 'end_call' : 'end_call_content',
          values: [fence.key, fence.epoch, callKey, text, ...(digest === null ? [] : [digest])],
        });
      });
    },

    async publish(fence, events, batch) {
      if (batch !== undefined) checkName('batch', batch);
      for (const { turn } of events) checkName('turn', turn);
      return await writeWithContents(async () => {
        const { turns, bodies, digests } = await new ContentKeeper(database, fence).keepEvents(events);
        const written = await writes.write(fence, {
          name: digests ? 'publish_contents' : 'publish',
          values: [fence.key, fence.epoch, turns, bodies, batch, ...(digests ? [digests] : [])],
        });
        return PUBLISHED.number(written, 'given');
      });
    },

    async events(key, { after = 0, limit = 1000, tenant } = {}) {
      checkKey(key);
      checkLimit(limit);
      const rows = await database.query(
        `select ${EVENT_COLUMNS} from ${schema}.events e
        where e.conversation = (
          select number from ${schema}.conversations where key = $1 and ($4::text is null or tenant = $4)
        ) and e.id > $2
        order by e.id limit $3`,
        [key, after, limit, tenant],
      );
      return rows.map((row) => readEventRow(key, row));
    },

    async readWhole(key, id, { tenant } = {}) {
      checkKey(key);
      return await readAtOnce(database, async (run) => {
        const [row] = await run(
          `select ${EVENT_COLUMNS}, e.content from ${schema}.events e
          where e.conversation = (
            select number from ${schema}.conversations where key = $1 and ($3::text is null or tenant = $3)
          ) and e.id = $2`,
          [key, id, tenant],
        );
        if (!row) return undefined;
        const content = row['content'];
        if (typeof content !== 'number') return readEventRow(key, row);
        return readEventRow(key, row, await readContent(run, schema, content));
      });
    },
  };
}

function describeQuestion({ id, kind, toolName, title, attempt }: NewJournalQuestion): ClusterEventBody {
  const pending = kind === 'pending' ? true : undefined;
  return withoutUndefined({ type: 'question' as const, question: id, toolName, title, attempt, pending });
}
