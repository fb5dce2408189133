// The type through which a session knows the turns that it serves.

/** The turns of a session, one after the other. */
export interface SessionTurns {
  /**
   * The id of the turn that calls and questions belong to: the turn under way, otherwise the last one, because its background
   * tasks may go on.
   */
  turnId(): string;
  /** Called when calls begin, end, wait for a person or are held back, and when questions are asked or settled. */
  review(): void;
}
