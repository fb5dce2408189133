// `inboard play`: a shop agent on the real CLI, a scripted model on loopback that understands plain questions, and the
// inspector's page beside the terminal. Nothing leaves the machine.
import { inspect, type Inspector } from '@inboard/inspector/inspect.js';
import { startOffline } from '@inboard/inboard/testing.js';
import { chooseCli } from '../agent/command-query.js';
import { readSwitch, type CommandInput } from '../command.js';
import { openBrowser } from '../inspect/open-browser.js';
import { readPort, startListening } from '../port-option.js';
import { RunView } from '../run/run-view.js';
import { printNextSteps, type NextStep } from '../terminal/next-steps.js';
import { createStyler, noteLine, type Terminal } from '../terminal/terminal.js';
import { styled } from '../terminal/styled-text.js';
import { EXIT_CODES } from '../terminal/usage-error.js';
import { lineWidthOf, wrapWords } from '../terminal/wrap-words.js';
import { createRefundAsker } from './ask-refund.js';
import { PlayLines } from './play-lines.js';
import { PlaySession } from './play-session.js';
import { readQuestion } from './read-question.js';
import { answerAsShop } from './shop-model.js';
import { createShopServer, TOOLS_WITHOUT_APPROVAL } from './shop-tools.js';
import { Shop } from './shop.js';

const WELCOME =
  'A shop agent on the real Claude CLI, with tools in this process. The model is a script on loopback, so no account is ' +
  'needed, and nothing leaves this machine.';
const TO_TRY: readonly NextStep[] = [
  ['how many apples do you have?', 'a tool runs inside this process'],
  ['refund order 1042', 'waits for you: allow it, or change the amount'],
  ['crash', 'kills the CLI in the middle of a slow export'],
  ['resume', 'goes on with the same conversation'],
];
const NEXT_STEPS: readonly NextStep[] = [
  ['npx inboard init my-agent', 'writes a project of your own, with tests'],
  ['npx inboard demo --wire', 'shows every line between process and CLI'],
  ['npx inboard doctor', 'checks this machine and your account'],
];
const LEAVING = /^\s*(?:exit|quit|bye|q)\s*$/i;

// Slow enough to be watched.
const WORD_MS = 25;
const EXPORT_MS = 600;

/** Plays until the person leaves or the input ends. */
export async function runPlay(input: CommandInput): Promise<number> {
  const { terminal } = input;
  const port = readPort(input);
  const lines = new PlayLines(terminal);
  const view = new RunView(terminal);
  view.writeThrough((write) => lines.aside(write));
  const wordMs = lines.isTyped ? WORD_MS : 0;
  const offline = await startOffline({ onExhausted: (request) => answerAsShop(request, wordMs) });
  const ask = createRefundAsker({ terminal, lines }, readSwitch(input, 'yes'));
  const shop = createShopServer({ shop: new Shop(), exportMs: EXPORT_MS, crash: () => play.crash() });
  const play = new PlaySession({
    terminal,
    view,
    options: {
      mcpServers: { shop },
      allowedTools: [...TOOLS_WITHOUT_APPROVAL],
      canUseTool: (...question) => view.whileAsking(() => ask(...question)),
      // None of the CLI's own tools, and no settings of this machine.
      tools: [],
      settingSources: [],
      includePartialMessages: true,
      onToolEvent: (event) => view.showToolEvent(event),
      ...chooseCli(input),
      ...offline.options,
    },
  });
  const close = (): void => void play.close().catch(() => {});
  terminal.signal.addEventListener('abort', close, { once: true });
  let inspector: Inspector | undefined;
  try {
    view.wait('Starting the Claude CLI');
    inspector = await startListening({ host: '127.0.0.1', port }, () =>
      inspect({ title: 'inboard play', port, print: false }),
    );
    await play.start();
    view.endWait();
    showWelcome(terminal, inspector.url);
    if (readSwitch(input, 'open')) openBrowser(inspector.url, terminal);
    await talk(terminal, lines, play);
  } finally {
    view.endWait();
    terminal.signal.removeEventListener('abort', close);
    await play.close();
    await inspector?.close();
    await offline.close({ verify: false });
    lines.close();
  }
  terminal.signal.throwIfAborted();
  printNextSteps(terminal, NEXT_STEPS, 'stderr');
  return EXIT_CODES.ok;
}

function showWelcome(terminal: Terminal, link: string): void {
  const style = createStyler(terminal, 'stderr');
  const width = Math.max(...TO_TRY.map(([typed]) => typed.length));
  noteLine(terminal, wrapWords(WELCOME, { columns: lineWidthOf(terminal, 'stderr') }));
  noteLine(terminal, styled`\nInspector: ${style('bold', link)}`);
  noteLine(terminal, '\nTry this, in your own words, here or on the page:');
  for (const [index, [typed, what]] of TO_TRY.entries())
    noteLine(terminal, styled`  ${index + 1}. ${style('bold', typed.padEnd(width))}  ${style('dim', what)}`);
  noteLine(terminal, '"help" lists more, and "exit" leaves.\n');
}

async function talk(terminal: Terminal, lines: PlayLines, play: PlaySession): Promise<void> {
  const { signal } = terminal;
  for (;;) {
    const text = await lines.readPrompt(signal);
    signal.throwIfAborted();
    if (text === undefined || LEAVING.test(text)) return;
    if (text.trim() === '') continue;
    if (!play.isCut) await play.take(text);
    else if (readQuestion(text).kind === 'resume') await play.resume();
    else noteLine(terminal, 'There is no CLI now. Type resume to go on, or exit to leave.');
    signal.throwIfAborted();
  }
}
