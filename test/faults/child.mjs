// A program that speaks the CLI's protocol and goes wrong once, at the step and in the way its environment says. The first
// one started in a cell's folder is at fault; those after it (a restart, the next of a pool) do everything right.
import { appendFileSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FAULTS } from './child-faults.mjs';
import { createMessages } from './child-messages.mjs';

const plan = JSON.parse(process.env.INBOARD_FAULT_CELL);
const messages = createMessages(process.argv.slice(2));
const isFirst = takeFirstTurn();
const prompts = [];
const answers = new Map();
let lastAnswer = Promise.resolve();
let wakeReader = () => {};
let onControl = () => {};
let isInputOver = false;
let isStuck = false;
let isIdle = false;
let isInterrupted = false;
let lastLine = '';
/** How a fault changes the lines after it: 'double' writes the next one twice, 'swap' lets it pass the one after. */
let bend;
let heldLine;

appendFileSync(join(plan.folder, 'pids'), `${process.pid}\n`);

/** What faults work with. */
const self = {
  plan,
  messages,
  writeRaw: (bytes) => writeAll(1, bytes),
  write,
  repeatLast: () => lastLine && writeAll(1, lastLine),
  bendNext(kind) {
    bend = kind;
  },
  /** Stays alive, reads nothing more and says nothing more. */
  stay() {
    isStuck = true;
    setInterval(() => {}, 60_000);
    return new Promise(() => {});
  },
  /** Closes the input when nothing lies in it that a host could not know to be lost: the answer to an open question. */
  async closeInput() {
    await lastAnswer;
    isInputOver = true;
    process.stdin.destroy();
    reader.close();
    setInterval(() => {}, 60_000);
  },
};

function takeFirstTurn() {
  try {
    openSync(join(plan.folder, 'first'), 'wx');
    return true;
  } catch {
    return false;
  }
}

function writeAll(fd, bytes) {
  let rest = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (error.code === 'EAGAIN') continue;
      // The host has closed its end, or a fault has closed ours: a CLI without output goes on.
      return;
    }
  }
}

function write(message) {
  if (isStuck) return;
  const line = `${JSON.stringify(message)}\n`;
  if (bend === 'swap' && heldLine === undefined) {
    heldLine = line;
    // A host that answers only what it was sent must not wait for ever.
    setTimeout(flushHeld, 30);
    return;
  }
  lastLine = line;
  writeAll(1, line);
  if (bend === 'double') {
    bend = undefined;
    writeAll(1, line);
  }
  flushHeld();
}

function flushHeld() {
  if (heldLine === undefined) return;
  const line = heldLine;
  bend = undefined;
  heldLine = undefined;
  writeAll(1, line);
}

/** The place of a step: goes wrong here if the plan says so. */
async function at(step, next) {
  if (!isFirst || plan.step !== step) return;
  writeAll(2, `@reached ${step}\n`);
  await FAULTS[plan.fault](self, next);
}

function leave(code) {
  flushHeld();
  process.exit(code);
}

function receive(line) {
  if (isStuck || line === '') return;
  const frame = JSON.parse(line);
  if (frame.type === 'user') {
    prompts.push(frame);
    // A CLI reports the turn it begins before it answers what was written behind the message.
    if (isIdle) write(messages.state('running'));
    isIdle = false;
    wakeReader();
  } else if (frame.type === 'control_response') {
    answers.get(frame.response.request_id)?.(frame.response);
    answers.delete(frame.response.request_id);
  } else if (frame.type === 'control_request') void answerControl(frame);
}

async function answerControl({ request_id: id, request }) {
  const answer = messages.answer(id, request);
  if (request.subtype === 'initialize') await at('handshake', answer);
  if (request.subtype === plan.control) {
    onControl();
    await at('control-open', answer);
    await at('control-after-result', answer);
  }
  if (request.subtype === 'interrupt') {
    isInterrupted = true;
    for (const [requestId, settle] of answers) settle({ request_id: requestId });
    answers.clear();
  }
  write(answer);
  if (request.subtype !== 'initialize') return;
  await at('after-handshake', messages.init());
  isIdle = true;
  void runTurns();
}

function ask(request) {
  const question = messages.question(request);
  lastAnswer = new Promise((resolve) => answers.set(question.request_id, resolve));
  return [question, lastAnswer];
}

/** Asks the host something and waits for its answer; at a fault in between, the question is open. */
async function askHost(step, request) {
  if (isInterrupted) return;
  // An input that is closed has to be so before the question: its answer may lie in the pipe by then, where it is lost unseen.
  const isClosedFirst = plan.fault === 'stdin-closed';
  if (isClosedFirst) await at(step);
  const [question, answered] = ask(request);
  write(question);
  if (!isClosedFirst) await at(step);
  await answered;
}

async function nextPrompt() {
  if (prompts.length === 0 && !isInputOver) await new Promise((resolve) => (wakeReader = resolve));
  return prompts.shift();
}

async function runTurns() {
  for (let number = 1; ; number += 1) {
    const prompt = await nextPrompt();
    if (!prompt) break;
    isInterrupted = false;
    const asked = new Promise((resolve) => (onControl = resolve));
    for (const line of messages.beginTurn(prompt)) write(line);
    if (number === 1) await firstTurn(asked);
    else await at('second-turn', messages.delta('more'));
    for (const line of messages.endText(prompt)) write(line);
    write(messages.result(prompt, isInterrupted));
    if (number === 1) await at('result', messages.state('idle'));
    write(messages.state('idle'));
    isIdle = prompts.length === 0;
    if (!isIdle) write(messages.state('running'));
    if (number === 1) await afterResult(asked);
  }
  await at('stdin-end', messages.state('idle'));
  leave(0);
}

async function firstTurn(asked) {
  await at('first-message', messages.delta('first'));
  write(messages.delta('one '));
  await at('mid-stream', messages.delta('two'));
  write(messages.delta('two'));
  await askHost('hook-open', messages.hook());
  await askHost('permission-open', messages.permission());
  await askHost('tool-open', messages.toolCall());
  if (plan.step === 'control-open' && isFirst) await asked;
}

async function afterResult(asked) {
  if (plan.step === 'control-after-result' && isFirst) await asked;
  if (plan.step !== 'after-result') return;
  // The host has seen the result by now, and has taken it.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await at('after-result', messages.delta('late'));
}

const reader = createInterface({ input: process.stdin });
reader.on('line', receive);
reader.on('close', () => {
  isInputOver = true;
  wakeReader();
  // No answer can come any more.
  if (answers.size > 0 && !isStuck && !process.stdin.destroyed) leave(0);
});
await at('before-handshake', messages.state('idle'));
