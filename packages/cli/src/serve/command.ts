// How `inboard serve` is called: its arguments, options and help.
import { TOOLS_FILE, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const SERVE_COMMAND: Command = {
  summary: 'serve your tools to any MCP host: editors, inspectors, the CLI itself',
  usage: '<tools file> (--stdio | --http)',
  args: { least: 1, most: 1 },
  options: {
    stdio: { type: 'boolean', help: 'serve one client on standard input and output' },
    http: { type: 'boolean', help: 'serve streamable HTTP at /mcp' },
    verbose: { type: 'boolean', short: 'v', help: 'log every request and refusal on standard error' },
    watch: {
      type: 'boolean',
      short: 'w',
      help: 'reload the tools file when it or a file it imports changes',
    },
    port: { type: 'string', value: '<n>', help: 'for --http; default 3000; 0 picks a free one' },
    host: { type: 'string', value: '<address>', help: 'for --http; default 127.0.0.1' },
    token: {
      type: 'string',
      value: '<secret>',
      help: 'for --http; auto generates a bearer token that clients must send; set your own as INBOARD_SERVE_TOKEN',
    },
    'allow-host': {
      type: 'string',
      multiple: true,
      value: '<name>',
      help: 'for --http; accept requests for this host name too; repeatable',
    },
  },
  details: [
    ...TOOLS_FILE,
    '',
    'Needs the package @modelcontextprotocol/server. HTTP listens on loopback and checks Host and Origin;',
    'on any other address a token is required, and generated when none is given. On loopback, without a token,',
    'every program and user on this machine can call the tools: use --token auto to prevent that.',
    'A token of your own belongs in the variable INBOARD_SERVE_TOKEN: every user of this machine can read a command line.',
    'A tools file that exports a function toolContext decides itself which tokens are accepted, and for whom.',
  ],
  examples: [
    'inboard serve tools.ts --http --port 3100 --token auto',
    'inboard serve tools.ts --http --watch --verbose',
    'inboard serve tools.ts --stdio',
  ],
  load: async () => (await loadPart(() => import('./serve-tools.js'))).serveTools,
};
