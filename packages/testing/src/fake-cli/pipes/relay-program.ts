// The program text of the fake CLI's executable. It is written to a file and run by Node without this package, so it may
// import only Node's own modules. In the file, a declaration of `FACTS` comes before it.

/** The program after the line `const FACTS = { address, version, isByHand };`. */
export const RELAY_PROGRAM = String.raw`
'use strict';
const { closeSync } = require('node:fs');
const { connect } = require('node:net');
const { createInterface } = require('node:readline');

const args = process.argv.slice(2);
if (args.includes('--version') || args.includes('-v')) {
  process.stdout.write(FACTS.version + ' (Claude Code)\n');
} else {
  relay();
}

function relay() {
  const socket = connect(FACTS.address);
  let isInputOpen = true;
  let isReading = false;
  let isLeaving = false;
  // Orders are carried out one after another.
  let carriedOut = Promise.resolve();

  function send(kind, payload) {
    return socket.write(kind + Buffer.from(payload || '').toString('base64') + '\n');
  }

  function forward(chunk) {
    if (!send('i', chunk)) process.stdin.pause();
  }

  function exitOnTerm() {
    process.exit(143);
  }

  function leave(how) {
    isLeaving = true;
    process.stdout.write('', () => {
      if (how.signal) process.kill(process.pid, how.signal);
      else process.exit(how.exitCode || 0);
    });
  }

  const orders = {
    o: (bytes) => void process.stdout.write(bytes),
    r: (bytes) => void process.stderr.write(bytes),
    x: (bytes) => {
      const how = JSON.parse(String(bytes));
      // Its own listener would be called in place of the signal.
      process.removeAllListeners('SIGTERM');
      leave(how);
    },
    c: () => {
      isInputOpen = false;
      const closed = new Promise((resolve) => process.stdin.once('close', resolve).destroy());
      // Node lets go of the stream and keeps the file.
      return closed.then(() => closeSync(0));
    },
    d: () => closeSync(1),
    p: () => {
      isReading = false;
      process.stdin.pause();
    },
    // The first one comes after the test has played its first step, which may be to read nothing.
    u: () => {
      isReading = true;
      process.stdin.off('data', forward).on('data', forward).resume();
    },
    t: () => {
      process.off('SIGTERM', exitOnTerm);
      process.on('SIGTERM', () => {});
    },
  };

  send('h', JSON.stringify({ args, env: process.env, cwd: process.cwd() }));
  socket.on('drain', () => isInputOpen && isReading && process.stdin.resume());
  process.stdin.on('end', () => isInputOpen && send('e'));
  for (const stream of [process.stdin, process.stdout, process.stderr]) stream.on('error', () => {});
  if (!FACTS.isByHand) process.on('SIGTERM', exitOnTerm);

  createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => {
    carriedOut = carriedOut.then(() => orders[line[0]](Buffer.from(line.slice(1), 'base64')));
  });
  socket.on('error', (error) => {
    process.stderr.write('The fake CLI cannot reach its test: ' + error.message + '\n');
    if (!isLeaving) process.exit(1);
  });
  // The test is over, or has ended this fake.
  socket.on('close', () => {
    if (!isLeaving) process.exit(1);
  });
}
`;
