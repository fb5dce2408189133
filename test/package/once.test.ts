// Machinery that stood in several places, with small differences, stands in one. A copy that comes back is found here.
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGES, PROJECT_ROOT, readProjectFile, readSourceFiles } from './project.js';

/** How a machine looks where it is written, and the only files that may write it. */
interface Machine {
  what: string;
  looks: RegExp;
  places: readonly string[];
  /** What it does not look like, so that the pattern itself is tested. */
  isNot: string;
  is: string;
}

const IN_TESTS: readonly Machine[] = [
  {
    what: 'waiting until something holds',
    looks: /function waitUntil\(|\bvi\.waitUntil\(/,
    places: ['test/support/wait-until.js'],
    is: 'await vi.waitUntil(() => isDone)',
    isNot: 'await waitUntil(() => isDone)',
  },
];

const IN_SOURCES: readonly Machine[] = [
  {
    what: 'pauses that double',
    looks: /\b2 \*\* (?!\d)|Math\.min\((?:2 \* [^,()]+|[^,()]+ \* 2), /,
    places: [
      'packages/core/src/util/back-off.ts',
      // The code of a workflow imports nothing of inboard: it is bundled for Temporal's sandbox.
      'packages/engines/src/temporal/workflow/look-pause.ts',
    ],
    is: 'pause = Math.min(pause * 2, LONGEST_MS)',
    isNot: 'const MOST = 2 ** 31;',
  },
  {
    what: 'listening to a journal, with retries',
    looks: /\bjournal\)?\.listen\(/i,
    places: [
      'packages/cluster/src/work/host/journal-listener.ts',
      // The inspector has no retries: it does not open without a journal that it can listen to.
      'packages/inspector/src/sources/journal/journal-source.ts',
      'packages/inspector/src/sources/journal/visible-journal.ts',
      // The contract of a journal, for tests of journals.
      'packages/testing/src/conformance/journal/journal-overview-cases.ts',
    ],
    is: 'this.#listening = await this.#journal.listen(onChange);',
    isNot: 'new JournalListener({ journal: async () => journal, onChange })',
  },
  {
    what: 'comparing secrets',
    looks: /\btimingSafeEqual\b/,
    places: ['packages/core/src/util/loopback-http.ts'],
    is: 'timingSafeEqual(left, right)',
    isNot: 'isSameSecret(left, right)',
  },
  {
    what: 'telling JSON from other bodies of a request',
    looks: /\^application\\\/json/,
    places: ['packages/core/src/util/loopback-http.ts'],
    is: String.raw`/^application\/json(?:;|$)/.test(type)`,
    isNot: "headers: { 'content-type': 'application/json' }",
  },
  {
    what: 'comparing an origin with a host',
    looks: /(?:origin|given)\S* === `|new URL\(origin\)\.host/i,
    places: ['packages/core/src/util/loopback-http.ts'],
    is: 'if (new URL(origin).host === host) return;',
    isNot: 'isOwnOrigin(origin, host)',
  },
  {
    what: 'reading the port of a command line',
    looks: /--(?:port|\$\{option\}) must be a number from/,
    places: ['packages/cli/src/port-option.ts'],
    is: 'throw new UsageError(`--port must be a number from 0 to 65535, not "${text}".`);',
    isNot: 'const port = readPort(input);',
  },
  {
    what: 'putting the body of a request together',
    looks: /\bbytes > most\w*(?:Bytes|_BYTES)\)/i,
    places: [],
    is: 'if (bytes > mostBytes) throw tooLong();',
    isNot: 'if (body.isTooLong) throw tooLong();',
  },
];

const MACHINES = [...IN_TESTS, ...IN_SOURCES];

const files = { tests: readTestFiles(), sources: readSourceFiles() };

describe('the tests and their programs', () => {
  it.each(IN_TESTS)('have one place for $what', ({ looks, places }) => {
    expect(findPlaces(files.tests, looks)).toEqual(places);
  });
});

describe('the sources', () => {
  it.each(IN_SOURCES)('have one place for $what', ({ looks, places }) => {
    expect(findPlaces(files.sources, looks)).toEqual(places);
  });
});

it.each(MACHINES)('the pattern for $what knows it when it sees it', ({ looks, is, isNot }) => {
  expect([is, isNot].map((text) => looks.test(text))).toEqual([true, false]);
});

function findPlaces(texts: ReadonlyMap<string, string>, looks: RegExp): string[] {
  return [...texts].flatMap(([path, text]) => (looks.test(text) ? [path] : [])).toSorted();
}

function readTestFiles(): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of ['test', ...PACKAGES.map((name) => `packages/${name}/test`)]) {
    for (const entry of readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      const path = `${folder}/${entry.split(sep).join('/')}`;
      if (!/\.(?:m?js|tsx?)$/.test(path) || /\/(?:node_modules|fixtures|\.next)\//.test(path)) continue;
      if (path !== 'test/package/once.test.ts') found.set(path, readProjectFile(path));
    }
  }
  return found;
}
