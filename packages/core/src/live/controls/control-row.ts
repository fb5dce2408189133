// Defines a row of the control table: the request behind a method, the fields for its parameters, and how the answer becomes
// the result. The types check each row against its method and the protocol.
import type { RequestOptions } from '../../wire/channel/channel.js';
import type {
  ControlRequestFields,
  ControlRequestResponse,
  ControlRequestSubtype,
} from '../../wire/protocol/control/control.js';
import type { ControlOptions, LooseReply } from './controls.js';
import type { ControlTarget } from './control-target.js';

/** A row as the code that carries it out sees it. */
export interface ControlRow {
  /** The name of the request. Missing if the method sends nothing. */
  readonly subtype?: string;
  /** The oldest CLI version that knows the request. */
  readonly since?: string;
  /** Whether the answer may wait for a person, a model, a tool or the network. */
  readonly takesLong?: true;
  /** The request's field for each parameter. The method's options follow the parameters. */
  readonly fields?: readonly string[];
  /** The request's field for each option that only this method has. */
  readonly options?: Readonly<Record<string, string>>;
  /**
   * The capability that the CLI must name before an option is sent. A CLI without the capability drops the option
   * silently.
   */
  readonly needs?: Readonly<Record<string, string>>;
  /** Sets the fields that do not come from the caller. */
  complete?(fields: object): object;
  /** Makes the method's result from the answer. By default the result is the answer. */
  reply?(answer: unknown): unknown;
  /** The method's result if the CLI knows the request and refuses it. By default the method rejects. */
  readonly refused?: null;
  /** Replaces the single request, for a method that does something else. */
  call?(
    target: ControlTarget,
    options: RequestOptions | undefined,
    ...parameters: unknown[]
  ): Promise<unknown>;
}

type Method = (...given: never[]) => Promise<unknown>;

type Result<M extends Method> = Awaited<ReturnType<M>>;

/** A method's parameters, and those of its options that only this method has. */
type Split<M extends Method> =
  Required<Parameters<M>> extends [...infer Given, infer Options extends object]
    ? { given: Given; options: Required<Omit<Options, keyof ControlOptions>> }
    : { given: Required<Parameters<M>>; options: object };

/** The fields of a request that accept this type of value. */
type FieldFor<Fields, Value> = {
  [Name in keyof Fields]-?: [Value] extends [Fields[Name]] ? Name : never;
}[keyof Fields];

/** A part of a row. It may be left out if `Type` fits `Enough`. */
type Part<Type, Enough, Shape> = [Type] extends [Enough] ? Partial<Shape> : Shape;

/** The row of a method that sends one request. `reply` must also handle an answer without content, whatever its type says. */
type RequestRow<
  M extends Method,
  Subtype,
  Fields,
  Answer,
  Given extends unknown[] = Split<M>['given'],
  Options = Split<M>['options'],
> = {
  subtype: Subtype;
  takesLong?: true;
  needs?: { [Name in keyof Options]?: string };
  complete?: (fields: Fields) => Fields;
  refused?: Extract<Result<M>, null>;
} & Part<Given, [], { fields: { [Index in keyof Given]: FieldFor<Fields, Given[Index]> } }> &
  Part<keyof Options, never, { options: { [Name in keyof Options]: FieldFor<Fields, Options[Name]> } }> &
  Part<Answer, Result<M>, { reply: (answer: Answer | undefined) => Result<M> }>;

/** The row of any other method. Its `fields` only name the parameters. */
type OtherRow<M extends Method, Given extends unknown[] = Split<M>['given']> = {
  subtype?: ControlRequestSubtype;
  since?: string;
  takesLong?: true;
  call: (target: ControlTarget, options: RequestOptions | undefined, ...given: Given) => ReturnType<M>;
} & Part<Given, [], { fields: { [Index in keyof Given]: string } }>;

/** The row of a method in `Controls`. */
export type ListedRow<M extends Method> =
  | OtherRow<M>
  | {
      [S in ControlRequestSubtype]: RequestRow<M, S, ControlRequestFields<S>, ControlRequestResponse<S>> & {
        since: string;
      };
    }[ControlRequestSubtype];

/**
 * The row of a method in `UnlistedControls`. The official types describe neither the fields of its request nor those
 * of its answer.
 */
export type UnlistedRow<M extends Method> = RequestRow<M, string, LooseReply, LooseReply>;
