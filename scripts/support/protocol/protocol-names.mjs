// The requests and messages that the types under packages/core/src/wire/protocol name, and what the control table knows of them; read from the
// source, because types leave nothing behind that could be asked.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (...path) => readFileSync(join(root, ...path), 'utf8');

/** The subtypes in one of the two maps of `control.ts`. */
function keysOf(interfaceName) {
  const source = read('packages', 'core', 'src', 'wire', 'protocol', 'control', 'control.ts');
  const [, body = ''] = new RegExp(`interface ${interfaceName} \\{\\n([^]*?)\\n\\}`).exec(source) ?? [];
  return [...body.matchAll(/^ {2}(\w+):/gm)].map(([, key]) => key);
}

/** The kinds of messages that have a type: `assistant`, `system/init`. */
function messageKinds() {
  const folder = join(root, 'packages', 'core', 'src', 'wire', 'protocol', 'messages');
  const sources = readdirSync(folder)
    .filter((name) => name.startsWith('messages-'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const systems = [...sources.matchAll(/SDKSystemEnvelope<'(\w+)'>/g)].map(
    ([, subtype]) => `system/${subtype}`,
  );
  const others = [...sources.matchAll(/(?:SDKMessageEnvelope & \{ ?|^ {2}|= \{\s+)type: '(\w+)'/gm)].map(
    ([, type]) => type,
  );
  return [...new Set([...systems, ...others])].filter((kind) => kind !== 'system');
}

/** Method and first version of every request in the control table. */
function controlRows() {
  const source = read('packages', 'core', 'src', 'live', 'controls', 'control-table.ts');
  const [, oldest] = /OLDEST = '([\d.]+)'/.exec(source) ?? [];
  const rows = new Map();
  for (const [, method, subtype, since] of source.matchAll(
    /^ {2}(\w+): \{\s*subtype: '(\w+)'(?:, since: (OLDEST|'[\d.]+'))?/gm,
  )) {
    const known = rows.get(subtype);
    const version = since === 'OLDEST' ? oldest : since?.slice(1, -1);
    if (!known) rows.set(subtype, { method, since: version });
  }
  for (const [, subtype, since] of source.matchAll(/^ {2}(\w+): (OLDEST|'[\d.]+'|undefined),$/gm))
    rows.set(subtype, {
      since: since === 'OLDEST' ? oldest : since === 'undefined' ? undefined : since.slice(1, -1),
    });
  return rows;
}

/** The first version of messages, where docs/discoveries/cli-versions.md has it. */
function messageVersions() {
  const [, table = '[]'] =
    /```json\n(\[[^]*?\])\n```/.exec(read('docs', 'discoveries', 'cli-versions.md')) ?? [];
  return new Map(JSON.parse(table).map(({ name, least }) => [name, least]));
}

export const names = {
  hostRequests: () => [...new Set([...keysOf('ControlRequestMap'), ...controlRows().keys()])],
  cliRequests: () => keysOf('InboundRequestMap'),
  messages: messageKinds,
  controlRows,
  messageVersions,
};
