// Presents a source to pages: as it is, or in read-only mode without the actions that are not allowed.
import { INBOARD_VERSION } from '@inboard/core/record/trace/trace-event.js';
import type { InspectedProgram, ServerState } from '../model/page-contract.js';
import type { SessionSummary } from '../model/session-summary.js';
import type { SessionSource } from '../sources/session-source.js';
import type { Question } from '../stream/question.js';

/** Presents sessions and questions to pages. */
export interface Presenter {
  state(): ServerState;
  summary(summary: SessionSummary): SessionSummary;
  question(question: Question): Question;
}

const NOTHING = { send: false, interrupt: false, setModel: false, setMode: false, rewind: false };

/** `program` gives what pages may know of the program behind the source at the moment. */
export function createPresenter(
  source: SessionSource,
  isReadOnly: boolean,
  program: () => InspectedProgram | undefined = () => undefined,
): Presenter {
  const summary = (one: SessionSummary): SessionSummary => (isReadOnly ? { ...one, can: NOTHING } : one);
  const question = (one: Question): Question => (isReadOnly ? { ...one, canAnswer: false } : one);
  return {
    summary,
    question,
    state: () => ({
      kind: source.kind,
      version: INBOARD_VERSION,
      isReadOnly,
      title: source.title,
      noToolsBecause: isReadOnly ? 'This inspector is read-only.' : source.noToolsBecause,
      sessions: source.sessions().map(summary),
      questions: source.questions().map(question),
      cluster: source.cluster?.(),
      hasAudit: source.hasAudit,
      program: program(),
    }),
  };
}
