// The type of the facts about a hook event. `hook-events` has the facts of each event.

/** The type of a field in an answer. A list of texts names all values that are allowed. */
export type AnswerFieldKind =
  | 'anything'
  | 'boolean'
  | 'list'
  | 'number'
  | 'object'
  | 'permission decision'
  | 'string'
  | 'strings'
  | readonly string[];

/** A field by which an answer blocks. Answers to elicitations have `action`, but the CLI reads their `decision` instead. */
export type BlockingField = 'decision' | 'continue' | 'behavior' | 'permissionDecision' | 'action';

/** What is known about an event, besides its types. */
export interface HookEventFacts {
  /** The first CLI that has the event. Default: all supported ones have it. */
  since?: string;
  /** What a matcher is compared with, if that is known. With `nothing`, hooks are called every time. */
  matchedBy?: 'tool name' | 'nothing';
  /** The fields that block. Inboard writes the first of them. Default: the event cannot be blocked. */
  blockedBy?: readonly BlockingField[];
  /**
   * The failures that block even if the matcher of the hook does not set `failClosed`. `late`: the hook did not answer in
   * time. `unreadable`: its answer is not valid, which blocks only in events before an action.
   */
  failsClosed?: readonly ('late' | 'unreadable')[];
  /** The fields of `hookSpecificOutput`, besides the event's name. */
  accepts?: Readonly<Record<string, AnswerFieldKind>>;
}

type KindOf<Value> = unknown extends Value
  ? 'anything'
  : [Value] extends [string]
    ? string extends Value
      ? 'string'
      : readonly Value[]
    : [Value] extends [boolean]
      ? 'boolean'
      : [Value] extends [readonly string[]]
        ? 'strings'
        : [Value] extends [{ behavior: string }]
          ? 'permission decision'
          : 'object';

/** The facts of an event with this answer. The compiler requires a kind for every field of the answer. */
export type FactsFor<Output> = HookEventFacts & {
  blockedBy?: readonly ('decision' | 'continue' | 'behavior' | keyof Output)[];
  accepts?: {
    [Field in Exclude<keyof Output, 'hookEventName'>]-?: KindOf<Exclude<Output[Field], undefined>>;
  };
} & (Output extends undefined ? unknown : { accepts: unknown });
