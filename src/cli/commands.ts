// The table of commands: what each is called, takes and says about itself. The work is in commands/.
import type { Command, CommandOption } from './command.js';

const json: CommandOption = { type: 'boolean', help: 'print JSON and nothing else' };
const cli: CommandOption = { type: 'string', value: '<path>', help: 'the Claude CLI to use' };

const TOOLS_FILE = [
  'A tools file is TypeScript or JavaScript that exports what createSdkMcpServer() or tool() gave, a list of',
  'tools, or an MCP server of the official libraries.',
];

/** All commands, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  demo: {
    summary: 'an agent that calls a tool inside this process, with the wire made visible',
    usage: '',
    words: { least: 0, most: 0 },
    options: {
      wire: { type: 'boolean', help: 'show every line of the wire in full' },
      offline: { type: 'boolean', help: 'use the scripted model even if ANTHROPIC_API_KEY is set' },
      cli,
    },
    details: ['Needs no account: without ANTHROPIC_API_KEY the model is a script on loopback.'],
    examples: ['inboard demo', 'inboard demo --wire'],
    load: async () => (await import('./commands/demo.js')).runDemo,
  },
  doctor: {
    summary: 'what works here and what does not, and what to do about it',
    usage: '',
    words: { least: 0, most: 0 },
    options: {
      cli,
      timeout: {
        type: 'string',
        value: '<seconds>',
        help: 'how long to wait for the CLI each time; default 30',
      },
      json,
    },
    details: ['Sends no prompt to a real model. Exit code 1 when something is broken.'],
    examples: ['inboard doctor', 'inboard doctor --json'],
    load: async () => (await import('./commands/doctor.js')).runDoctor,
  },
  run: {
    summary: 'an agent with your tools, in the terminal',
    usage: '<tools file> "<prompt>"',
    words: { least: 2, most: 2 },
    options: {
      yes: { type: 'boolean', short: 'y', help: 'allow every tool call without asking' },
      allow: {
        type: 'string',
        multiple: true,
        value: '<tool>',
        help: 'run this tool without asking: its name, or a rule such as "Bash(ls:*)"; repeatable',
      },
      model: { type: 'string', value: '<name>', help: 'the model' },
      cwd: { type: 'string', value: '<folder>', help: 'where the agent works' },
      'max-turns': { type: 'string', value: '<n>', help: 'stop after so many turns' },
      trace: {
        type: 'string',
        value: '<file>',
        help: 'record the run; look at it with "inboard trace view"',
      },
      'offline-script': {
        type: 'string',
        value: '<file>',
        help: 'play the model from a script in place of asking a real one (or INBOARD_OFFLINE_SCRIPT)',
      },
      cli,
      json: { type: 'boolean', help: 'print every message as one line of JSON' },
    },
    details: [
      ...TOOLS_FILE,
      '',
      'Tool calls are asked about at the terminal: y(es), n(o), a(lways). Where nobody can be asked they are',
      'denied, unless allowed by --yes or --allow. Ctrl-C ends the session; a second one ends it at once.',
    ],
    examples: [
      'inboard run tools.ts "How many apples do we have?"',
      'inboard run tools.ts "Count" --allow count --trace run.jsonl',
    ],
    load: async () => (await import('./commands/run.js')).runAgent,
  },
  call: {
    summary: 'run one tool as a session would: checked, limited, its result made MCP content',
    usage: "<tools file> <tool> ['<json>' | -]",
    words: { least: 2, most: 3 },
    options: { json },
    details: [...TOOLS_FILE, '', 'Arguments are a JSON object; "-" reads them from the input. Default {}.'],
    examples: [
      `inboard call tools.ts count '{"article":"apples"}'`,
      'inboard call tools.ts count - <args.json',
    ],
    load: async () => (await import('./commands/call.js')).callTool,
  },
  tools: {
    summary: 'what the model will see of your tools, with warnings',
    usage: '<tools file>',
    words: { least: 1, most: 1 },
    options: {
      json,
      strict: { type: 'boolean', help: 'exit code 1 when there are warnings' },
    },
    details: TOOLS_FILE,
    examples: ['inboard tools tools.ts', 'inboard tools tools.ts --json'],
    load: async () => (await import('./commands/tools.js')).showTools,
  },
  serve: {
    summary: 'your tools for any MCP host: editors, inspectors, the CLI itself',
    usage: '<tools file> (--stdio | --http)',
    words: { least: 1, most: 1 },
    options: {
      stdio: { type: 'boolean', help: 'speak on the standard input and output' },
      http: { type: 'boolean', help: 'speak streamable HTTP at /mcp' },
      port: { type: 'string', value: '<n>', help: 'for --http; default 3000, 0 takes a free one' },
      host: { type: 'string', value: '<address>', help: 'for --http; default 127.0.0.1' },
      token: {
        type: 'string',
        value: '<secret>',
        help: 'for --http; a bearer token clients must send (or INBOARD_SERVE_TOKEN)',
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
      'anywhere else a token is required, and made up when none is given.',
    ],
    examples: ['inboard serve tools.ts --stdio', 'inboard serve tools.ts --http --port 3100'],
    load: async () => (await import('./commands/serve.js')).serveTools,
  },
  trace: {
    summary: 'look at a recorded run, or play it again against your tools',
    usage: '(view | html | mermaid | replay) <trace file>',
    words: { least: 2, most: 2 },
    options: {
      tools: {
        type: 'string',
        value: '<tools file>',
        help: 'replay: ask these tools and compare; without it all answers come from the tape',
      },
      ignore: {
        type: 'string',
        multiple: true,
        value: '<path>',
        help: 'replay: differences there do not count, e.g. "result.content[*].text"; repeatable',
      },
      output: {
        type: 'string',
        short: 'o',
        value: '<file>',
        help: 'html, mermaid: where to write; "-" is the output',
      },
      rows: { type: 'string', value: '<n>', help: 'view, mermaid: no more rows than this' },
      json: { type: 'boolean', help: 'view, replay: print JSON and nothing else' },
    },
    details: [
      'Record a run with "inboard run --trace <file>", the option "trace" or the variable INBOARD_TRACE.',
      'view prints a table, html writes one page that needs no network, mermaid prints a diagram as text.',
      'replay needs no CLI. Its exit code is 1 when an answer differs from the tape.',
    ],
    examples: [
      'inboard trace view run.jsonl',
      'inboard trace html run.jsonl -o run.html',
      'inboard trace replay run.jsonl --tools tools.ts',
    ],
    load: async () => (await import('./commands/trace.js')).runTrace,
  },
};
