// Steps of the package's code per call of a tool, per question for permission and per partial message, and which functions take them:
// how many there are, each of which the engine has to compile, and how often they are called in all.
import { startCounting, takeSteps } from './count-steps.mjs';
import { chooseCli, readAll, report } from './session.mjs';
import { makeShapes, offerTools } from './tools.mjs';

const [WARM_UP, COUNTED] = [100, 200];

startCounting();
const inboard = await import('inboard');

/** Counts between two moments of the same kind: `makeOptions` gets what is to be called at each, or partial messages are. */
async function count(play, makeOptions) {
  let moments = 0;
  let counted;
  const mark = () => {
    if (moments === WARM_UP) takeSteps();
    if (moments === WARM_UP + COUNTED) counted = takeSteps();
    moments += 1;
  };
  const query = inboard.query({ prompt: 'go', options: { ...chooseCli(play), ...makeOptions(mark) } });
  await readAll(query, (message) => message.type === 'stream_event' && mark());
  const most = counted.functions.toSorted((one, other) => other.steps - one.steps).slice(0, 25);
  // What is called less often belongs to something else, as to a timer that fired meanwhile.
  const regular = counted.functions.filter(({ calls }) => calls >= COUNTED);
  return {
    steps: counted.steps / COUNTED,
    functions: regular.length,
    'calls of functions': regular.reduce((sum, { calls }) => sum + Math.floor(calls / COUNTED), 0),
    details: most.map(({ name, steps }) => `${steps / COUNTED} steps ${name}`),
  };
}

const allow = async (_name, input) => ({ behavior: 'allow', updatedInput: input });
const total = WARM_UP + COUNTED + 100;
const shapes = await makeShapes('zod');
const work = {
  call: () => count({ calls: total }, (mark) => ({ mcpServers: offerTools(inboard, shapes, mark) })),
  question: () =>
    count({ questions: total }, (mark) => ({
      canUseTool: (name, input) => {
        mark();
        return allow(name, input);
      },
    })),
  delta: () => count({ deltas: total }, () => ({ includePartialMessages: true, canUseTool: allow })),
};
report(await work[process.argv[2]]());
