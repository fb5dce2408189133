// How `inboard calls` is called: its arguments, options and help.
import { JSON_OPTION, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const CALLS_COMMAND: Command = {
  summary: 'list, complete, fail or watch the tool calls whose results are pending',
  usage: '(list | complete | fail | watch) [<key> <value>]',
  args: { least: 1, most: 3 },
  options: {
    dir: {
      type: 'string',
      value: '<folder>',
      help: 'only sessions of this working directory. Default: all',
    },
    session: {
      type: 'string',
      value: '<id>',
      help: 'only this session',
      sets: ['sessionId'],
    },
    by: { type: 'string', value: '<name>', help: 'complete, fail: who does it' },
    json: JSON_OPTION,
  },
  details: [
    'A call is pending if its handler returned pending(). complete takes the result',
    'as JSON, fail the text of an error; "-" reads them from standard input.',
    'Calls are read from the folders of the CLI; CLAUDE_CONFIG_DIR sets where they',
    'are. A session store or a cluster is reached with createCalls() in a program.',
    'watch runs until Ctrl-C. The exit code is 1 if a call could not be completed.',
  ],
  examples: [
    `inboard calls complete call_5f0c_1 '{"parcel":7}' --by ann`,
    "inboard calls fail call_5f0c_1 'Sold out'",
    'inboard calls list',
  ],
  calls: ['createCalls()'],
  load: async () => (await loadPart(() => import('./run-calls.js'))).runCalls,
};
