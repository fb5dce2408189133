// What a session needs of the turns that are worked on with it.

/** The turns of a session, one after the other. */
export interface SessionTurns {
  /** The turn that calls and questions belong to: the one under way, else the last, whose background tasks may go on. */
  turnId(): string;
  /** Calls began or ended, wait for a person, or are held back; or questions were asked, or are over. */
  review(): void;
}
