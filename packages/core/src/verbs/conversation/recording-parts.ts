// The parts of a conversation together with the records of its calls, which are made from the other parts. Types only.
import type { CallRecording } from './call-recording.js';
import type { Completion } from './completion/completion.js';
import type { ConversationParts } from './conversation-parts.js';
import type { OpenTurn } from './turns/turn.js';

export interface RecordingParts extends ConversationParts {
  recording: CallRecording;
  /** Called when calls of these turns were completed, before the next CLI is started. */
  onCompleted: (completed: Completion & { sessionId: string }, turns: readonly OpenTurn[]) => void;
}
