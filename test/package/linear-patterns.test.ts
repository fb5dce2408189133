// No expression of the source takes more than its text's length: found in the source, so that new ones are measured too. Steps are
// counted, not time, so that the load of a machine changes nothing.
import { readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/experimental';
import { describe, expect, it, vi } from 'vitest';
import { listJsonBlocks } from '../../packages/core/src/live/output/read-output.js';
import { createRedactor } from '../../packages/core/src/record/trace/recorder/redact.js';
import { revealText } from '../../packages/cli/src/terminal/reveal-text.js';
import { cutToColumns } from '../../packages/core/src/record/trace/render/text-cells.js';
import { diffJson } from '../../packages/core/src/record/trace/replay/json-diff.js';
import { shortenToSummary } from '../../packages/core/src/record/trace/timeline/frame-description.js';
import { blankText, cleanText } from '../../packages/core/src/util/terminal-text.js';
import { createLineSplitter } from '../../packages/core/src/wire/protocol/line-splitter.js';
import { CountedExpression } from '../support/count-steps.js';
import { countWork } from '../support/count-work.js';
import { fitGrowth, listHostileTexts } from '../support/hostile-texts.js';
import { readSourceFiles } from './project.js';

/** Files whose expressions are made while a program runs, with the reason why foreign input cannot make them slow. */
const MADE_LATER: Readonly<Record<string, string>> = {
  'packages/core/src/answer/hooks/matcher-miss.ts': 'compiled to see whether it can be, never run',
  'packages/core/src/answer/hooks/matches.ts': 'a matcher of the program, on names of its tools',
  'packages/core/src/answer/mcp/resources/uri-template.ts':
    'from a template of the program, on uris of bounded length',
  'packages/core/src/answer/schema/draft-07/rewrite-node.ts':
    'from a schema of the program, on its own property names',
  'packages/core/src/answer/schema/json-schema/check-json-schema.ts':
    'compiled to see whether it can be, never run',
  'packages/cli/src/tools-file/forget-modules.ts': 'one number behind a fixed name',
  'packages/core/src/record/trace/recorder/redact.ts': 'the caller’s own patterns, with one flag more',
  'packages/inspector/src/model/wire/wire-list.ts': 'the text of a search, with all its signs escaped',
  'packages/testing/src/fake-cli/host/host-hooks.ts': 'a matcher of the test, on names of its tools',
  'packages/testing/src/fake-cli/player/play-step.ts': 'a matcher of the test, on its prompts',
  'packages/core/src/wire/process/find/host-runtime.ts':
    'the names of runtimes in a fixed list, at the end of a path',
};

/** Expressions that take more, with the reason why their text is short. */
const ON_SHORT_TEXTS: Readonly<Record<string, string>> = {
  'packages/core/src/wire/process/find/embedded-version.ts': 'on the first 2048 bytes of a bundle',
};

interface Found {
  file: string;
  expression: RegExp;
}

interface SyntaxNode {
  type?: string;
  regex?: { pattern: string; flags: string };
  callee?: { type?: string; name?: string };
}

/** The expressions that are written in a file, and how many are made by `RegExp()`. */
function readExpressions(file: string, text: string): { literals: RegExp[]; made: number } {
  const literals: RegExp[] = [];
  let made = 0;
  const waiting: unknown[] = [parseSync(file, text).program];
  for (let node = waiting.pop(); waiting.length > 0 || node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { type, regex, callee } = node as SyntaxNode;
    if (regex) literals.push(new RegExp(regex.pattern, regex.flags));
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') made += 1;
    waiting.push(...Object.values(node));
  }
  return { literals, made };
}

/** What a module makes while it is loaded. */
async function loadAndWatch(file: string): Promise<RegExp[]> {
  const made: RegExp[] = [];
  const real = globalThis.RegExp;
  globalThis.RegExp = new Proxy(real, {
    construct(target, [source, flags]: [string, string | undefined]) {
      const expression = new target(source, flags);
      if (typeof source === 'string') made.push(expression);
      return expression;
    },
  });
  try {
    vi.resetModules();
    await import(/* @vite-ignore */ `../../${file}`);
  } finally {
    globalThis.RegExp = real;
  }
  return made;
}

describe('the expressions of the source', async () => {
  const found: Found[] = [];
  const makers: string[] = [];
  for (const [file, text] of readSourceFiles()) {
    const { literals, made } = readExpressions(file, text);
    found.push(...literals.map((expression) => ({ file, expression })));
    if (made > 0 && MADE_LATER[file] === undefined) makers.push(file);
  }
  const unwatched: string[] = [];
  for (const file of makers) {
    const made = await loadAndWatch(file);
    if (made.length === 0) unwatched.push(file);
    found.push(...made.map((expression) => ({ file, expression })));
  }

  it('are found, those that are made too', () => {
    expect(found.length).toBeGreaterThan(100);
    expect(unwatched).toEqual([]);
    for (const file of Object.keys(MADE_LATER)) expect(readFileSync(file, 'utf8')).toContain('RegExp(');
  });

  const findSlow = ({ file, expression }: Found): string[] => {
    const counted = new CountedExpression(expression);
    for (const build of listHostileTexts(expression)) {
      const growth = fitGrowth(build, (text) => counted.count(text));
      if (growth > 1.5)
        return [
          `${file}: ${String(expression)} takes length^${growth.toFixed(1)} on ${JSON.stringify(build(8))}`,
        ];
    }
    return [];
  };

  // The longest takes ten seconds of a processor, which a busy machine may not have within a minute.
  it.each(found)(
    'take no more than their text’s length: $file, $expression',
    (each) => {
      const isExempt = Object.hasOwn(ON_SHORT_TEXTS, each.file) && each.expression.source.includes('[^]*?');
      if (isExempt) expect(findSlow(each)).toHaveLength(1);
      else expect(findSlow(each)).toEqual([]);
    },
    300_000,
  );

  it('are counted by a matcher that finds what the real one finds', () => {
    const different = found.flatMap(({ file, expression }) => {
      const counted = new CountedExpression(expression);
      const texts = listHostileTexts(expression).map((build) => build(24));
      return texts
        .filter((text) => {
          const real: { index: number; end: number }[] = [];
          expression.lastIndex = 0;
          text.replace(expression, (match: string, ...more: unknown[]) => {
            const index = more.find((each) => typeof each === 'number') as number;
            real.push({ index, end: index + match.length });
            return '';
          });
          return JSON.stringify(counted.list(text)) !== JSON.stringify(real);
        })
        .map((text) => `${file}: ${String(expression)} on ${JSON.stringify(text)}`);
    });
    expect(different).toEqual([]);
  });

  it.each([
    /\beyJ[\w-]{4,}\.[\w-]{4,}/g,
    /```(?:json[c5]?)?[^\S\n]*\n(.*?)\n?[^\S\n]*```/gis,
    /\/+$/,
    /x\s*\(?\s*y/,
    /^(?:a|a)+$/,
  ])('would be found slow: %s', (expression) => {
    expect(findSlow({ file: 'an example', expression })).toHaveLength(1);
  });
});

describe('what reads foreign text', () => {
  const redactor = createRedactor({ values: ['a-known-value'] });
  const pieces = [
    '```json ',
    '```\n',
    '``` ',
    '`',
    '```json\n{}\n',
    ' ',
    '\n',
    'a',
    '日',
    '\u001b[0m',
    '[redacted]',
    '"',
    'eyJ-',
    'eyJa.',
    'token-',
    'token:"',
    'key=',
    'Cookie: "',
    'Digest a=b,',
    '--token ',
    'pwd ',
    ';pwd=',
    'a-known-valu',
    '-----BEGIN PRIVATE KEY',
    'Authorization: a ',
    '://a:',
    'sk-',
    '{"a":',
    '\\"',
  ];
  const readers: Record<string, (text: string) => unknown> = {
    redactText: (text) => redactor.redactText(text),
    redactNames: (text) => redactor.redactValue({ [text]: text }),
    isClean: (text) => redactor.isClean(text),
    listJsonBlocks,
    diffJson: (text) => diffJson(`${text}[redacted]x`, `${text}y`),
    describe: (text) => shortenToSummary(text),
    blankText,
    cleanText,
    revealText,
    cut: (text) => cutToColumns(text, text.length - 1),
    split: (text) => {
      const splitter = createLineSplitter({ onLine: () => {}, onOversized: () => {} });
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 64) splitter.push(bytes.subarray(at, at + 64));
      splitter.end();
    },
  };

  it.each(Object.entries(readers))('takes no more than its length: %s', (_, read) => {
    const slow = pieces.filter((piece) =>
      ['', '\u0001', '\n```'].some(
        (end) =>
          fitGrowth(
            (size) => `${piece.repeat(size / piece.length)}${end}`,
            (text) => countWork(() => void read(text)),
          ) > 1.5,
      ),
    );
    expect(slow).toEqual([]);
  });

  it.each<[string, (text: string) => unknown]>([
    ['an expression', (text) => text.replace(/x\s*\(?\s*y/, '')],
    ['a search from the start for each character', (text) => Array.from(text, () => text.includes('never'))],
    [
      'a buffer that is copied for each part',
      (text) => {
        let all = Buffer.alloc(0);
        for (const char of text) all = Buffer.concat([all, Buffer.from(char)]);
      },
    ],
    [
      'a list that is joined for each part',
      (text) => {
        const parts: string[] = [];
        for (const char of text) if (parts.push(char) > 0) parts.join('');
      },
    ],
  ])('would be found slow: %s', (_, read) => {
    const growth = fitGrowth(
      (size) =>
        'x '
          .repeat(size / 2)
          .replaceAll('x', ' ')
          .replace(' ', 'x'),
      (text) => countWork(() => void read(text)),
    );
    expect(growth).toBeGreaterThan(1.5);
  });
});
