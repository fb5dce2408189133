// Questions to a person as plain data, and what may be answered. Types only.

/** A path into a value, from outside in. */
export type ValuePath = readonly (string | number)[];

/**
 * `permission`: a tool wants to run. `ask-user`: the model asks (the tool AskUserQuestion). `elicitation`: an MCP server asks.
 * `dialog`: the CLI asks. `held`: a tool's own handler waits.
 */
export type QuestionKind = 'permission' | 'ask-user' | 'elicitation' | 'dialog' | 'held';

/** A question that waits, or waited. */
export interface Question {
  id: string;
  session: string;
  kind: QuestionKind;
  /** The tool, the server, or the kind of dialog. */
  subject: string;
  /** What the asker calls it, else a sentence made from its kind. */
  title: string;
  description?: string | undefined;
  /** With hidden values in place of secrets. */
  input: Record<string, unknown>;
  /** Where in `input` something is hidden. */
  hidden: readonly ValuePath[];
  /** JSON Schema of the input, or of the values that are asked for. */
  schema?: Record<string, unknown> | undefined;
  /** What "always" would remember, a sentence each. */
  suggestions: readonly string[];
  /** Milliseconds since the epoch. */
  askedAt: number;
  /** From 1; above it, it was asked before a restart. */
  attempt: number;
  toolUseId?: string | undefined;
  /** The subagent that asks. */
  agentId?: string | undefined;
  /** Why the CLI asks at all. */
  reason?: string | undefined;
  /** The path outside the allowed folders that led to the question. */
  blockedPath?: string | undefined;
  /** Whether the page may answer: not in read-only mode, and not where only the program can. */
  canAnswer: boolean;
}

/** One change to the input. */
export type InputEdit = { path: ValuePath; value: unknown } | { path: ValuePath; remove: true };

/**
 * What a person decides. Values that were not edited, hidden ones among them, stay what they are. By kind of question:
 * `permission` and `held` take `allow` and `deny`; `ask-user` takes `submit`, whose content has one text for each question
 * (several labels joined by ", "), and `deny`; `elicitation` and `dialog` take `submit` (the values, the dialog's result)
 * and `decline`, and an elicitation that only sends one to an address takes `allow`.
 */
export type Decision =
  | { kind: 'allow'; edits?: readonly InputEdit[] | undefined; remember?: readonly number[] | undefined }
  | { kind: 'deny'; message: string; interrupt?: boolean | undefined }
  | { kind: 'submit'; content: Record<string, unknown> }
  | { kind: 'decline' };
