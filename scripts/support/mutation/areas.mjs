// The areas that carry safety: what is mutated, by the name under which it is asked for.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Area -> its sources, and the tests that are to notice a change of them: those of the area, which need no luck with time. */
export const AREAS = {
  channel: {
    sources: /^packages\/core\/src\/wire\/channel\//,
    tests: /^packages\/core\/test\/wire\/channel\//,
  },
  process: {
    sources: /^packages\/core\/src\/wire\/process\//,
    tests: /^packages\/core\/test\/wire\/(?:process|transport)\//,
  },
  input: { sources: /^packages\/core\/src\/live\/input\//, tests: /^packages\/core\/test\/live\/input\// },
  hooks: {
    sources: /^packages\/core\/src\/answer\/hooks\//,
    tests: /^packages\/core\/test\/(?:answer\/(?:hooks|permissions)|options\/check)\//,
  },
  permissions: {
    sources: /^packages\/core\/src\/answer\/permissions\//,
    // Rules of tools are read where options are checked and where a refusal is explained.
    tests: /^packages\/core\/test\/(?:answer\/permissions|options\/check|answer\/diagnosis)/,
  },
  redaction: {
    sources: /^packages\/core\/src\/record\/trace\/recorder\/(?:redact|secret|rewrite|spell|json-)/,
    tests: /^packages\/core\/test\/record\/trace\/(?:redact|secret)/,
  },
  options: {
    sources: /^packages\/core\/src\/options\/(?:check|launch)\//,
    tests: /^packages\/core\/test\/options\//,
  },
  approvals: {
    sources:
      /^packages\/(?:core\/src\/answer\/permissions\/approvals\/|cluster\/src\/(?:approvals\.ts|work\/session\/journal-approvals\.ts))/,
    tests:
      /^packages\/(?:core\/test\/answer\/permissions\/|cluster\/test\/(?:work\/|work\/session\/journal-)?approvals\.|cluster\/test\/work\/pending-calls)/,
  },
  durable: { sources: /^packages\/durable\/src\//, tests: /^packages\/durable\/test\// },
  chat: { sources: /^packages\/ui\/src\/chat\//, tests: /^packages\/ui\/test\// },
  // What only PostgreSQL or Redis can show is tried by the tests of the services. Two files wait for the pauses of a worker.
  cluster: {
    sources: /^packages\/cluster\/src\/(?:work|dispatch|limits|health|journal)\//,
    tests:
      /^packages\/cluster\/test\/(?!bullmq|chaos|model|postgres|soak|types|work\/(?:budgets|completed-calls))/,
  },
  remote: { sources: /^packages\/remote\/src\//, tests: /^packages\/remote\/test\// },
  server: {
    sources: /^packages\/inspector\/src\/server\//,
    tests: /^packages\/inspector\/test\/(?:journal|live|server|sources)\//,
  },
};

/** The files of an area, from the root, sorted. */
export function listAreaFiles(area) {
  return listFiles('src').filter((file) => AREAS[area].sources.test(file));
}

/** The test files of areas. */
export function listAreaTests(areas) {
  return listFiles('test').filter(
    (file) => file.endsWith('.test.ts') && areas.some((area) => AREAS[area].tests.test(file)),
  );
}

// Those of one folder of each package.
function listFiles(folder) {
  return readdirSync(join(ROOT, 'packages'))
    .map((name) => join(ROOT, 'packages', name, folder))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path, { recursive: true }).map((name) => join(path, name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(ROOT, path).split(sep).join('/'))
    .sort();
}
