// How `inboard run` is called: its arguments, options and help.
import { CLI_OPTION, TOOLS_FILE, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const RUN_COMMAND: Command = {
  summary: 'run an agent with your tools in the terminal',
  usage: '<tools file> ["<prompt>"]',
  args: { least: 1, most: 2 },
  options: {
    once: { type: 'boolean', help: 'exit after the answer, even at a terminal; for scripts' },
    yes: { type: 'boolean', short: 'y', help: 'allow every tool call without asking' },
    allow: {
      type: 'string',
      multiple: true,
      value: '<tool>',
      help: 'run this tool without asking: its name, or a rule such as "Bash(ls:*)"; repeatable',
      sets: ['allowedTools'],
    },
    model: { type: 'string', value: '<name>', help: 'the model', sets: ['model'] },
    cwd: { type: 'string', value: '<folder>', help: 'where the agent works', sets: ['cwd'] },
    'setting-sources': {
      type: 'string',
      value: '<list>',
      help: 'settings to load: user, project, local; default user, because the others may run commands',
      sets: ['settingSources'],
    },
    'max-turns': { type: 'string', value: '<n>', help: 'stop after this many turns', sets: ['maxTurns'] },
    trace: {
      type: 'string',
      value: '<file>',
      help: 'record the run; look at it with "inboard trace view"',
      sets: ['trace'],
    },
    inspect: {
      type: 'boolean',
      help: 'serve a page to watch and steer the run, and to answer its questions',
    },
    'offline-script': {
      type: 'string',
      value: '<file>',
      help: 'play the model from a script instead of asking a real one (or INBOARD_OFFLINE_SCRIPT)',
    },
    strict: { type: 'boolean', help: 'with a script: exit with 1 if the run does not use all of its steps' },
    cli: CLI_OPTION,
    json: { type: 'boolean', help: 'print every message as one line of JSON' },
  },
  details: [
    ...TOOLS_FILE,
    '',
    'Asks at the terminal before each tool call: y(es), n(o), a(lways), v(iew all). Where there is nobody to ask, calls',
    'are denied unless --yes or --allow allows them; with --inspect they wait for an answer on the page. What the folder',
    'contains (hooks, .mcp.json, CLAUDE.md) is loaded only with --setting-sources user,project.',
    '',
    'At a terminal, you can continue after each answer: arrow keys bring back earlier lines, Ctrl-C interrupts a turn, and',
    'Ctrl-C or Ctrl-D at the prompt exits. In a pipe, with --once or with --json, the command exits after the answer;',
    'Ctrl-C ends it early, and a second Ctrl-C at once. Without a prompt, or with "-", the prompt is read from the pipe.',
  ],
  examples: [
    'inboard run tools.ts',
    'inboard run tools.ts "Count" --allow count --trace run.jsonl',
    'inboard run tools.ts --inspect',
    'inboard run tools.ts "How many apples do we have?" --allow count --once',
  ],
  load: async () => (await loadPart(() => import('./run-agent.js'))).runAgent,
};
