export interface SceneFacts {
  scene: { asks?: boolean; hasResult?: boolean; kind?: string; effects?: number; mayBeUnknown?: boolean };
  outcomes: unknown[];
  effects: string[];
  rows: Record<string, { epoch: number; uuid?: string | null }[]>;
  rowsAtWake?: unknown;
  questions: string[];
  messages?: { role: string; content: unknown }[];
  pods: { lines: object[] }[];
  prompt: string;
  answer: string;
}
export function findBroken(facts: SceneFacts): { promise: string; what: string }[];
