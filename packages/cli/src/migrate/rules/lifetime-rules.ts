// Rules about how long a query lives: how its prompt is given, how it is closed, and how the process ends.
import { findQueries, findEntry, type QueryCall } from '../program/given-options.js';
import { closeOf } from '../program/literals.js';
import type { Program } from '../program/program.js';
import type { Token } from '../tokens/token.js';
import type { RuleFinding, MigrationRule } from './rule.js';

/** The variables and fields that hold queries. */
function findQueryNames({ code }: Program, queries: readonly QueryCall[]): Set<string> {
  return new Set(
    queries.flatMap(({ open }) => {
      let at = open - 1;
      while (code[at]?.kind === 'name' || code[at]?.text === '.') at -= 1;
      const name = code[at]?.text === '=' ? code[at - 1] : undefined;
      return name?.kind === 'name' ? [name.text] : [];
    }),
  );
}

const CLOSE_NOT_AWAITED: MigrationRule = {
  id: 'close-not-awaited',
  weight: 'know',
  section: 'closing-waits',
  why: 'close() returns a promise that resolves when the CLI has exited; the official one returns nothing.',
  advice:
    'Await it where the CLI must have exited before you continue, for example at the end of a test or before you delete its folder.',
  find: (program) => {
    const { code } = program;
    const names = findQueryNames(program, findQueries(program));
    const found = code.flatMap((token, index): RuleFinding[] => {
      if (token.text !== 'close' || code[index + 1]?.text !== '(') return [];
      const isMember = code[index - 1]?.text === '.' || code[index - 1]?.text === '?.';
      if (!isMember || !names.has(code[index - 2]?.text ?? '')) return [];
      return isWaitedFor(code, index)
        ? []
        : [{ offset: token.start, what: 'Nothing waits here until the CLI has exited.' }];
    });
    return found.slice(0, 1);
  },
};

function isWaitedFor(code: readonly Token[], close: number): boolean {
  let at = close - 1;
  while (code[at]?.kind === 'name' || code[at]?.text === '.' || code[at]?.text === '?.') {
    if (/^(?:await|return|void)$/.test(code[at]?.text ?? '')) return true;
    at -= 1;
  }
  return code[at]?.text === '=>' || code[at]?.text === '=' || code[close + 3]?.text === '.';
}

const PROCESS_EXIT: MigrationRule = {
  id: 'process-exit',
  weight: 'know',
  section: 'closing-waits',
  why: 'process.exit() gives the CLI no time to end; a process that has nothing left to do ends by itself.',
  advice: 'Remove it, or "await" close() first and set process.exitCode.',
  find: (program) => {
    const { code } = program;
    const loops = findQueryLoops(program);
    return code.flatMap((token, index): RuleFinding[] => {
      const isExit =
        token.text === 'exit' && code[index - 2]?.text === 'process' && code[index + 1]?.text === '(';
      if (!isExit || !loops.some(({ start, end }) => start < index && index < end)) return [];
      return [{ offset: code[index - 2]?.start ?? 0, what: 'The process exits while the query is open.' }];
    });
  },
};

/** The bodies of `for await (… of query(…)) { … }`. */
function findQueryLoops(program: Program): { start: number; end: number }[] {
  const { code } = program;
  const queries = findQueries(program);
  const names = findQueryNames(program, queries);
  return code.flatMap((token, index) => {
    if (token.text !== 'for' || code[index + 1]?.text !== 'await' || code[index + 2]?.text !== '(') return [];
    const head = closeOf(code, index + 2);
    const isDirect = queries.some(({ open }) => index < open && open < head);
    const isNamed = code[head - 2]?.text === 'of' && names.has(code[head - 1]?.text ?? '');
    const open = head + 1;
    if ((!isDirect && !isNamed) || code[open]?.text !== '{') return [];
    return [{ start: open, end: closeOf(code, open) }];
  });
}

/** An async generator: where it begins, and its body. */
interface Generator {
  offset: number;
  body: readonly Token[];
}

