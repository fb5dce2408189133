// An agent that calls a tool inside this process, with access to live state of this program, on the real CLI.
// The model is a script on loopback unless ANTHROPIC_API_KEY is set. Run it with `npm run demo`; add `-- --wire`
// to see every line of both protocol layers in full.
import { parseArgs, styleText } from 'node:util';
import { createSdkMcpServer, outcomeOf, query, tool } from 'inboard';
import { createIsolatedEnvironment, startScriptedModel, text, toolUse } from 'inboard/testing';

const { values } = parseArgs({ options: { wire: { type: 'boolean' }, offline: { type: 'boolean' } } });
const live = process.env.ANTHROPIC_API_KEY !== undefined && !values.offline;
const prompt = 'Two more guests have come. Seat them, then tell me how many are in the house.';

// The state of this program. No file, no socket, no second process: the tool below closes over it.
const guests = new Map([['Ada', { since: Date.now() }]]);

const house = createSdkMcpServer({
  name: 'house',
  alwaysLoad: true,
  tools: [
    tool('seat_guests', 'Seats guests by name', { names: 'string[]' }, ({ names }) => {
      for (const name of names) guests.set(name, { since: Date.now() });
      return { seated: names, inTheHouse: guests.size };
    }),
  ],
});

const model = live
  ? undefined
  : await startScriptedModel({
      script: [
        toolUse('mcp__house__seat_guests', { names: ['Grace', 'Edsger'] }),
        (request) => text(`Done: the tool answered ${JSON.stringify(request.toolResults[0]?.content)}.`),
      ],
    });
const home = model && (await createIsolatedEnvironment({ baseUrl: model.url }));

const started = performance.now();
const colours = {
  you: 'bold',
  model: 'cyan',
  tool: 'green',
  control: 'yellow',
  mcp: 'magenta',
  result: 'bold',
};
function show(who, what) {
  const at = String(Math.round(performance.now() - started)).padStart(6);
  console.log(`${at} ms  ${styleText(colours[who] ?? 'dim', who.padEnd(8))} ${what}`);
}

/** The two layers as they pass: control frames, and the MCP messages inside them. */
function showLine(direction, line) {
  const arrow = direction === 'out' ? '->' : '<-';
  if (values.wire) show('wire', `${arrow} ${line}`);
  const frame = JSON.parse(line);
  const request = frame.request;
  if (request?.subtype === 'mcp_message') {
    const { method, id } = request.message;
    show(
      'mcp',
      `${arrow} ${method ?? 'answer'}${id === undefined ? '' : ` #${id}`} (carried by control request ${frame.request_id.slice(0, 8)})`,
    );
  } else if (request) show('control', `${arrow} request ${request.subtype}`);
  else if (frame.type === 'control_response') {
    const answer = frame.response.response?.mcp_response;
    if (answer)
      show('mcp', `${arrow} answer #${answer.id} (in the reply to ${frame.response.request_id.slice(0, 8)})`);
    else show('control', `${arrow} reply ${frame.response.subtype}`);
  }
}

console.log(live ? 'Model: the real one (ANTHROPIC_API_KEY is set)' : `Model: a script on ${model?.url}`);
show('you', prompt);
const q = query({
  prompt,
  options: {
    mcpServers: { house },
    allowedTools: [house],
    settingSources: [],
    onWireLine: showLine,
    onToolEvent: (event) => {
      if (event.type === 'start')
        show(
          'tool',
          `runs in this process, pid ${process.pid}: ${event.toolName} ${JSON.stringify(event.input)}`,
        );
      if (event.type === 'end')
        show(
          'tool',
          `done in ${event.durationMs.toFixed(1)} ms; the program now has ${guests.size} guests: ${[...guests.keys()].join(', ')}`,
        );
    },
    ...(home ? { env: home.env, cwd: home.cwd } : {}),
  },
});
try {
  for await (const message of q) {
    if (message.type === 'system' && message.subtype === 'init') {
      show(
        'cli',
        `Claude CLI ${message.claude_code_version}, pid ${q.pid}, lists ${message.tools.filter((name) => name.startsWith('mcp__')).join(', ')}`,
      );
    } else if (message.type === 'assistant') {
      for (const block of message.message.content) {
        if (block.type === 'text') show('model', block.text);
        if (block.type === 'tool_use') show('model', `wants ${block.name} ${JSON.stringify(block.input)}`);
      }
    } else if (message.type === 'result') {
      const { kind, turns, costUsd } = outcomeOf(message);
      show('result', `${kind}, ${turns} turns, $${costUsd.toFixed(4)}`);
    }
  }
} finally {
  await model?.close();
  await home?.remove();
}
