// The recordings as frames, each with what it is: the key that descriptions, examples and schemas are kept under.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const byName = (one, other) => (one < other ? -1 : 1);
export const RECORDINGS = fileURLToPath(new URL('../../../test/fixtures/protocol', import.meta.url));

/** Sessions that were recorded for the inspector's tests: more samples of the same frames. */
const INSPECTOR = fileURLToPath(new URL('../../../test/fixtures/inspector', import.meta.url));
export const INSPECTOR_RECORDINGS = readdirSync(INSPECTOR)
  .filter((name) => name.endsWith('.jsonl'))
  .toSorted(byName)
  .map((name) => join(INSPECTOR, name));

/** All frames of the recordings: their kind, direction, scene, CLI version, and the request that a reply answers. */
export function readRecordings(folder = RECORDINGS) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted(byName)
    .flatMap((name) => {
      const [scene, version] = name.slice(0, -'.jsonl'.length).split('@');
      return framesOf(readFileSync(join(folder, name), 'utf8')).map((each) => ({ ...each, scene, version }));
    });
}

/** The frames of one trace. */
export function framesOf(text) {
  const questions = new Map();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ type, frame }) => type === 'frame' && frame !== undefined)
    .map(({ dir, frame }) => {
      if (frame.type === 'control_request') questions.set(`${dir} ${frame.request_id}`, frame);
      const other = dir === 'in' ? 'out' : 'in';
      const question =
        frame.type === 'control_response'
          ? questions.get(`${other} ${frame.response.request_id}`)
          : undefined;
      return { dir, frame, question, kind: kindOf(dir, frame, question) };
    });
}

/**
 * `request out initialize`, `reply in initialize` (the CLI's), `message in system/init`, `cancel in`. `out` goes to the CLI.
 */
function kindOf(dir, frame, question) {
  switch (frame.type) {
    case 'control_request':
      return `request ${dir} ${frame.request?.subtype}`;
    case 'control_response':
      return `reply ${dir} ${question?.request?.subtype ?? 'unknown'}`;
    case 'control_cancel_request':
      return `cancel ${dir}`;
    default:
      return `message ${dir} ${frame.type}${frame.subtype === undefined ? '' : `/${frame.subtype}`}`;
  }
}