// Finds `async function* name() {}` and methods `async *name() {}`, in a file that starts queries.
function findGenerators(program: Program): Generator[] {
  const { code } = program;
  if (findQueries(program).length === 0) return [];
  return code.flatMap((token, index) => {
    if (token.text !== 'async') return [];
    const star = code[index + 1]?.text === 'function' ? index + 2 : index + 1;
    if (code[star]?.text !== '*') return [];
    const parameters = code[star + 1]?.text === '(' ? star + 1 : star + 2;
    if (code[parameters]?.text !== '(') return [];
    let open = closeOf(code, parameters) + 1;
    // Skip the type of the result, which may stand before the body.
    for (let most = 40; most > 0 && open < code.length && code[open]?.text !== '{'; most -= 1) open += 1;
    if (code[open]?.text !== '{') return [];
    return [{ offset: token.start, body: code.slice(open + 1, closeOf(code, open)) }];
  });
}

const GENERATOR_PROMPT: MigrationRule = {
  id: 'generator-prompt',
  weight: 'know',
  section: 'workarounds-you-can-drop',
  why: 'A string prompt keeps the channel for tools, hooks and permissions open, as a generator does.',
  advice: 'Pass the text itself as "prompt".',
  find: (program) =>
    findGenerators(program)
      .filter(({ body }) => isOneText(body))
      .map(({ offset }) => ({
        offset,
        what: 'This generator yields one message, for which a string is enough.',
      })),
};

/** Whether a generator only yields one user message that consists of text. */
function isOneText(body: readonly Token[]): boolean {
  const texts = body.map(({ text }) => text);
  const yields = texts.filter((text) => text === 'yield').length;
  const isMessage = body.some(
    ({ text }, index) => text === 'type' && /^['"]user['"]$/.test(texts[index + 2] ?? ''),
  );
  const isMore = texts.some((text) =>
    /^(?:for|while|if|['"](?:image|document|tool_result)['"]|\*|\.\.\.)$/.test(text),
  );
  return yields === 1 && isMessage && !isMore;
}

const KEEP_ALIVE_PROMISE: MigrationRule = {
  id: 'keep-alive-promise',
  weight: 'know',
  section: 'workarounds-you-can-drop',
  why: 'Input stays open until every message is answered and nothing is running, even after the prompt has ended.',
  advice: 'Let the generator end. One that never ends keeps the session open until you close it.',
  find: (program) =>
    findGenerators(program).flatMap(({ body }) =>
      body.flatMap((token, index): RuleFinding[] => {
        if (token.text !== 'Promise' || body[index - 1]?.text !== 'new') return [];
        const rest = body
          .slice(index + 1, index + 12)
          .map(({ text }) => text)
          .join('');
        const isEndless = /^(?:<[^>]{0,40}>)?\(\(\)=>\{\}\)/.test(rest);
        return isEndless
          ? [{ offset: token.start, what: 'This promise keeps the prompt open forever.' }]
          : [];
      }),
    ),
};

const DUMMY_HOOK: MigrationRule = {
  id: 'dummy-hook',
  weight: 'know',
  section: 'workarounds-you-can-drop',
  why: '"canUseTool" is called without a hook beside it, for string prompts as well.',
  advice: 'Remove the hook.',
  find: ({ code }, { options }) =>
    options.literals.flatMap((literal) => {
      const hooks = findEntry(literal, 'hooks');
      if (!hooks || !findEntry(literal, 'canUseTool') || hooks.value.kind !== 'object') return [];
      const isDummy =
        hooks.value.entries.length === 1 && isOnlyContinue(code.slice(hooks.value.start, hooks.value.end));
      return isDummy ? [{ offset: hooks.keyStart, what: 'This hook only lets everything continue.' }] : [];
    }),
};

// Whether the tokens are one short function that only returns { continue: true }.
function isOnlyContinue(tokens: readonly Token[]): boolean {
  const text = tokens.map((token) => token.text).join(' ');
  return (
    tokens.length < 45 &&
    /\{ continue : true ,? ?\}/.test(text) &&
    !text.includes('hookSpecificOutput') &&
    !/\b(?:if|console|await)\b/.test(text)
  );
}

/** The rules about the life of a query. */
export const LIFETIME_RULES: readonly MigrationRule[] = [
  CLOSE_NOT_AWAITED,
  PROCESS_EXIT,
  GENERATOR_PROMPT,
  KEEP_ALIVE_PROMISE,
  DUMMY_HOOK,
];
