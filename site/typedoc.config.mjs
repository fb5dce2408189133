// How the API reference is read from the package's declarations. Warnings are errors: a type that a public one names is
// public itself, or stands with a reason in not-exported.json.
import { readFileSync } from 'node:fs';

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const { entryPoints } = read('./reference.json');
const table = (...names) => Object.fromEntries(names.map((name) => [`${name}Format`, 'table']));

export default {
  plugin: ['typedoc-plugin-markdown', './typedoc-plugin.mjs'],
  tsconfig: 'tsconfig.json',
  entryPoints: entryPoints.map(({ file }) => `../dist/entry/${file}.d.ts`),
  out: '.generated/reference',
  outputFileStrategy: 'modules',
  readme: 'none',
  treatWarningsAsErrors: true,
  intentionallyNotExported: Object.keys(read('./not-exported.json')),
  // The project checks its own types.
  skipErrorChecking: true,
  disableSources: true,
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  kindSortOrder: ['Function', 'Class', 'Variable', 'Interface', 'TypeAlias'],
  categorizeByGroup: false,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  useHTMLAnchors: true,
  ...table('parameters', 'interfaceProperties', 'classProperties', 'typeAliasProperties'),
  ...table('typeDeclaration', 'propertyMembers', 'enumMembers'),
};
