// The page with its data in it, as a file: for tests of views that need no server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import { fillPage } from '../../../../packages/inspector/src/html/page-frame.js';
import { embedJson } from '../../../../packages/inspector/src/model/embed-json.js';
import { readPageAssets } from '../../../../packages/inspector/src/server/page-assets.js';
import { SessionModel } from '../../../../packages/inspector/src/model/session-model.js';
import type { ServerState } from '../../../../packages/inspector/src/model/page-contract.js';
import { encodeNumbered } from '../../../../packages/inspector/src/stream/event-codec.js';
import type {
  NumberedEvent,
  InspectorEvent,
} from '../../../../packages/inspector/src/stream/inspector-event.js';
import { buildPageOnce } from '../../../../packages/inspector/test/support/built-page.js';

/** The events of a session, in order; numbers are given here. */
export type SessionEvents = readonly InspectorEvent[];

/** Writes a page with these sessions into a file and gives its address. Files go when the tests of the file are over. */
export async function writeEmbeddedPage(
  sessions: Record<string, SessionEvents>,
  state: Partial<ServerState> = {},
): Promise<string> {
  const built = await buildPageOnce();
  const events: Record<string, string[]> = {};
  const summaries = Object.entries(sessions).map(([id, told]) => {
    const model = new SessionModel(id);
    const numbered = told.map((event, index): NumberedEvent => ({ n: index + 1, s: id, event }));
    for (const event of numbered) model.push(event);
    events[id] = numbered.map(encodeNumbered);
    return model.summary.read();
  });
  const whole: ServerState = {
    kind: 'files',
    version: '0.1.0',
    isReadOnly: true,
    title: 'recordings',
    noToolsBecause: 'This page is a file.',
    sessions: summaries,
    questions: [],
    ...state,
  };
  const file = join(folder(), `${files}.html`);
  files += 1;
  writeFileSync(file, fillPage(readPageAssets(built), embedJson({ state: whole, events })));
  return pathToFileURL(file).href;
}

let files = 0;
let made: string | undefined;

function folder(): string {
  made ??= mkdtempSync(join(tmpdir(), 'inspector-page-'));
  return made;
}

afterAll(() => {
  if (made !== undefined) rmSync(made, { recursive: true, force: true });
  made = undefined;
});
