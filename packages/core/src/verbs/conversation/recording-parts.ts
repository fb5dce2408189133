// The parts of a conversation, with the records of its calls added: those are made from the other parts. Types only.
import type { CallRecording } from './call-recording.js';
import type { Completion } from './completion/call-completion.js';
import type { ConversationParts } from './conversation-parts.js';
import type { OpenTurn } from './turns/turn.js';

export interface RecordingParts extends ConversationParts {
  recording: CallRecording;
  /** Calls of these turns were completed, and their CLI is not started yet. */
  onCompleted: (completed: Completion & { sessionId: string }, turns: readonly OpenTurn[]) => void;
}
