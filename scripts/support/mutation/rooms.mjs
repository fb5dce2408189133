// The rooms that carry safety: what is mutated, by the name under which it is asked for.
import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Room -> its sources, and the tests that are to notice a change of them: those of the room, which need no luck with time. */
export const ROOMS = {
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
};

/** The files of a room, from the root, sorted. */
export function listRoomFiles(room) {
  return listFiles('packages/core/src').filter((file) => ROOMS[room].sources.test(file));
}

/** The test files of rooms. */
export function listRoomTests(rooms) {
  return listFiles('packages/core/test').filter(
    (file) => file.endsWith('.test.ts') && rooms.some((room) => ROOMS[room].tests.test(file)),
  );
}

function listFiles(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => join(ROOT, folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(ROOT, path).split(sep).join('/'))
    .sort();
}
