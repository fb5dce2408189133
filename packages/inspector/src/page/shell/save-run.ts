// Saves what the page has read as one HTML file, like the one that `inboard trace html` writes. It works after the program has
// ended, because the page keeps the events and has the parts of the file.
import { isOverState } from '../../model/is-over-state.js';
import { PAGE_DATA_ELEMENT } from '@inboard/core/record/trace/trace-event.js';
import { embedJson } from '../../model/embed-json.js';
import { formatExact } from '../../model/format.js';
import type { ServerState } from '../../model/page-contract.js';
import { cutOffSummary } from '../../model/cut-off.js';
import type { SessionSummary } from '../../model/session-summary.js';
import { decodeNumbered, encodeNumbered, numberOf } from '../../stream/event-codec.js';
import type { KeptSession } from '../source/kept-lines.js';
import type { Store } from '../store/store.js';

const NO_TOOLS = 'This page is a file: there is no program behind it, and so no tools to call.';
const NOTHING = { send: false, interrupt: false, setModel: false, setMode: false, rewind: false };
/** A browser that still writes the file needs its address for a while. */
const GIVEN_BACK_MS = 60_000;

/** Offers the file as a download, and says what is in it. Rejects if the parts of the file are missing. */
export async function saveRun(store: Store): Promise<string> {
  const blank = await store.source.blankPage?.();
  if (blank === undefined) throw new Error('The page has nothing to save itself with.');
  const { data, said } = describePage(store);
  const at = blank.indexOf(PAGE_DATA_ELEMENT) + PAGE_DATA_ELEMENT.length;
  const parts = [blank.slice(0, at), embedJson(data), blank.slice(at)];
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/html' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${nameFile(data.state)}.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), GIVEN_BACK_MS);
  return said;
}

/** The data of the file, and a sentence about it. */
function describePage(store: Store): {
  data: { state: ServerState; events: Record<string, string[]> };
  said: string;
} {
  const all = store.sessions.value;
  const events: Record<string, string[]> = {};
  const left: string[] = [];
  const sessions = all.flatMap((summary) => {
    const kept = store.source.kept?.of(summary.id);
    if (!kept) return [];
    const { lines, leftOut } = joinLines(summary.id, kept);
    events[summary.id] = lines;
    if (leftOut !== undefined) left.push(leftOut);
    return [asRecorded(summary, store)];
  });
  const unread = all.length - sessions.length;
  if (unread > 0)
    left.push(
      `${unread} of ${all.length} sessions were not opened on the page that was saved, and are not here`,
    );
  const state: ServerState = {
    ...(store.state.value as ServerState),
    kind: 'files',
    isReadOnly: true,
    noToolsBecause: NO_TOOLS,
    sessions,
    questions: [],
    cluster: undefined,
    hasAudit: undefined,
    program: undefined,
    leftOut: left.length > 0 ? `${left.join('. ')}.` : undefined,
    end: store.end.value,
  };
  return { data: { state, events }, said: left.length > 0 ? `Saved. ${state.leftOut}` : 'The run is saved.' };
}

function joinLines(
  session: string,
  { beginning, end, missing }: KeptSession,
): { lines: string[]; leftOut?: string } {
  if (missing === 0) return { lines: [...beginning, ...end] };
  const last = beginning.at(-1) ?? '';
  const leftOut = `${formatExact(missing)} events in the middle of a long session are left out`;
  const { t = 0 } = (decodeNumbered(last)?.event ?? {}) as { t?: number };
  const mark = encodeNumbered({
    n: numberOf(last) + 1,
    s: session,
    event: { type: 'warning', t, code: 'LEFT_OUT', message: leftOut },
  });
  return { lines: [...beginning, mark, ...end], leftOut };
}

/** A summary as that of a recording. One whose session goes on is cut off where it was saved. */
function asRecorded(summary: SessionSummary, store: Store): SessionSummary {
  const { model } = store.load(summary.id);
  const { durationMs, current, turns, tokens, costUsd, errors, events, shares } = model.summary.read();
  const isOver = isOverState(summary.state);
  const figures = { durationMs, current, turns, tokens, costUsd, errors, events, shares };
  const saved = { ...summary, ...figures, now: undefined, waiting: 0, can: NOTHING };
  return isOver ? saved : cutOffSummary(saved, 'saved before it was over');
}

function nameFile({ title, sessions }: ServerState): string {
  const [only] = sessions;
  const name = sessions.length === 1 && only ? only.title : title;
  const short = name
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '');
  return short === '' ? 'run' : short;
}
