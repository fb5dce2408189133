// Questions to people, tool calls, and events.
import type { ApprovalQuestion } from '../../answer/permissions/approvals/approval.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import { checkAfter, checkKey, checkLimit, checkName } from '../journal/check-names.js';
import type { Journal } from '../journal/journal.js';
import type { ClusterEventBody, KnownCall } from '../journal/records.js';
import type { Database } from './database.js';
import {
  EVENT_COLUMNS,
  fromText,
  ms,
  QUESTION_COLUMNS,
  readAnswer,
  readEvent,
  readQuestion,
  toText,
} from './rows.js';
import { splitEvents } from './turns.js';

type Methods = Pick<
  Journal,
  'ask' | 'answer' | 'questions' | 'withdraw' | 'beginCall' | 'endCall' | 'publish' | 'events'
>;

export function questionMethods(database: Database): Methods {
  const { schema } = database;
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
      return readAnswer(row?.['answer'], row?.['answered_at']);
    },

    async answer(id, answer) {
      checkName('id', id);
      const event: ClusterEventBody = withoutUndefined({
        type: 'answer' as const,
        question: id,
        behavior: answer.result?.behavior ?? 'deny',
        by: answer.by,
      });
      const [row] = await database.query(`select * from ${schema}.answer_question($1, $2, $3)`, [
        id,
        toText('answer', answer),
        toText('answer', event),
      ]);
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
      return rows.map(readQuestion);
    },

    async withdraw(fence, id) {
      checkName('id', id);
      await database.query(`select ${schema}.withdraw($1, $2, $3)`, [fence.key, fence.epoch, id], { fence });
    },

    async beginCall(fence, { callKey, turn, toolName, input }): Promise<KnownCall> {
      checkName('callKey', callKey);
      checkName('turn', turn);
      const [row] = await database.query(
        `select * from ${schema}.begin_call($1, $2, $3, $4, $5, $6)`,
        [fence.key, fence.epoch, callKey, turn, toText('toolName', toolName), toText('input', input)],
        { fence, turn },
      );
      const { begun, result } = row as { begun: number; result: string | null };
      if (result !== null) return { state: 'ended', begun, result: fromText(result) };
      return begun === 0 ? { state: 'new' } : { state: 'begun', begun };
    },

    async endCall(fence, callKey, result) {
      checkName('callKey', callKey);
      await database.query(
        `select ${schema}.end_call($1, $2, $3, $4)`,
        [fence.key, fence.epoch, callKey, toText('result', result)],
        { fence },
      );
    },

    async publish(fence, events, batch) {
      if (batch !== undefined) checkName('batch', batch);
      for (const { turn } of events) checkName('turn', turn);
      const [row] = await database.query(
        `select ${schema}.publish($1, $2, $3, $4, $5) as last`,
        [fence.key, fence.epoch, ...splitEvents(events), batch],
        { fence },
      );
      return row?.['last'] as number;
    },

    async events(key, { after = 0, limit = 1000 } = {}) {
      checkKey(key);
      checkLimit(limit);
      const rows = await database.query(
        `select ${EVENT_COLUMNS} from ${schema}.events e
        where e.conversation = (select number from ${schema}.conversations where key = $1) and e.id > $2
        order by e.id limit $3`,
        [key, after, limit],
      );
      return rows.map((row) => readEvent(key, row));
    },
  };
}

function describeQuestion({ id, toolName, title, attempt }: ApprovalQuestion): ClusterEventBody {
  return withoutUndefined({ type: 'question' as const, question: id, toolName, title, attempt });
}
