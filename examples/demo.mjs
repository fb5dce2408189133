// An agent that calls a tool inside this process, with access to live state of this program, on the real CLI.
// The model is a script on loopback unless ANTHROPIC_API_KEY is set. `npx inboard demo` runs the same agent and
// shows what passes between this process and the CLI.
import { createSdkMcpServer, run, tool } from 'inboard';
import { startOffline, text, toolUse } from 'inboard/testing';

// The state of this program. No file, no socket, no second process: the tool below closes over it.
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

const options = {
  mcpServers: { house },
  allowedTools: [house],
  hookFailure: 'refuse', // a hook that you add must not fail open
  settingSources: [],
};
const prompt = 'Two more guests have come. Seat them, then tell me how many are in the house.';

async function ask(place = {}) {
  const { text: answer, turns, totalCostUsd } = await run({ prompt, options: { ...options, ...place } });
  console.log(answer);
  console.log(`${turns} turns, $${totalCostUsd.toFixed(4)}; in the house: ${[...guests].join(', ')}`);
}

if (process.env.ANTHROPIC_API_KEY) {
  await ask();
} else {
  const offline = await startOffline([
    toolUse('mcp__house__seat_guests', { names: ['Grace', 'Edsger'] }),
    (request) => text(`Done: the tool answered ${request.toolResults[0]?.text}`),
  ]);
  try {
    await ask(offline.options);
  } finally {
    await offline.close();
  }
}
