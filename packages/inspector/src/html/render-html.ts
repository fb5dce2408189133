// Writes a timeline as one HTML file: the page of the inspector with the events in it. The file opens from disk and loads
// nothing else. Its content security policy allows no script and no style but its own.
import { basename } from 'node:path';
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { INBOARD_VERSION } from '@inboard/core/record/trace/trace-event.js';
import type { Timeline } from '@inboard/core/record/trace/timeline/timeline.js';
import { embedJson } from '../model/embed-json.js';
import type { ServerState } from '../model/page-contract.js';
import { SummaryLedger } from '../model/summary-ledger.js';
import { readPageAssets, type WholePage } from '../server/page-assets.js';
import { chooseEvents } from './choose-events.js';
import { fillPage } from './page-frame.js';
import { createEventReader } from './timeline-events.js';

/** How much goes into the page, and from which file its events are. */
export interface RenderHtmlOptions {
  /** The longest text in a frame, in characters. The page says where a text was cut. Default 20000. */
  maxFrameCharacters?: number | undefined;
  /** How many events go in; of a longer run, the beginning and the end. Default 20000. */
  maxEvents?: number | undefined;
  /** How many bytes of events go in; of a longer run, the beginning and the end. Default 20000000. */
  maxBytes?: number | undefined;
  /** The trace's file. The page is named after it, and refers to it for what was left out. */
  file?: string | undefined;
  /** Is called with a sentence about what was left out, if anything was. */
  onLeftOut?: ((sentence: string) => void) | undefined;
}

const NO_TOOLS = 'This page is a file: there is no program behind it, and so no tools to call.';

/**
 * The inspector's page with one run in it: story, timeline, wire, tools, cost. It opens from a file, works offline, and
 * needs no other files. Throws an InspectorError if the page's script is not next to this package's code.
 */
export function renderTimelineHtml(timeline: Timeline, options: RenderHtmlOptions = {}): string {
  return renderWith(readPageAssets(), timeline, options);
}

/** Writes a timeline into the given page. Tests give another page than that of the package. */
export function renderWith(
  assets: WholePage,
  timeline: Timeline,
  {
    maxFrameCharacters = 20_000,
    maxEvents = 20_000,
    maxBytes = 20_000_000,
    file,
    onLeftOut,
  }: RenderHtmlOptions = {},
): string {
  const session = file === undefined ? 'trace' : basename(file);
  const reader = createEventReader(timeline, session, maxFrameCharacters);
  const { lines, leftOut } = chooseEvents(reader, { maxEvents, maxBytes, file });
  if (leftOut !== undefined && onLeftOut)
    callListener(
      () => onLeftOut(leftOut),
      (cause) => warnOfCallback('renderTimelineHtml onLeftOut', cause),
    );
  const summary = new SummaryLedger(session);
  for (let index = 0; index < reader.count; index += 1) summary.push(reader.eventAt(index));
  if (timeline.end === undefined) summary.cutOff();
  const state: ServerState = {
    kind: 'files',
    version: INBOARD_VERSION,
    isReadOnly: true,
    title: session,
    noToolsBecause: NO_TOOLS,
    sessions: [{ ...summary.read(), ...(file !== undefined && { file }) }],
    questions: [],
    leftOut,
  };
  const data = `{"state":${embedJson(state)},"events":{${embedJson(session)}:[${lines.join(',')}]}}`;
  return fillPage(assets, data);
}
