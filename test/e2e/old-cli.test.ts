// The oldest CLI takes seconds to start, so three processes have to do here: turns, a tool, an interrupted turn.
// All the other cases run on it in the long tests.
import { interruptATurn } from './cases/query-ends.js';
import { callATool } from './cases/tools.js';
import { talkInTurns } from './cases/turns.js';
import { forEachCli } from './support/cases.js';
import { oldCli } from './support/cli.js';

forEachCli([oldCli], {
  'talks in turns': talkInTurns,
  'calls a tool with a prompt that was a string': callATool,
  'interrupts a turn and goes on': interruptATurn,
});
