// Readers of what a CLI, a person or another process left on this machine: notes, settings, caches, and the headers of images and programs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkOutput } from '../../packages/core/src/answer/hooks/check-output.js';
import { compileUriTemplate } from '../../packages/core/src/answer/mcp/resources/uri-template.js';
import { readImageSize } from '../../packages/core/src/calls/result/image-size.js';
import { readNotes } from '../../packages/core/src/record/history/running/process-notes.js';
import { readSettingsFile } from '../../packages/core/src/record/settings/read-settings.js';
import { readBinaryFormat } from '../../packages/core/src/wire/process/binary-format.js';
import {
  readCachedVersion,
  writeCachedVersion,
} from '../../packages/core/src/wire/process/find/version-cache.js';
import { isProcessGone, isProcessRunning } from '../../packages/core/src/wire/process/process-name.js';
import { readOwner } from '../../packages/core/src/wire/process/sweep-folders.js';
import { parseRecord } from '../../packages/core/src/util/guards.js';
import type { FuzzedReader } from './fuzzed-reader.js';
import { inFolder, tryAll, write } from './stored-readers.js';

const SESSION = '0f5a9a52-5b0b-4f5e-9c6b-0b1f6a6c2d11';
const note = { pid: 1, sessionId: SESSION, procStart: '5', pidDomain: 'host', updatedAt: 1 };
const owner = { pid: 1, start: '5', boot: 'b', pidSpace: 'p', host: 'h' };
const settings = { permissions: { allow: ['Bash(ls:*)'], deny: [] }, hooks: { Stop: [] }, env: { A: 'b' } };

export const LEFT_FILES: FuzzedReader = {
  name: 'notes, settings and caches that a CLI, a person or a process left',
  examples: [note, owner, settings].map((value) => JSON.stringify(value)),
  read: (bytes) =>
    inFolder(async (folder) => {
      const text = bytes.toString();
      for (const name of ['1.json', 'owner.json', 'settings.json']) write(join(folder, name), bytes);
      writeCachedVersion('a', '2.1.325', folder);
      write(join(folder, 'cli-versions.json'), bytes);
      await tryAll(
        () => readNotes(folder, ['1.json']),
        () => readOwner(folder),
        () => readSettingsFile(join(folder, 'settings.json'), 'file'),
        () => readCachedVersion('a', folder),
        () => writeCachedVersion('b', '2.1.33', folder),
        () => [isProcessGone(text), isProcessRunning(text)],
        () => checkOutput('PreToolUse', parseRecord(text)),
        () => compileUriTemplate('note://{id}').match(`note://${text}`),
      );
    }),
  grow: (count) =>
    JSON.stringify({ ...settings, permissions: { allow: Array(count * 20).fill('Bash(ls:*)') } }),
};

const png = Buffer.alloc(24);
png.write('\x89PNG\r\n\x1a\n', 'latin1');
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108000a000a03012200', 'hex');
const elf = readFileSync(process.execPath).subarray(0, 4096);
const pe = Buffer.alloc(128);
pe.write('MZ', 'latin1');
pe.writeUInt32LE(0x40, 0x3c);
pe.write('PE\0\0', 0x40, 'latin1');

export const HEADERS: FuzzedReader = {
  name: 'headers of images and programs',
  examples: [png, jpeg, elf, pe, Buffer.from('cffaedfe0c000001', 'hex')],
  runs: 100,
  read: (bytes) => {
    for (const type of ['png', 'gif', 'webp', 'jpeg']) readImageSize(bytes, `image/${type}`);
    readBinaryFormat((from, length) =>
      from + length <= bytes.length ? bytes.subarray(from, from + length) : undefined,
    );
  },
  grow: (count) =>
    Buffer.concat([
      jpeg.subarray(0, 2),
      ...Array<Buffer>(count * 50).fill(Buffer.from('ffe00004aaaa', 'hex')),
    ]),
};
