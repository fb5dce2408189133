// The result of a replay: where this run differs from the tape, what did not occur in this run, and what is not on the
// tape. `format-report` makes the text of a report.
import { fitsPieces } from '../../../util/wildcards.js';
import { diffJson, type JsonChange } from './json-diff.js';
import type { QuestionKind } from '../timeline/wire-question.js';

/** What was compared: an answer to the CLI, a user message, or a control request of the host. */
export type ReplaySubject = QuestionKind | 'prompt' | 'request';

/** Something that is on the tape or occurred during the replay. */
export interface ReplayItem {
  kind: ReplaySubject;
  /** The name of the tool, the hook's event, the method or the subtype. */
  name: string;
  toolUseId?: string;
  /** The time on the tape in milliseconds. For an unexpected item, the time that the tape had reached. */
  t: number;
}

/** An answer, message or request that differs from the one on the tape. */
export interface ReplayDifference extends ReplayItem {
  /** For an answer, the content of its question. */
  question?: unknown;
  taped: unknown;
  live: unknown;
  /** Each place where `taped` and `live` differ, except places that are ignored. */
  changes: JsonChange[];
}

/** The verdict on a replay so far. */
export interface ReplayReport {
  /** The whole tape was played, and nothing differed, was missing or was unexpected. */
  ok: boolean;
  /** Whether the tape was played to its end. */
  finished: boolean;
  /** How many answers, messages and requests were compared. */
  compared: number;
  differences: ReplayDifference[];
  /**
   * Items on the tape that did not occur in this run: questions that were not asked or not answered, and messages and
   * requests that did not come.
   */
  missing: ReplayItem[];
  /** Items that occurred in this run but are not on the tape. */
  unexpected: ReplayItem[];
  /** Why the replay could not continue. */
  error?: Error;
}

/** The rules for what counts as a difference. */
export interface CompareOptions {
  /** Paths at which values may differ. In a string, `*` stands for anything, as in `result.content[*].text`. */
  ignore?: readonly (string | RegExp)[] | undefined;
  /** Returns true for a change that does not count. If it throws, the change counts. */
  isSame?: ((change: JsonChange, item: ReplayItem) => boolean) | undefined;
}

/** Makes a function that compares two values by the caller's rules. */
export function createComparison({
  ignore = [],
  isSame,
}: CompareOptions): (taped: unknown, live: unknown, item: ReplayItem) => JsonChange[] {
  const forms = ignore.map((each) => (typeof each === 'string' ? fitsPath(each) : fitsForm(each)));
  const isIgnored = (path: string): boolean => forms.some((fits) => fits(path));
  return (taped, live, item) =>
    diffJson(taped, live).filter((change) => {
      if (isIgnored(change.path)) return false;
      try {
        return isSame?.(change, item) !== true;
      } catch {
        return true;
      }
    });
}

/** Tells whether a path is the ignored one, or below it. */
function fitsPath(ignored: string): (path: string) => boolean {
  const forms = [ignored, `${ignored}.*`, `${ignored}[*`].map((form) => form.split('*'));
  return (path) => forms.some((pieces) => fitsPieces(pieces, path));
}

function fitsForm(form: RegExp): (path: string) => boolean {
  return (path) => {
    form.lastIndex = 0;
    return form.test(path);
  };
}
