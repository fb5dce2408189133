// Questions to a person and the possible answers, as plain data. Types only.

/** A path into a value, from outside in. */
export type ValuePath = readonly (string | number)[];

/**
 * `permission`: a tool wants to run. `ask-user`: the model asks (the tool AskUserQuestion). `elicitation`: an MCP server asks.
 * `dialog`: the CLI asks. `held`: a tool's own handler waits. `pending`: a tool's handler has ended, and its result comes later.
 */
export type PersonQuestionKind = 'permission' | 'ask-user' | 'elicitation' | 'dialog' | 'held' | 'pending';

/** A question that waits, or waited. */
export interface Question {
  id: string;
  session: string;
  kind: PersonQuestionKind;
  /** The tool, the server, or the kind of dialog. */
  subject: string;
  /** The title that the question has, else a sentence made from its kind. */
  title: string;
  description?: string | undefined;
  /** The input, with secrets replaced. */
  input: Record<string, unknown>;
  /** The places of hidden values in `input`. */
  hidden: readonly ValuePath[];
  /** JSON Schema of the input, or of the values that are asked for. */
  schema?: Record<string, unknown> | undefined;
  /** The permissions that "always" would add, each as a sentence. */
  suggestions: readonly string[];
  /** Milliseconds since 1970. */
  askedAt: number;
  /** From 1. A higher number means that it was asked again after a restart. */
  attempt: number;
  toolUseId?: string | undefined;
  /** The key of a pending call, by which any process can complete it. */
  callKey?: string | undefined;
  /** The subagent that asks. */
  agentId?: string | undefined;
  /** Why the CLI asks. */
  reason?: string | undefined;
  /** The path outside the allowed folders that led to the question. */
  blockedPath?: string | undefined;
  /** Whether the page may answer: not in read-only mode, and not where only the program can. */
  canAnswer: boolean;
}

/** One change to the input. */
export type InputEdit = { path: ValuePath; value: unknown } | { path: ValuePath; remove: true };

/**
 * The decision of a person. Values that were not edited, including hidden ones, stay as they are. By kind of question:
 * `permission` and `held` take `allow` and `deny`; `ask-user` takes `submit`, whose content has one text for each question
 * (several labels joined by ", "), and `deny`; `elicitation` and `dialog` take `submit` (the values, the dialog's result)
 * and `decline`, and an elicitation that only asks to visit an address takes `allow`; `pending` takes `complete` (the value that
 * the handler would have returned) and `fail`.
 */
export type Decision =
  | { kind: 'allow'; edits?: readonly InputEdit[] | undefined; remember?: readonly number[] | undefined }
  | { kind: 'deny'; message: string; interrupt?: boolean | undefined }
  | { kind: 'submit'; content: Record<string, unknown> }
  | { kind: 'decline' }
  | { kind: 'complete'; value: unknown }
  | { kind: 'fail'; message: string };
