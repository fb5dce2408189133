// How `inboard acp` is called: its arguments, options and help.
import { CLI_OPTION, TOOLS_FILE, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const ACP_COMMAND: Command = {
  summary: 'run an agent with your tools in an editor: Zed, or any other that speaks ACP',
  usage: '<tools file>',
  args: { least: 1, most: 1 },
  options: {
    allow: {
      type: 'string',
      multiple: true,
      value: '<tool>',
      help: 'run this tool without asking: its name, or a rule such as "Bash(ls:*)"; repeatable',
      sets: ['allowedTools'],
    },
    'allow-bypass': {
      type: 'boolean',
      help: 'offer the mode that never asks; only for machines you can afford to lose',
    },
    model: {
      type: 'string',
      value: '<name>',
      help: 'the model; the editor can choose another one',
      sets: ['model'],
    },
    'setting-sources': {
      type: 'string',
      value: '<list>',
      help: 'settings to load: user, project, local; default user, because the others may run commands',
      sets: ['settingSources'],
    },
    name: { type: 'string', value: '<name>', help: 'how the agent introduces itself; default inboard' },
    watch: {
      type: 'boolean',
      short: 'w',
      help: 'reload the tools file when it or a file it imports changes',
    },
    'offline-script': {
      type: 'string',
      value: '<file>',
      help: 'play the model from a script instead of asking a real one (or INBOARD_OFFLINE_SCRIPT)',
    },
    cli: CLI_OPTION,
  },
  details: [
    ...TOOLS_FILE,
    '',
    'Needs the packages @agentclientprotocol/sdk and zod. An editor starts this command and speaks to it on standard',
    'input and output; there is nothing to see in a terminal. It ends when the editor closes the input.',
    'What your tools print goes to standard error, which editors log.',
  ],
  examples: [
    'inboard acp tools.ts --allow count --setting-sources user,project --watch',
    'inboard acp tools.ts',
  ],
  load: async () => (await loadPart(() => import('./run-acp.js'))).runAcp,
};
