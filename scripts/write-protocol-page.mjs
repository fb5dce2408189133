// Writes docs/protocol.md with its parts, docs/protocol.svg and schema/frames.schema.json from the recordings of record-protocol.mjs.
//   node scripts/write-protocol-page.mjs           write them
//   node scripts/write-protocol-page.mjs --check   exit with 1 where one is not what it would write
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildProtocolFiles } from './support/protocol/protocol-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
for (const [path, text] of Object.entries(buildProtocolFiles())) {
  if (!values.check) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`${path}: ${Buffer.byteLength(text)} bytes`);
  } else if (readFileSync(join(root, path), 'utf8') !== text) {
    console.log(`${path} is not what the recordings make: run node scripts/write-protocol-page.mjs`);
    process.exitCode = 1;
  }
}
