// What names of this package were called, and where they were, before the first publication. `inboard migrate` finds them in programs that
// used a clone, and docs/surface.md lists them.

/** A name that another has replaced. A member is a property of something that the package hands out or takes. */
export interface RenamedName {
  kind: 'export' | 'member' | 'value';
  /** The entry point of an export. Of a member or a value: what it belongs to. */
  of: string;
  from: string;
  to: string;
  because: string;
}

/** Exports that another entry point has now. */
export interface MovedNames {
  from: string;
  to: string;
  because: string;
  names: readonly string[];
}

const COST = '`costUsd` was the cost of a turn, of a session or of a conversation, depending on the object';
const READER = 'one reader of structured output, compiled once, in place of three functions';

const STEPS =
  'the fake CLI and the scripted model play one vocabulary; calls of one message are joined by `reply`, and a step without a call ends its turn';

/** All renames, in the order of the page. */
export const RENAMED_NAMES: readonly RenamedName[] = [
  {
    kind: 'export',
    of: 'inboard',
    from: 'ToolContext',
    to: 'HandlerExtra',
    because: 'it is the second argument of a handler; the option `toolContext` fills its `context`',
  },
  {
    kind: 'export',
    of: 'inboard',
    from: 'outputFormatOf',
    to: 'createOutputReader(schema).outputFormat',
    because: READER,
  },
  {
    kind: 'export',
    of: 'inboard',
    from: 'readStructuredOutput',
    to: 'createOutputReader(schema).read(result)',
    because: READER,
  },
  {
    kind: 'export',
    of: 'inboard',
    from: 'transcriptState',
    to: 'getTranscriptState(sessionId, { sessionStore })',
    because: 'both told the same, one of a session and one of its entries',
  },
  {
    kind: 'export',
    of: 'inboard/cluster',
    from: 'clusterCall',
    to: 'getClusterCall',
    because: 'it returns a `ClusterCall`; functions begin with a verb, as `holdFence` does',
  },
  {
    kind: 'member',
    of: "a handler's second argument",
    from: 'waitFor',
    to: 'waitForPerson',
    because: 'it says for whom, and test libraries have another `waitFor`',
  },
  {
    kind: 'member',
    of: 'outcomes, usage reports (but not the shares of models in their `byModel`), threshold notices, UI metadata, trajectories, and records of a cluster',
    from: 'costUsd',
    to: 'turnCostUsd or totalCostUsd',
    because: COST,
  },
  {
    kind: 'value',
    of: '`onRepeat` of a tool',
    from: 'remembered',
    to: 'recorded',
    because: 'the word of call records',
  },
  { kind: 'export', of: 'inboard/testing', from: 'say', to: 'text', because: STEPS },
  { kind: 'export', of: 'inboard/testing', from: 'think', to: 'thinking', because: STEPS },
  { kind: 'export', of: 'inboard/testing', from: 'useTool', to: 'toolUse', because: STEPS },
  { kind: 'export', of: 'inboard/testing', from: 'useTools', to: 'reply', because: STEPS },
];

