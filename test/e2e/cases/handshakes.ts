// How the CLI and an in-process server meet, line by line, under both kinds of registration.
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { createSdkMcpServer, launchCli, text, tool, toolUse } from '../support/inboard.js';
import type { Launch, Options } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import type { Act } from '../support/stage.js';
import { readRest } from '../support/talk.js';
import type { Line, WireLog } from '../support/wire-log.js';

/** A turn in which the model asks for a greeting, the host allows it, and the tool gives it. */
async function greet(
  cli: Cli,
  meeting: { registration: Options['sdkServerRegistration']; launch?: Launch; speakAfter?: string },
  look: (wire: WireLog) => void,
): Promise<void> {
  const { registration, launch, speakAfter } = meeting;
  const schema = { name: 'string' } as const;
  const tools = [tool('greet', 'Greet someone by name', schema, ({ name }) => `Hello, ${name}! Welcome.`)];
  const script = [toolUse('mcp__demo_tools__greet', { name: 'Alice' }), text('I have greeted Alice.')];
  const options: Options = {
    mcpServers: { demo_tools: createSdkMcpServer({ name: 'demo_tools', tools }) },
    sdkServerRegistration: registration,
    canUseTool: () => Promise.resolve({ behavior: 'allow' }),
  };
  await onStage(cli, { script, options }, async (stage) => {
    async function* prompt(): AsyncGenerator<string> {
      if (speakAfter !== undefined) {
        await act.wire.waitFor(() => act.wire.mcpMessages().some(({ method }) => method === speakAfter));
      }
      yield 'Please greet Alice.';
    }
    const act: Act = stage.start(prompt(), {}, launch);
    const { error } = await readRest(act.query);
    expect(error).toBeUndefined();
    expect(act.warnings).toEqual([]);
    expect(act.wire.listUnanswered()).toEqual([]);
    look(act.wire);
  });
}

/**
 * Two handshakes at once are a race inside the CLI. On this launcher's pipe the answers to the second and third
 * MCP message arrive when the message after them has come, which leaves one order: the one that was captured.
 */
const launchPaced: Launch = async (input) => {
  const launched = await launchCli(input);
  const { transport } = launched;
  const asked: unknown[] = [];
  const late = new Map<unknown, string>();
  const isLate = (index: number): boolean => index === 1 || index === 2;
  return {
    ...launched,
    transport: {
      get pid() {
        return transport.pid;
      },
      open: (receiver) =>
        transport.open({
          line: (line) => {
            const { request, request_id: id } = JSON.parse(line) as { request?: Line; request_id?: string };
            if (request?.['subtype'] === 'mcp_message') {
              const before = late.get(asked.at(-1));
              if (before !== undefined) transport.write(before);
              asked.push(id);
            }
            receiver.line(line);
          },
          fault: (error) => receiver.fault(error),
          closed: (end) => receiver.closed(end),
        }),
      write: (line) => {
        const { response } = JSON.parse(line) as { response?: Line };
        const index = asked.indexOf(response?.['request_id']);
        if (!isLate(index)) return transport.write(line);
        late.set(asked[index], line);
        return true;
      },
      drained: () => transport.drained(),
      endInput: () => transport.endInput(),
      terminate: (options) => transport.terminate(options),
    },
  };
};

/** Every line in a word, from the first MCP message on; what the CLI tells about itself alone is left out. */
function wordsOf(wire: WireLog): string[] {
  const words = wire.entries
    .filter(({ line }) => line['subtype'] !== 'session_state_changed')
    .filter(({ from, line }) => from === 'host' || line['type'] !== 'control_response')
    .map(({ from, line }) => {
      const request = line['request'] as Line | undefined;
      const message = request?.['message'] as Line | undefined;
      const answer = line['type'] === 'control_response' ? 'answer' : undefined;
      const what = answer ?? message?.['method'] ?? request?.['subtype'] ?? line['subtype'] ?? line['type'];
      return `${from === 'cli' ? '<' : '>'} ${String(what)}`;
    });
  return words.slice(words.findIndex((word) => word.startsWith('<')));
}

/** Questions of the CLI, each with its answer. */
function answered(...questions: string[]): string[] {
  return questions.flatMap((question) => [`< ${question}`, '> answer']);
}

const turn = [
  '< init',
  '< assistant',
  ...answered('can_use_tool', 'tools/call'),
  '< user',
  '< assistant',
  '< success',
];

async function meetOnTheCommandLine(cli: Cli): Promise<void> {
  const isOld = cli.isOld;
  const meeting = { registration: 'argv', speakAfter: 'notifications/initialized' } as const;
  // The older CLI shakes hands at its start, and a second time when the user has spoken.
  await greet(cli, { ...meeting, ...(isOld && { launch: launchPaced }) }, (wire) => {
    const start = [...answered('initialize', 'notifications/initialized'), '> user'];
    const again = ['initialize', 'tools/list', 'notifications/initialized', 'tools/list'];
    const words = wordsOf(wire);
    if (isOld) expect(words).toEqual([...start, ...answered(...again), ...turn]);
    // Here the user line may go out before or after the list is asked for.
    else
      expect(words.filter(isNotUser)).toEqual(
        [...start, ...answered('tools/list'), ...turn].filter(isNotUser),
      );
    expect(words.indexOf('> user')).toBeLessThan(words.indexOf('< init'));
    expect(wire.requests('host', 'initialize')[0]).not.toHaveProperty('sdkMcpServers');
    checkCorrelation(wire);
  });
}

function isNotUser(word: string): boolean {
  return word !== '> user';
}

async function meetInTheHandshake(cli: Cli): Promise<void> {
  await greet(cli, { registration: 'initialize' }, (wire) => {
    expect(wire.requests('host', 'initialize')).toMatchObject([{ sdkMcpServers: ['demo_tools'] }]);
    // The newer CLI takes what the handshake says of the server and asks for nothing.
    const methods = wire.mcpMessages().map(({ method, id }) => [method, id]);
    const met = [
      ['initialize', 0],
      ['notifications/initialized', undefined],
      ['tools/list', 1],
    ];
    expect(methods).toEqual([...(cli.isOld ? met : []), ['tools/call', 2]]);
    expect(wordsOf(wire).slice(-turn.length)).toEqual(turn);
    checkCorrelation(wire);
  });
}

/** One id in four places: the model's call, the question, the call to the server, the result. */
function checkCorrelation(wire: WireLog): void {
  const blocks = wire.entries.flatMap(({ from, line }) => {
    const content = (line['message'] as Line | undefined)?.['content'];
    return from === 'cli' && Array.isArray(content) ? (content as Line[]) : [];
  });
  const call = wire.mcpMessages().find(({ method }) => method === 'tools/call');
  expect(call?.params).toMatchObject({ name: 'greet', arguments: { name: 'Alice' } });
  const places = [
    blocks.find((block) => block['type'] === 'tool_use')?.['id'],
    wire.requests('cli', 'can_use_tool')[0]?.['tool_use_id'],
    (call?.params['_meta'] as Line | undefined)?.['claudecode/toolUseId'],
    blocks.find((block) => block['type'] === 'tool_result')?.['tool_use_id'],
  ];
  expect(places).toEqual(Array(4).fill('toolu_scripted_0001'));
}

export const handshakeCases: CaseSet = {
  'meets a server that was registered on the command line': meetOnTheCommandLine,
  'meets a server that was registered in the handshake': meetInTheHandshake,
};
