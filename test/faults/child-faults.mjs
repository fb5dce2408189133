// The ways in which the child goes wrong. Each is given the child and the line that would come next; one that returns lets
// the child go on as if nothing had happened.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const HUGE = 20 * 1024 * 1024;

const line = (message) => `${JSON.stringify(message)}\n`;

function writeHalf(self, next) {
  const text = line(next ?? self.messages.delta('half'));
  self.writeRaw(text.slice(0, text.length / 2));
}

function dieBy(signal) {
  process.kill(process.pid, signal);
  // The signal may take a moment to come.
  return new Promise(() => setInterval(() => {}, 1000));
}

export const FAULTS = {
  'exit-0': () => process.exit(0),
  'exit-1': () => process.exit(1),
  sigkill: () => dieBy('SIGKILL'),
  sigsegv: () => dieBy('SIGSEGV'),
  silence: (self) => self.stay(),
  'half-line-exit': (self, next) => {
    writeHalf(self, next);
    process.exit(1);
  },
  'half-line-silence': (self, next) => {
    writeHalf(self, next);
    return self.stay();
  },
  garbage: (self) => self.writeRaw('}{ this is no JSON\n[1,2\n"text"\nnull\n{"type":7}\n\n'),
  'nul-bytes': (self) => {
    self.writeRaw(Buffer.alloc(64));
    self.writeRaw('\n\0{"type":"keep_alive"}\0\n{"type"\0:"keep_alive"}\n');
  },
  'bad-utf8': (self) => {
    self.writeRaw(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a]));
    const text = line(self.messages.delta('@'));
    const cut = text.indexOf('@');
    self.writeRaw(
      Buffer.concat([
        Buffer.from(text.slice(0, cut)),
        Buffer.from([0xe2, 0x82]),
        Buffer.from(text.slice(cut)),
      ]),
    );
  },
  duplicate: (self) => {
    self.repeatLast();
    self.bendNext('double');
  },
  'unknown-id': (self) => {
    self.write({
      type: 'control_response',
      response: { subtype: 'success', request_id: 'nobody', response: {} },
    });
    self.write({ type: 'control_response', response: { subtype: 'error', request_id: '', error: 'no' } });
    self.write({ type: 'control_cancel_request', request_id: 'nobody' });
  },
  'out-of-order': (self) => self.bendNext('swap'),
  'huge-line': (self) => self.write({ ...self.messages.delta('x'), padding: 'x'.repeat(HUGE) }),
  'stdout-closed': (self) => {
    closeSync(1);
    return self.stay();
  },
  'stdin-closed': async (self) => {
    await self.closeInput();
    // Node keeps the descriptors of the standard streams open.
    closeSync(0);
  },
  'ignores-sigterm': (self) => {
    process.on('SIGTERM', () => {});
    return self.stay();
  },
  'stderr-flood': () => {
    const flood = Buffer.from('flood '.repeat(10_000));
    for (let round = 0; round < 40; round += 1) writeSync(2, flood);
    writeSync(2, '\n');
  },
  grandchild: (self) => {
    const { pid } = spawn('sleep', ['600'], { stdio: ['ignore', 1, 'ignore'] });
    appendFileSync(join(self.plan.folder, 'pids'), `${pid}\n`);
    process.exit(1);
  },
};
