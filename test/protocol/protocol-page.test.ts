// docs/protocol.md, its parts and what is made with them: that they are what the recordings make, and that nothing is left out.
import { readdirSync, readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildPage } from '../../scripts/support/protocol/build-page.mjs';
import { buildProtocolFiles } from '../../scripts/support/protocol/protocol-files.mjs';
import { readRecordings, RECORDINGS } from '../../scripts/support/protocol/read-recordings.mjs';
import { CONTROLS, UNLISTED_CONTROLS } from '../../packages/core/src/live/controls/control-table.js';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../packages/core/src/options/supported-versions.js';
import { findFileFaults } from '../../packages/core/test/record/trace/support/trace-schema.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = buildProtocolFiles();
const recordings = readdirSync(RECORDINGS).filter((name) => name.endsWith('.jsonl'));
const frames = readRecordings();
const launches = JSON.parse(readFileSync(join(RECORDINGS, 'launches.json'), 'utf8')) as Parameters<
  typeof buildPage
>[1];
const page = buildPage(frames, launches);

// As text: what they import is built first.
const scenes = ['tool', 'conversation', 'control']
  .map((name) => readFileSync(join(root, 'scripts', 'support', 'protocol', `${name}-scenes.mjs`), 'utf8'))
  .join('\n');

describe('the page of the protocol', () => {
  it.each(Object.keys(files))(
    '%s is what the recordings make (node scripts/write-protocol-page.mjs)',
    (path) => {
      expect(readFileSync(join(root, path), 'utf8')).toBe(files[path]);
    },
  );

  it('stays small enough to ship', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(120_000);
    expect(Buffer.byteLength(files['schema/frames.schema.json'] ?? '')).toBeLessThan(60_000);
  });

  it('has every request the SDK can send, with its method and first version', () => {
    for (const [method, row] of Object.entries({ ...UNLISTED_CONTROLS, ...CONTROLS })) {
      if (!('subtype' in row) || method === 'cancelAsyncMessage') continue;
      const since = 'since' in row ? row.since : 'not known';
      expect(page).toContain(`| [\`${row.subtype}\`](#${row.subtype}) | \`${method}\` | ${since} |`);
      expect(page).toContain(`### \`${row.subtype}\`\n`);
    }
  });

  it('has an example for everything that is not in the list of what was not recorded', () => {
    const [, list = ''] = /## What was not recorded\n([^]*?)\n## /.exec(page) ?? [];
    const unrecorded = [...list.matchAll(/^- `([^`]+)`: \S/gm)].map(([, name]) => name);
    const sections = [...page.matchAll(/^### `([^`]+)`\n\n[^]*?(?=\n###? )/gm)];
    expect(sections.length).toBeGreaterThan(95);
    for (const [text, name] of sections) {
      expect({ name, isShown: /```\n[→←]/.test(text) }).toEqual({
        name,
        isShown: !unrecorded.includes(name),
      });
    }
  });

  it('cannot be made while a recorded frame has no sentence', () => {
    const unknown = {
      ...frames[0],
      dir: 'in' as const,
      kind: 'message in surprise',
      frame: { type: 'surprise' },
    };
    expect(() => buildPage([...frames, unknown as (typeof frames)[0]], launches)).toThrow(
      'no sentence for the message surprise',
    );
  });

  it('cannot be made while something without a reason is in no recording', () => {
    const without = frames.filter(({ kind }) => !kind.endsWith(' set_model') && !kind.endsWith(' read_file'));
    expect(() => buildPage(without, launches)).toThrow();
    expect(() =>
      buildPage(
        frames.filter(({ kind }) => !kind.endsWith(' read_file')),
        launches,
      ),
    ).toThrow('Nothing was recorded of read_file');
  });

  it('links to places that are there', () => {
    const heads = [...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, head = '']) =>
      head
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const [, target = ''] of page.matchAll(/\]\(#([^)]+)\)/g)) expect(heads).toContain(target);
    for (const [, target = ''] of page.matchAll(/\]\(([a-z-]+\.(?:md|svg))/g))
      expect(readdirSync(join(root, 'docs'))).toContain(target);
  });
});

describe('the recordings of the protocol', () => {
  it.each(recordings)('%s is a trace', (name) => {
    expect(findFileFaults(join(RECORDINGS, name))).toEqual([]);
  });

  it('have nothing of a machine in them', () => {
    for (const name of recordings) {
      const text = readFileSync(join(RECORDINGS, name), 'utf8');
      const uuids = text.match(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g) ?? [];
      expect(uuids.filter((uuid) => !uuid.startsWith('00000000-0000-4000-8000-'))).toEqual([]);
      for (const trace of [hostname(), `${homedir()}/`, root, 'inboard-record', '/tmp/inboard', '/tmp/w'])
        expect({ name, has: text.includes(trace), trace }).toEqual({ name, has: false, trace });
    }
  });

  it('are those of the scenes', () => {
    const named = Array.from(scenes.matchAll(/^ {2}'?([\w-]+)'?: \{$/gm), ([, name]) => name);
    expect(new Set(frames.map(({ scene }) => scene))).toEqual(new Set(named));
  });

  it('have no request that no scene sends', () => {
    const methods = Object.entries(CONTROLS).flatMap(([method, row]) =>
      'subtype' in row ? [[row.subtype, method]] : [],
    );
    const sent = new Set(
      frames.flatMap(({ kind }) =>
        kind.startsWith('request out ') ? [kind.slice('request out '.length)] : [],
      ),
    );
    expect(sent.size).toBeGreaterThan(40);
    // The SDK itself sends these: at the start, for its tools, and to claim a CLI.
    const own = ['initialize', 'mcp_message', 'claim_session'];
    const isSent = (subtype: string): boolean =>
      methods.filter(([of]) => of === subtype).some(([, method = '']) => scenes.includes(`.${method}(`)) ||
      scenes.includes(`['${subtype}', `);
    expect([...sent].filter((subtype) => !own.includes(subtype) && !isSent(subtype))).toEqual([]);
  });

  it('show both CLIs, and no other', () => {
    expect(new Set(frames.map(({ version }) => version))).toEqual(new Set([OLDEST_VERSION, NEWEST_VERSION]));
    for (const version of [OLDEST_VERSION, NEWEST_VERSION])
      expect(frames.filter((each) => each.version === version).length).toBeGreaterThan(150);
  });
});
