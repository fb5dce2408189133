#!/usr/bin/env node
// A fake CLI that costs little itself, so that the host under test is what is measured: blocking reads and writes, lines that
// are serialised before, answers recognised by a search for their id. BENCH_PLAY says what to play, as JSON; what this side
// measured, or what went wrong, goes to the file BENCH_NOTES. `inboard/testing` has the fake to write tests with.
import { writeFileSync } from 'node:fs';
import { callWithSizes } from './big-calls.mjs';
import { beginTurn, endTurn, listTools } from './handshake.mjs';
import { streamMessages } from './message-stream.mjs';
import { askQuestions } from './round-trips.mjs';

const PLAYS = {
  nothing: () => ({}),
  questions: (play) => {
    if (play.kind === 'call') listTools();
    return askQuestions(play);
  },
  stream: streamMessages,
  bigCalls: ({ sizes }) => {
    listTools();
    return callWithSizes(sizes);
  },
};

function playTurn() {
  const play = JSON.parse(process.env.BENCH_PLAY);
  const file = process.env.BENCH_NOTES;
  const note = (notes) => file && writeFileSync(file, JSON.stringify(notes));
  try {
    beginTurn();
    note({ measured: PLAYS[play.name](play) });
  } catch (error) {
    note({ error: error.message });
    process.exit(3);
  }
  endTurn();
}

if (process.argv.includes('--version')) console.log('2.1.325 (Claude Code)');
else playTurn();
