// How `inboard data` is called: its arguments, options and help.
import { JSON_OPTION, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const DATA_COMMAND: Command = {
  summary: 'find or delete everything that belongs to sessions: transcripts, logs, traces, approvals',
  usage: '(find | delete) [<session id>…]',
  args: { least: 1, most: 1001 },
  options: {
    tag: { type: 'string', value: '<tag>', help: 'the sessions with this tag, instead of ids' },
    dir: {
      type: 'string',
      value: '<folder>',
      help: 'the sessions of this working directory, instead of ids',
    },
    traces: {
      type: 'string',
      multiple: true,
      value: '<path>',
      help: 'a trace, or a folder of traces; repeatable. Default: what INBOARD_TRACE names',
    },
    approvals: {
      type: 'string',
      multiple: true,
      value: '<folder>',
      help: 'a folder of createFileApprovalStore(); repeatable',
    },
    copies: { type: 'boolean', help: 'also the sessions that contain the same messages' },
    'shared-files': { type: 'boolean', help: 'delete: also traces and logs that contain other sessions' },
    yes: { type: 'boolean', short: 'y', help: 'delete: do not ask for confirmation' },
    json: JSON_OPTION,
  },
  details: [
    'The folders of the CLI are always searched; CLAUDE_CONFIG_DIR sets where they are.',
    'delete shows what it will delete and asks first; where there is nobody to ask, it needs --yes.',
    'Its exit code is 1 if anything is still there.',
  ],
  examples: [
    'inboard data find 2bbb5b53-7a8c-434d-85f8-0210b1384b0f',
    'inboard data delete --tag user-42 --copies --yes',
  ],
  load: async () => (await loadPart(() => import('./run-data.js'))).runData,
};
