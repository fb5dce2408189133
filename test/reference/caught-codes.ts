// Which codes a test catches: those in a statement that expects something, or in a constant that such a statement uses. A code that
// a test merely makes, lists or mentions proves nothing about the program.

const COMMENT = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*$)\n?/gm;
const EXPECTS = /\bexpect[(.]|\.(?:each|for)\(|\bfor \(const \[|\bwaitUntil\(/;
const CODE = /\b[A-Z][A-Z_]{3,}\b/g;

/** The codes that the text of a test file catches. */
export function findCaughtCodes(text: string): Set<string> {
  const statements = text.replaceAll(COMMENT, '').split(/;\n|\n\n/);
  const constants = new Map<string, string[]>();
  for (const statement of statements) {
    const [, name] = /\bconst (\w+)\b[^=]*=(?!=)/.exec(statement) ?? [];
    if (name !== undefined) constants.set(name, [...(constants.get(name) ?? []), statement]);
  }
  const caught = new Set<string>();
  const seen = new Set<string>();
  const waiting = statements.filter((statement) => EXPECTS.test(statement));
  for (let statement = waiting.pop(); statement !== undefined; statement = waiting.pop()) {
    if (seen.has(statement)) continue;
    seen.add(statement);
    for (const [code] of statement.matchAll(CODE)) caught.add(code);
    for (const [word] of statement.matchAll(/\b[A-Za-z_]\w*\b/g)) {
      waiting.push(...(constants.get(word) ?? []));
    }
  }
  return caught;
}
