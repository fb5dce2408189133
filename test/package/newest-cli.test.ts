// The newest supported CLI is a fact of supported-versions.ts. What imitates it, installs it or speaks of it names the same one.
import { expect, it } from 'vitest';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../packages/core/src/options/supported-versions.js';
import { readProjectFile } from './project.js';

/** Texts by file; each stands there with the version that is meant. */
const PLACES: [string, string][] = [
  ['package.json', `"@anthropic-ai/claude-code": "${NEWEST_VERSION}"`],
  ['package.json', `"claude-code-${OLDEST_VERSION}": "npm:`],
  ['package-lock.json', `"node_modules/@anthropic-ai/claude-code": {\n      "version": "${NEWEST_VERSION}"`],
  ['README.md', `with CLI ${OLDEST_VERSION} and ${NEWEST_VERSION} (`],
  ['README.md', `@anthropic-ai/claude-code@${NEWEST_VERSION}`],
  ['docs/cli-versions.md', `\n| ${NEWEST_VERSION}, the newest |`],
  ['docs/cli-versions.md', `**${OLDEST_VERSION}** and **${NEWEST_VERSION}**`],
  ['docs/faq/answers.md', `${OLDEST_VERSION} to ${NEWEST_VERSION}`],
  ['packages/testing/src/fake-cli/fake-cli.ts', `const DEFAULT_VERSION = '${NEWEST_VERSION}'`],
  ['packages/testing/src/fake-cli/fake-cli.ts', `Default ${NEWEST_VERSION}.`],
  ['packages/core/src/record/settings/table/settings-table.ts', `what CLI ${NEWEST_VERSION} checks`],
  ['test/faults/real.mjs', `'${NEWEST_VERSION}': {}`],
  ['test/faults/calls/real.mjs', `'${NEWEST_VERSION}': {}`],
  ['test/faults/calls/table.mjs', `['${NEWEST_VERSION}', '${OLDEST_VERSION}']`],
  ['test/matrix/programs/session.mjs', `?? '${NEWEST_VERSION}'`],
];

it.each(PLACES)('%s has %j', (file, text) => {
  expect(readProjectFile(file)).toContain(text);
});
