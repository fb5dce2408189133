export type SceneRows = Record<string, { epoch: number; uuid?: string | null; fact?: string }[]>;
export interface SceneFacts {
  scene: {
    asks?: boolean;
    hasResult?: boolean;
    kind?: string;
    effects?: number;
    mayBeUnknown?: boolean;
    isUnknown?: boolean;
  };
  outcomes: unknown[];
  effects: string[];
  /** Before the turn that is sent last. */
  rows: SceneRows;
  rowsAtWake?: unknown;
  rowsAfter?: SceneRows;
  questions: string[];
  /** For each answer, whether it was said to be taken. Undefined where nobody could know. */
  taken?: (boolean | undefined)[];
  /** Whether the pods say which messages they were told. */
  tellsMessages?: boolean;
  messages?: { role: string; content: unknown }[];
  pods: { lines: object[] }[];
  prompt: string;
  answer: string;
}
export function findBroken(facts: SceneFacts): { promise: string; what: string }[];
