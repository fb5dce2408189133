// All files that are made from the recordings, by their path in the project.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cutPage } from '../pages/cut-page.mjs';
import { buildPage, PROTOCOL_PARTS } from './build-page.mjs';
import { buildSchema, formatSchema } from './build-schema.mjs';
import { drawSequence } from './draw-sequence.mjs';
import { NEWEST, OLDEST } from './recorded-versions.mjs';
import { framesOf, INSPECTOR_RECORDINGS, readRecordings, RECORDINGS } from './read-recordings.mjs';

/** Their texts; throws where a sentence, an example or a reason is missing. */
export function buildProtocolFiles() {
  const frames = readRecordings();
  const launches = JSON.parse(readFileSync(join(RECORDINGS, 'launches.json'), 'utf8'));
  const greeting = (version) => frames.filter((each) => each.scene === 'greet' && each.version === version);
  return {
    ...cutPage({ file: 'docs/protocol.md', text: buildPage(frames, launches), parts: PROTOCOL_PARTS }),
    'docs/protocol.svg': drawSequence([
      { title: `CLI ${OLDEST}`, frames: greeting(OLDEST) },
      { title: `CLI ${NEWEST}`, frames: greeting(NEWEST) },
    ]),
    'schema/frames.schema.json': formatSchema(buildSchema(readAllRecordings())),
  };
}

/** The frames of every recording in the tree: those made for the page, and the sessions of the inspector's tests. */
export function readAllRecordings() {
  const others = INSPECTOR_RECORDINGS.flatMap((file) => framesOf(readFileSync(file, 'utf8')));
  return [...readRecordings(), ...others];
}
