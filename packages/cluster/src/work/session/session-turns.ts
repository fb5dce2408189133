// What a session needs to know about the turns that it serves.

/** The turns of a session, one after the other. */
export interface SessionTurns {
  /**
   * The turn that calls and questions belong to: the one under way, otherwise the last one, whose background tasks may go on.
   */
  turnId(): string;
  /** Called when calls begin, end, wait for a person or are held back, and when questions are asked or settled. */
  review(): void;
}