/** All moves. */
export const MOVED_NAMES: readonly MovedNames[] = [
  {
    from: 'inboard',
    to: 'inboard/types',
    because: "the blocks, deltas and usage of the model's API: an editor follows a message to them",
    names:
      'ApiDetail CacheControl ContentBlockDeltaEvent ContentBlockStartEvent ContentBlockStopEvent DocumentBlockParam DocumentSource ImageMediaType ImageSource McpToolUseBlock MessageDeltaEvent MessageStartEvent MessageStopEvent OtherBlock OwnBlockDelta OwnBlockParam OwnContentBlock OwnMessage OwnMessageParam OwnStreamEvent OwnUsage PastBlockParam RedactedThinkingBlock SearchResultBlockParam ServerToolResultBlock ServerToolResultParam ServerToolUseBlock ServerToolUseBlockParam ToolResultContent ToolUseBlockParam'.split(
        ' ',
      ),
  },
  {
    from: 'inboard',
    to: 'inboard/types',
    because: 'frames of the control protocol and of JSON-RPC, which a program does not write',
    names:
      'Acknowledged CanUseToolRequest ClaimSessionRequest ControlRequestFields ControlRequestMap ControlRequestResponse ControlRequestSubtype ElicitationWireRequest HookCallbackRequest HookMatcherRegistration HookRegistrations InboundRequest InboundRequestMap InboundRequestSubtype JSONRPCErrorResponse JSONRPCId JSONRPCMessage JSONRPCNotification JSONRPCRequest JSONRPCResponse JSONRPCResultResponse PendingRequests PlanLimit SDKControlClaimSessionResponse TranscriptMirrorFrame'.split(
        ' ',
      ),
  },
  {
    from: 'inboard',
    to: 'inboard/types',
    because: 'shared parts of messages, hook inputs and settings',
    names:
      'ExtraUsage HookEventInput HookModelSwitch HookTaskFacts HookToolCall HookTurnEnd HookWarning McpRemoteServerConfig OpenString SDKHookOutput SDKHookRun SDKMessageEnvelope SDKResultTotals SDKSessionTotals SDKSystemEnvelope SandboxSecret SettingsHookMatcher SettingsLayer'.split(
        ' ',
      ),
  },
  {
    from: 'inboard',
    to: 'inboard/types',
    because: 'parts of tools, prompts, resources and servers, which their functions infer',
    names:
      'AllowOptions AudioContent BinaryData CallIdentity CompleteToolDefinition CompleteToolKeys Completer Completers CompletionContext CreateSdkMcpServerOptions DefinePrompt DefineResource DefineTool EmbeddedResource FilledPrompt GetPromptResult ImageContent InlineTool JsonSchema ListedResource LogLevel McpRequestContext McpTransport PendingOptions PlainPrompt PlainTool PromptDefinition PromptExtras PromptItem PromptMessage PromptStream ReadResource ReadResourceResult ReaderOf RegisteredPromptConfig RegisteredResource RegisteredTool RegisteredToolConfig ResourceContents ResourceDefinition ResourceExtras ResourceLink ResourceMetadata ResourceTemplateExtras ResultParser ServerNotification ServerReport ServerRequest ServerRequestOptions StructuredReturn TextContent ToolCause ToolCauseKind ToolChanges ToolEventBody ToolEventSource ToolFacts ToolHandling ToolHookEvent ToolLists ToolLoading ToolName ToolReference ToolServerToolPart ToolWarning TypedSchema UriTemplate UriVariables UriVariablesOf'.split(
        ' ',
      ),
  },
  {
    from: 'inboard',
    to: 'inboard/types',
    because: 'parts of approvals, call records and pending calls',
    names:
      'ApprovalContext ApprovalPlace ApprovalRequest AskedPermission CallsOptions CompactCallRecordsOptions CompleteOptions CompletionKind FileApprovalStoreOptions FileCallRecords FileCallRecordsOptions HeldClaim MemoryCallRecordsOptions PendingChange PendingOutput PermissionLookup RecordedCall RecordedDecision RecordedQuestion RecordedResult WatchCallsOptions'.split(
        ' ',
      ),
  },
  {
    from: 'inboard',
    to: 'inboard/types',
    because: 'what is found and deleted of a session, in parts',
    names:
      'DeleteSessionDataOptions DeletedSessionData FindSessionDataOptions KeptReason KeptSessionData OpenToolCall SessionChoice SessionDataFilter SessionDataItem SessionDataKind SessionDataProblem SessionStorePlace'.split(
        ' ',
      ),
  },
  {
    from: 'inboard',
    to: 'inboard/types',
    because: 'details of errors and warnings: a program asks for `code`',
    names:
      'CallFault ClaimRefusal ErrorFacts ErrorPhase HookFault LaunchFailure LoadFault OptionWarningCode OtherFailure OutputIssue RunFailure SessionWarningCode TraceFault WireFault'.split(
        ' ',
      ),
  },
  {
    from: 'inboard',
    to: 'inboard/types',
    because: 'parts of reports, events, sessions and transports, which are inferred',
    names:
      'AsyncReader CliCapabilities ControlOptions CrashedEvent LooseReply ModelPrice ModelShare OpenTurnUsage OutputOf ReadyOptions Resend RestartedEvent RestoredFiles Runtime SessionGroupStats TerminateOptions TextStreamOptions ThinkingDisplayChange ThresholdNotice TransportEnd TransportReceiver TransportRequest UnlistedControls UsageCount UsageDisagreement WarmPoolStats'.split(
        ' ',
      ),
  },
  {
    from: 'inboard/core',
    to: 'inboard',
    because: '`inboard/core` is the counterpart of the official `/core`, and has official names only',
    names:
      'CallError ClaimError ControlRequestError ControlTimeoutError ExecutableNotFoundError HandshakeError HookError InboardError IncompleteRunError InvalidOptionsError LaunchError MessageIgnoredError OutputValidationError PartLoadError PermissionUnavailableError ProcessExitError ReplayError ResultError RunError SchemaError SessionClosedError SessionNotFoundError SessionStoreError StalledError StoredFormatError ToolResultError ToolServerNotFoundError ToolTimeoutError ToolsNotReadyError TraceError TurnLostError UnsupportedOptionError UsageLedger WireError allow answerPermission answerQuestions audio createOutputReader createSessionGroup createWarmPool deny errorResult image isAssistantMessage isResultMessage isSystemInit isUserMessage openSession outcomeOf pending replayPermissions resource run toolName'.split(
        ' ',
      ),
  },
];
