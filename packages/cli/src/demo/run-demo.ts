// `inboard demo`: runs an agent on the real CLI. The agent calls a tool inside this process, and the tool changes the
// state of this program. The demo shows both protocol layers. examples/demo.mjs is the same agent without the command.
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import { outcomeOf } from '@inboard/core/live/output/outcome.js';
import { query } from '@inboard/core/verbs/query/query.js';
import { startOffline, text, toolUse } from '@inboard/inboard/testing.js';
import { readSwitch, type CommandInput } from '../command.js';
import { DemoView } from './demo-view.js';
import { chooseCli, followQuery } from '../agent/command-query.js';
import { printNextSteps } from '../terminal/next-steps.js';
import { printLine } from '../terminal/terminal.js';
import { EXIT_CODES } from '../terminal/usage-error.js';

const PROMPT = 'Two more guests have come. Seat them, then tell me how many are in the house.';

const NEXT_STEPS = [
  ['npx inboard init my-agent', 'writes a project of your own, with tests'],
  ['npx inboard demo --wire', 'shows every line between process and CLI'],
  ['npx inboard doctor', 'checks this machine and your account'],
] as const;

/** Runs the demo. The exit code is 0 if the turn succeeded. */
export async function runDemo(input: CommandInput): Promise<number> {
  const { terminal } = input;
  const isLive = Boolean(terminal.env['ANTHROPIC_API_KEY']) && !readSwitch(input, 'offline');

  // The state of this program. The tool below uses it directly, without a file, a socket or a second process.
  const guests = new Set(['Ada']);
  const house = createSdkMcpServer({
    name: 'house',
    alwaysLoad: true,
    tools: [
      tool('seat_guests', 'Seats guests by name', { names: 'string[]' }, ({ names }) => {
        for (const name of names) guests.add(name);
        return { seated: names, inTheHouse: guests.size };
      }),
    ],
  });

  const offline = isLive
    ? undefined
    : await startOffline({
        script: [
          toolUse('mcp__house__seat_guests', { names: ['Grace', 'Edsger'] }),
          (request) => text(`Done: the tool answered ${request.toolResults[0]?.text}`),
        ],
      });
  const view = new DemoView(terminal, readSwitch(input, 'wire'));
  printLine(
    terminal,
    offline ? `Model: a script on ${offline.model.url}` : 'Model: the real one (ANTHROPIC_API_KEY is set)',
  );
  view.show('you', PROMPT);
  let isOk = false;
  try {
    const q = query({
      prompt: PROMPT,
      options: {
        mcpServers: { house },
        allowedTools: [house],
        settingSources: [],
        onWireLine: (direction, line) => view.showLine(direction, line),
        onToolEvent: (event) => view.showToolEvent(event, [...guests]),
        ...chooseCli(input),
        ...offline?.options,
      },
    });
    await followQuery(q, terminal.signal, (message) => {
      view.showMessage(message, q.pid);
      if (message.type === 'result') isOk = outcomeOf(message).ok;
    });
    terminal.signal.throwIfAborted();
  } finally {
    await offline?.close({ verify: isOk });
  }
  if (isOk) printNextSteps(terminal, NEXT_STEPS);
  return isOk ? EXIT_CODES.ok : EXIT_CODES.failed;
}
