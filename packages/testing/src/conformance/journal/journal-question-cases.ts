// Conformance cases for journals: questions to people are kept across attempts, and the first answer counts.
import assert from 'node:assert/strict';
import {
  createAnswer,
  createOutcome,
  createQuestion,
  expectRefused,
  race,
  type JournalCheck,
} from './journal-check.js';

const RACERS = 12;
const MANY = 25;

/** Cases about questions and answers. */
export const QUESTION_CASES: readonly JournalCheck[] = [
  {
    name: 'stores a question with its conversation and the time of its own clock, and announces it',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const question = createQuestion({ title: 'Pay \u0000 back?', input: { order: 7, note: '\u0000 "x"' } });
      assert.equal(await bench.journal.ask(fence, turn.id, question), undefined);
      const [kept, ...more] = await bench.other.questions({ key });
      assert.equal(more.length, 0);
      assert.ok(kept && kept.askedAt >= turn.sentAt, 'asked at the time of the journal');
      assert.deepEqual(
        { ...kept, askedAt: 0 },
        { ...question, conversation: key, turn: turn.id, tenant: bench.tenant },
      );
      assert.equal((await bench.other.conversation(key))?.questions, 1);
      const event = (await bench.other.events(key)).at(-1);
      assert.ok(event?.type === 'question');
      assert.deepEqual(
        [event.question, event.turn, event.epoch, event.toolName, event.title, event.attempt],
        [question.id, turn.id, fence.epoch, 'pay', question.title, 1],
      );
    },
  },
  {
    name: 'replaces a question that is asked again, and keeps its answer',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const question = createQuestion();
      await bench.journal.ask(fence, turn.id, question);
      await bench.journal.ask(fence, turn.id, { ...question, attempt: 2 });
      const open = await bench.other.questions({ key });
      assert.deepEqual(
        open.map(({ id, attempt }) => ({ id, attempt })),
        [{ id: question.id, attempt: 2 }],
      );
      await bench.other.answer(question.id, createAnswer('bob'));
      const events = (await bench.journal.events(key)).length;
      const known = await bench.journal.ask(fence, turn.id, { ...question, attempt: 3 });
      assert.deepEqual([known?.by, known?.result], ['bob', createAnswer().result]);
      assert.equal((await bench.journal.events(key)).length, events, 'there is nothing to ask');
      const [answered] = await bench.other.questions({ key, answered: true });
      assert.deepEqual([answered?.attempt, answered?.answer?.by], [3, 'bob']);
    },
  },
  {
    name: 'announces a question once that is asked again in one lease, as after a lost answer',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const question = createQuestion();
      for (const attempt of [1, 1, 2, 2]) await bench.journal.ask(fence, turn.id, { ...question, attempt });
      const told = (await bench.other.events(key)).flatMap((event) =>
        event.type === 'question' ? [event.attempt] : [],
      );
      assert.deepEqual(told, [1, 2]);
    },
  },
  {
    name: 'accepts the first of many answers, and announces it once',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const { id } = createQuestion();
      await bench.journal.ask(fence, turn.id, createQuestion({ id }));
      const answers = await race(bench, RACERS, (journal, at) =>
        journal.answer(id, createAnswer(`person ${at}`)),
      );
      assert.equal(answers.filter(({ taken }) => taken).length, 1);
      for (const answer of answers) assert.equal(answer.key, key);
      const winner = `person ${answers.findIndex(({ taken }) => taken)}`;
      const [kept] = await bench.other.questions({ id, answered: true });
      assert.equal(kept?.answer?.by, winner);
      assert.ok((kept?.answer?.answeredAt ?? 0) >= turn.sentAt, 'answered at the time of the journal');
      const told = (await bench.other.events(key)).filter(({ type }) => type === 'answer');
      assert.equal(told.length, 1);
      const [event] = told;
      assert.ok(event?.type === 'answer');
      assert.deepEqual(
        [event.question, event.turn, event.epoch, event.behavior, event.by],
        [id, turn.id, 0, 'allow', winner],
      );
      assert.deepEqual(await bench.other.questions({ id }), []);
    },
  },
  {
    name: 'accepts no answer to a question that does not exist',
    async run(bench) {
      assert.deepEqual(await bench.journal.answer(createQuestion().id, createAnswer()), { taken: false });
      const { fence, turn } = await bench.run();
      const question = createQuestion();
      await bench.journal.ask(fence, turn.id, question);
      await bench.journal.withdraw(fence, question.id);
      await bench.journal.withdraw(fence, question.id);
      assert.equal((await bench.other.answer(question.id, createAnswer())).taken, false);
    },
  },
  {
    name: 'withdraws no question of another conversation, and asks none under its id',
    async run(bench) {
      const [one, two] = [await bench.run(), await bench.run()];
      const question = createQuestion();
      await bench.journal.ask(one.fence, one.turn.id, question);
      await bench.journal.withdraw(two.fence, question.id);
      assert.equal((await bench.other.questions({ id: question.id })).length, 1);
      await expectRefused(
        () => bench.journal.ask(two.fence, two.turn.id, question),
        'INVALID_OPTIONS',
        'an id of another conversation',
      );
      assert.equal((await bench.other.questions({ id: question.id }))[0]?.conversation, one.key);
    },
  },
  {
    name: 'asks nothing for a turn that is not under way',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const { id } = await bench.send(key);
      for (const other of [id, 'unknown']) {
        await expectRefused(() => bench.journal.ask(fence, other, createQuestion()), 'TURN_UNKNOWN', other);
      }
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      await expectRefused(
        () => bench.journal.ask(fence, turn.id, createQuestion()),
        'TURN_UNKNOWN',
        'one that has ended',
      );
      assert.deepEqual(await bench.journal.questions({ key, answered: true }), []);
      await bench.journal.next(fence);
      await expectRefused(
        () => bench.journal.ask(fence, id, createQuestion({ id: 'a\0b' })),
        'INVALID_OPTIONS',
        'an id with NUL',
      );
    },
  },
  {
    name: 'lists questions oldest first, by conversation, tenant and id, up to the limit',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const asked = Array.from({ length: 5 }, () => createQuestion());
      for (const question of asked) await bench.journal.ask(fence, turn.id, question);
      const ids = asked.map(({ id }) => id);
      const list = async (filter: Parameters<typeof bench.other.questions>[0]): Promise<string[]> =>
        (await bench.other.questions(filter)).map(({ id }) => id);
      assert.deepEqual(await list({ key }), ids);
      assert.deepEqual(await list({ tenant: bench.tenant, limit: 2 }), ids.slice(0, 2));
      assert.deepEqual(await list({ id: asked[3]?.id }), ids.slice(3, 4));
      assert.deepEqual(await list({ id: asked[3]?.id, key: bench.key() }), []);
      assert.deepEqual(await list({ tenant: `${bench.tenant}-2` }), []);
      await expectRefused(() => bench.other.questions({ limit: -1 }), 'INVALID_OPTIONS', 'a limit of -1');
    },
  },
  {
    name: 'lists questions page by page, also behind one that is gone',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const asked = Array.from({ length: MANY }, () => createQuestion());
      for (const question of asked) await bench.journal.ask(fence, turn.id, question);
      const ids = asked.map(({ id }) => id);
      const all = await bench.other.questions({ key });
      assert.deepEqual(
        all.map(({ id }) => id),
        ids,
      );
      const pages: string[] = [];
      for (let after = all[2]; after;) {
        const page = await bench.other.questions({ key, after, limit: 7 });
        pages.push(...page.map(({ id }) => id));
        after = page.at(-1);
      }
      assert.deepEqual(pages, ids.slice(3));
      const [gone] = all.slice(-2);
      assert.ok(gone);
      await bench.journal.withdraw(fence, gone.id);
      const rest = await bench.other.questions({ key, after: gone });
      assert.equal(rest.at(-1)?.id, ids.at(-1), 'those behind it are listed all the same');
      assert.ok(rest.every(({ askedAt }) => askedAt >= gone.askedAt));
      await expectRefused(
        () => bench.other.questions({ after: ids[0] as unknown as { askedAt: number; id: string } }),
        'INVALID_OPTIONS',
        'an id in place of a question',
      );
    },
  },
  {
    name: 'keeps answers for a turn that is taken over',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const question = createQuestion();
      await bench.journal.ask(fence, turn.id, question);
      await bench.journal.release(fence);
      await bench.other.answer(question.id, createAnswer());
      const next = await bench.grant(key);
      await bench.journal.next(next);
      assert.equal((await bench.journal.ask(next, turn.id, { ...question, attempt: 2 }))?.by, 'ann');
    },
  },
];
