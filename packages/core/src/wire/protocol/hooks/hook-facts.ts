// What can be known about a hook event besides its types; `hook-events.ts` says it of each.

/** What a field of an answer may hold; a list names the only values. */
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

/** A field that says no. `action` is what the CLI has for elicitations, and does not listen to: it takes a `decision`. */
export type BlockingField = 'decision' | 'continue' | 'behavior' | 'permissionDecision' | 'action';

/** What is known about an event, besides its types. */
export interface HookEventFacts {
  /** The first CLI that has the event; omitted, all supported ones have it. */
  since?: string;
  /** What a matcher is compared with, where that is known; hooks matched by nothing are called every time. */
  matchedBy?: 'tool name' | 'nothing';
  /** The fields that stop what the event is about, first the one we use; omitted where nothing can be stopped. */
  blockedBy?: readonly BlockingField[];
  /** The failures that block even without `failClosed`: `unreadable` where the event asks before something happens. */
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

/** The facts that fit what a hook of the event may answer; the compiler asks for a kind for every field. */
export type FactsFor<Output> = HookEventFacts & {
  blockedBy?: readonly ('decision' | 'continue' | 'behavior' | keyof Output)[];
  accepts?: {
    [Field in Exclude<keyof Output, 'hookEventName'>]-?: KindOf<Exclude<Output[Field], undefined>>;
  };
} & (Output extends undefined ? unknown : { accepts: unknown });
