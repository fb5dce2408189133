// What a row of the control table says: the request behind a method, how its parameters become the request's
// fields, and what is made of the answer. The types hold each row to its method and to the protocol.
import type { RequestOptions } from '../../wire/channel/channel.js';
import type {
  ControlRequestFields,
  ControlRequestResponse,
  ControlRequestSubtype,
  McpSetServersResult,
  SDKControlInitializeResponse,
  SlashCommand,
} from '../../wire/protocol/control/control.js';
import type { McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import type { CliCapabilities, ControlOptions, Controls, UnlistedControls } from './controls.js';

/** What controls are sent to: a live CLI, or whatever has one. */
export interface ControlTarget {
  /** Must give up, leaving nothing behind, when the signal aborts. */
  request(request: { subtype: string }, options?: RequestOptions): Promise<unknown>;
  setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: RequestOptions,
  ): Promise<McpSetServersResult>;
  reinitialize(options?: RequestOptions): Promise<SDKControlInitializeResponse>;
  readonly initialized: Promise<SDKControlInitializeResponse>;
  readonly capabilities: { readonly known: CliCapabilities; has(name: string): boolean };
  /** The commands of the last `commands_changed`, if there was one. */
  readonly changedCommands: SlashCommand[] | undefined;
}

/** A row as the code that runs it sees it. */
export interface ControlRow {
  /** Omitted by methods that read the handshake's answer. */
  readonly subtype?: string;
  /** The oldest CLI version that knows the request. */
  readonly since?: string;
  /** The request's field for each parameter; the method's options follow them. */
  readonly parameters?: readonly string[];
  /** The request's field for each option of the method's own. */
  readonly options?: Readonly<Record<string, string>>;
  /** The capability that a CLI must name before an option is sent to it; others drop the option silently. */
  readonly needs?: Readonly<Record<string, string>>;
  /** The last word on the fields, for what does not come from the caller. */
  complete?(fields: object): object;
  /** What the method resolves with. Default: the answer. */
  reply?(answer: unknown): unknown;
  /** What the method resolves with when the CLI knows the request and refuses it. Default: it rejects. */
  readonly refused?: null;
  /** Takes the place of a request: reads the handshake's answer. */
  read?(reply: SDKControlInitializeResponse, target: ControlTarget, ...parameters: unknown[]): unknown;
  /** Takes the place of a request: the target does more than send it. */
  call?(
    target: ControlTarget,
    options: RequestOptions | undefined,
    ...parameters: unknown[]
  ): Promise<unknown>;
}

type AnyMethod = (...parameters: never[]) => Promise<unknown>;
type Given<Values extends unknown[]> = { [Index in keyof Values]-?: Exclude<Values[Index], undefined> };
type Result<Method extends AnyMethod> = Awaited<ReturnType<Method>>;

/** A method's parameters, and the object of options behind them if there is one. */
type Split<Method extends AnyMethod> =
  Given<Parameters<Method>> extends [...infer Leading, infer Last extends object]
    ? { leading: Leading; options: Omit<Last, keyof ControlOptions> }
    : { leading: Given<Parameters<Method>>; options: object };

/** The fields of a request that take such a value. */
type FieldFor<Fields, Value> = {
  [Field in keyof Fields]-?: [Value] extends [Fields[Field]] ? Field : never;
}[keyof Fields];

type ParameterNames<Fields, Leading> = Leading extends []
  ? { parameters?: undefined }
  : { parameters: { [Index in keyof Leading]: FieldFor<Fields, Leading[Index]> } };

type OptionNames<Fields, Options> = keyof Options extends never
  ? { options?: undefined; needs?: undefined }
  : {
      options: { [Option in keyof Options]-?: FieldFor<Fields, Exclude<Options[Option], undefined>> };
      needs?: { [Option in keyof Options]?: string };
    };

/** An answer may lack its content, whatever its type says. */
type ReplyReader<Answer, Value> = [Answer] extends [Value]
  ? { reply?: (answer: Answer | undefined) => Value }
  : { reply: (answer: Answer | undefined) => Value };

type RequestRow<Method extends AnyMethod, Subtype, Fields, Answer> = {
  subtype: Subtype;
  complete?: (fields: Fields) => Fields;
  refused?: Extract<Result<Method>, null>;
} & ParameterNames<Fields, Split<Method>['leading']> &
  OptionNames<Fields, Split<Method>['options']> &
  ReplyReader<Answer, Result<Method>>;

/** The names only say how many parameters there are. */
type LocalNames<Leading> = Leading extends []
  ? { parameters?: undefined }
  : { parameters: { [Index in keyof Leading]: string } };

/** Of a method that reads the handshake's answer. */
type ReadRow<Method extends AnyMethod> = LocalNames<Split<Method>['leading']> & {
  read: (
    reply: SDKControlInitializeResponse,
    target: ControlTarget,
    ...parameters: Extract<Split<Method>['leading'], unknown[]>
  ) => Result<Method>;
};

/** Of a method whose request the target itself makes. */
type CallRow<Method extends AnyMethod> = LocalNames<Split<Method>['leading']> & {
  subtype: ControlRequestSubtype;
  since: string;
  call: (
    target: ControlTarget,
    options: RequestOptions | undefined,
    ...parameters: Extract<Split<Method>['leading'], unknown[]>
  ) => ReturnType<Method>;
};

/** The row of a method in `Controls`. */
export type ListedRow<Method extends AnyMethod> =
  | {
      [Subtype in ControlRequestSubtype]: { since: string } & RequestRow<
        Method,
        Subtype,
        ControlRequestFields<Subtype>,
        ControlRequestResponse<Subtype>
      >;
    }[ControlRequestSubtype]
  | ReadRow<Method>
  | CallRow<Method>;

/** The row of a method in `UnlistedControls`: nobody promises its request or its answer. */
export type UnlistedRow<Name extends keyof UnlistedControls> = RequestRow<
  UnlistedControls[Name],
  string,
  Record<string, unknown>,
  Record<string, unknown>
>;

/** The methods of `Controls` that are rows: all but `request`, which takes any subtype. */
export type ListedName = Exclude<keyof Controls, 'request'>;
