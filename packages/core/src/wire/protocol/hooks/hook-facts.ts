// The facts about a hook event besides its types. `hook-events` has those of each event.

/** The type of a field in an answer. A list names the only values. */
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

/** A field that says no. The CLI has `action` for elicitations but does not read it: it reads a `decision`. */
export type BlockingField = 'decision' | 'continue' | 'behavior' | 'permissionDecision' | 'action';

/** What is known about an event, besides its types. */
export interface HookEventFacts {
  /** The first CLI that has the event. Default: all supported ones have it. */
  since?: string;
  /** What a matcher is compared with, if that is known. Hooks matched by nothing are called every time. */
  matchedBy?: 'tool name' | 'nothing';
  /** The fields that stop what the event is about; the first is the one we use. Default: nothing can be stopped. */
  blockedBy?: readonly BlockingField[];
  /** The failures that block even without `failClosed`. `unreadable` is for events that ask before something happens. */
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

/** The facts that fit the answer of the event. The compiler requires a kind for every field. */
export type FactsFor<Output> = HookEventFacts & {
  blockedBy?: readonly ('decision' | 'continue' | 'behavior' | keyof Output)[];
  accepts?: {
    [Field in Exclude<keyof Output, 'hookEventName'>]-?: KindOf<Exclude<Output[Field], undefined>>;
  };
} & (Output extends undefined ? unknown : { accepts: unknown });
