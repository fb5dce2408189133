// The person of a cell: looks at the list of questions again and again, as a page of approvals would, and allows each once. Where the cell
// is about the answer, the host is killed right before or right after it is stored.
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 10;

/**
 * Answers until it is stopped. `lives` gives the number of the life under way, `isWaiting` whether that life has asked about all calls,
 * `freeze` and `strike` are for the host.
 */
export function answerQuestions({
  plan,
  approvals,
  note,
  lives,
  isWaiting = () => true,
  freeze = () => {},
  strike,
}) {
  const { cell } = plan;
  const answered = new Set();
  const about = cell.point === 'answer stored' ? plan.kills.length : 0;
  let isStruck = about === 0;
  const stopping = new AbortController();

  const mayAnswer = (open) => {
    const life = lives();
    if (life > plan.kills.length) return true;
    const isWhole = open.length + answered.size >= cell.calls;
    if (cell.phase === 'live') return isWhole;
    if (life === 1) return false;
    return cell.point.startsWith('answer') ? isWhole && isWaiting() : true;
  };
  async function answer({ id, input }) {
    if (!(await approvals.answer(id, { behavior: 'allow' }, { by: 'anna' }))) return;
    answered.add(input.call);
    note('answered', { call: input.call });
  }
  /** The life under way dies with the answer. */
  async function answerAndStrike(open) {
    isStruck = true;
    const target = open.find(({ input }) => input.call === (cell.calls === 1 ? 0 : 1)) ?? open[0];
    if (cell.when === 'after') {
      freeze();
      await answer(target);
    }
    note('death', { point: cell.point, when: cell.when, call: target.input.call });
    await strike();
    if (cell.when === 'before') await answer(target);
  }
  async function look() {
    const open = await approvals.list();
    for (const { input } of open) if (answered.has(input.call)) note('asked again', { call: input.call });
    const fresh = open.filter(({ input }) => !answered.has(input.call));
    if (fresh.length === 0 || !mayAnswer(fresh)) return;
    if (!isStruck && lives() === about) await answerAndStrike(fresh);
    else for (const question of fresh) await answer(question);
  }
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await look();
      await sleep(LOOK_EVERY_MS);
    }
  })();
  done.catch((error) => note('failed', { error: `The person: ${error?.stack ?? error}` }));
  return {
    async stop() {
      stopping.abort();
      await done.catch(() => {});
    },
  };
}
