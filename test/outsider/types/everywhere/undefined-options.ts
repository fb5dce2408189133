// Every optional field of what a program hands in takes `undefined`, so that `exactOptionalPropertyTypes` is no trouble.
import type * as Testing from 'inboard/testing';
import type * as Trace from 'inboard/trace';
import {
  createSdkMcpServer,
  createSessionGroup,
  createWarmPool,
  openSession,
  query,
  run,
  startup,
  tool,
  type AgentDefinition,
  type CallToolResult,
  type ForkSessionOptions,
  type HookCallbackMatcher,
  type HookJSONOutput,
  type ListSessionsOptions,
  type McpServerConfig,
  type Options,
  type PermissionResult,
  type SandboxSettings,
  type SessionStore,
  type Settings,
  type Transport,
  type UsageLedgerOptions,
} from 'inboard';

// Whether this project distinguishes a field that is missing from one that is undefined.
type IsExact = { a?: 1 | undefined } extends { a?: 1 } ? false : true;

/** The paths of optional fields that refuse `undefined`, three levels deep; optional methods are another matter. */
type Refusing<T, Depth extends 0[] = []> = Depth['length'] extends 3
  ? never
  : T extends ((...given: never) => unknown) | AbortController | SessionStore | Transport
    ? never
    : T extends readonly (infer Item)[]
      ? Refusing<Item, Depth>
      : T extends object
        ? {
            [K in keyof T & string]-?:
              | (object extends Pick<T, K> ? (undefined extends Required<T>[K] ? never : K) : never)
              | (string extends keyof T ? never : `${K}.${Refusing<Required<T>[K], [...Depth, 0]>}`);
          }[keyof T & string]
        : never;

type Optional<T> = { [K in keyof T as object extends Pick<T, K> ? K : never]: T[K] };
type InputOf<Call> = Call extends (input: infer Input, ...more: never) => unknown ? Input : never;

type HandedIn = {
  options: Optional<Options>;
  agent: AgentDefinition;
  callToolResult: CallToolResult;
  fork: ForkSessionOptions;
  list: ListSessionsOptions;
  matcher: HookCallbackMatcher;
  hookOutput: HookJSONOutput;
  permission: PermissionResult;
  sandbox: SandboxSettings;
  settings: Settings;
  usage: UsageLedgerOptions;
  mcpServer: Exclude<McpServerConfig, { type: 'sdk' }>;
  query: Omit<InputOf<typeof query>, 'prompt'>;
  run: Omit<InputOf<typeof run>, 'prompt'>;
  session: NonNullable<InputOf<typeof openSession>>;
  group: InputOf<typeof createSessionGroup>;
  pool: NonNullable<InputOf<typeof createWarmPool>>;
  startup: NonNullable<InputOf<typeof startup>>;
  server: Omit<InputOf<typeof createSdkMcpServer>, 'tools' | 'resources'>;
  fake: Testing.FakeCliOptions;
  model: Omit<Testing.ScriptedModelOptions, 'conversations' | 'onExhausted' | 'others'>;
  environment: Testing.IsolatedEnvironmentOptions;
  chaos: Testing.ChaosOptions;
  harness: Testing.ToolHarnessOptions;
  harnessCall: Testing.HarnessCallOptions;
  redact: Trace.RedactOptions;
  text: Trace.RenderTextOptions;
};

// Objects with behaviour of the caller's own, such as a sink of a trace, leave a method out instead.
type Method = `${string}.close`;
// Steps of a script are written by functions.
type Step = `${string}.script.${string}`;
type Found = Exclude<
  { [Name in keyof HandedIn]: `${Name}.${Refusing<HandedIn[Name]>}` }[keyof HandedIn],
  Method | Step
>;

// The compiler names what it finds: add `| undefined` to the type of each.
export const noneRefuses = (found: IsExact extends true ? Found : never): never => found;

export function openWithUndefined(cli: string | undefined, signal: AbortSignal | undefined): void {
  query({ prompt: 'x', options: { pathToClaudeCodeExecutable: cli, cwd: undefined, mcpServers: undefined } });
  openSession({ options: { model: undefined }, lazy: undefined }).send('x', { signal });
  tool({ name: 'a', description: undefined, timeoutMs: undefined, run: () => 'x' });
}
