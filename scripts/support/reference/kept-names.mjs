// Why each of our own names is in `inboard` itself and in no other entry point. docs/surface.md is made from it; a name without a reason
// fails there. What programs seldom name belongs to `inboard/types`.

/** A group of names, with the reason that they share. */
const group = (because, names) => ({ because, names: names.trim().split(/\s+/) });

export const KEPT_NAMES = [
  group(
    'starts a run, a session or many, or reads what came of it',
    'run openSession createSessionGroup createWarmPool outcomeOf createOutputReader UsageLedger getTranscriptState',
  ),
  group(
    'makes a tool, its result, a prompt or a resource, or says what is wrong with one',
    'toolName audio errorResult image resource pending mcpPrompt mcpResource toolHook diagnoseTool',
  ),
  group(
    'asks people, and answers for them',
    'allow deny answerQuestions answerPermission replayPermissions createApprovals createCalls',
  ),
  group(
    'keeps, finds or deletes what outlives a process',
    `createMemoryApprovalStore createFileApprovalStore createMemoryCallRecords createFileCallRecords findSessionData deleteSessionData`,
  ),
  group('tells messages apart', 'isAssistantMessage isResultMessage isSystemInit isUserMessage'),
  group(
    'a class of errors, for `instanceof`',
    `CallError ClaimError ControlRequestError ControlTimeoutError ExecutableNotFoundError HandshakeError HookError InboardError
     IncompleteRunError InvalidOptionsError LaunchError MessageIgnoredError OutputValidationError PartLoadError
     PermissionUnavailableError ProcessExitError ReplayError ResultError RunError SchemaError SessionClosedError SessionNotFoundError
     SessionStoreError StalledError StoredFormatError ToolResultError ToolServerNotFoundError ToolsNotReadyError ToolTimeoutError
     TraceError TurnLostError UnsupportedOptionError WireError`,
  ),
  group(
    'what a function of this entry point takes or returns',
    `QueryInput QueryOptions RunInput RunOutcome StartupInput OpenSessionInput Session SendOptions SessionEvent SessionState Turn TurnState
     MessageInput UserContent RestartPolicy SessionGroup SessionGroupInput GroupSessionInput WarmPool WarmPoolInput Outcome OutcomeKind
     TextStream CompletedCall Prompt Controls ToolReport ToolDiagnosis SdkMcpServer DefinedTool ToolServer OutputReader OutputReading
     UsageReport TurnUsage UsageLedgerOptions PriceTable SessionData TranscriptState Approvals ApprovalsOptions Calls PendingCall
     PendingResult PendingPermission`,
  ),
  group(
    'what a handler, a callback or a store of a program gets or returns',
    `HandlerExtra PromptContext ResourceContext ToolClient CallToolResult ToolContent ToolHookInput ToolEvent SessionToolEvent ToolProgress
     AroundTool AroundToolCall Approval ApprovalAnswer ApprovalQuestion ApprovalStore CallRecords CallFact CallClaim HookFailure
     InboardWarning WireListener TraceSink TransportFactory ProcessSpawner CanUseToolOptions HookCallbackOptions McpServerInstance`,
  ),
  group(
    'the value of an option, or of a field of one',
    `ToolOptions ToolExtras ToolAnnotations ToolLimits RepeatPolicy RetryPolicy TraceOption TraceOptions RedactOptions WhenHostDies
     AnySchema InferInput InferOutput`,
  ),
  group(
    'a message, a block or a reply that programs read or write',
    `ApiMessage MessageParam ContentBlock ContentBlockParam TextBlock ThinkingBlock ToolUseBlock TextBlockParam ImageBlockParam
     ToolResultBlockParam ContentBlockDelta RawMessageStreamEvent StopReason Usage TaskUsage BackgroundTask FileSuggestion SettingsProblem Uuid`,
  ),
  group(
    'a word of the CLI’s protocol, by which programs for the official SDK may know it',
    `InitializeRequest InitializeResponse ControlErrorResponse ControlResponse StdinMessage StdoutMessage FlagSettingsPatch HookInputMap
     HookSpecificOutput ContextHookSpecificOutput PermissionDecisionReasonType`,
  ),
];

/** Names that sound alike. They stay, each for what it says. */
export const NAMES_THAT_STAY = [
  {
    names: ['startup', 'prewarm', 'createWarmPool'],
    because:
      'the first two are official: `startup` prepares a CLI for one query with options that are known, `prewarm` one that claims its session later. `createWarmPool` keeps several of what `startup` gives',
  },
  {
    names: ['toolContext'],
    because: 'the option of a query and the export of a tools file: what handlers find as `extra.context`',
  },
  {
    names: ['interrupted'],
    because:
      '`options` has what a CLI is started with, also by `query`, such as the official `resume`. What a conversation does across its CLIs stands beside it: `interrupted`, `restart`, `suspendAfterMs`',
  },
  {
    names: ['holdFence'],
    because: 'it takes the `Fence` of a lease, and holds it for the length of a transaction',
  },
];
