// Settings of the command sandbox.

/** What sandboxed commands may reach over the network. */
export type SandboxNetworkConfig = {
  allowedDomains?: string[] | undefined;
  deniedDomains?: string[] | undefined;
  /** Refuses domains that are not listed instead of asking. */
  strictAllowlist?: boolean | undefined;
  /** Only domains that managed settings allow count. */
  allowManagedDomainsOnly?: boolean | undefined;
  allowUnixSockets?: string[] | undefined;
  allowAllUnixSockets?: boolean | undefined;
  allowLocalBinding?: boolean | undefined;
  allowMachLookup?: string[] | undefined;
  httpProxyPort?: number | undefined;
  socksProxyPort?: number | undefined;
  tlsTerminate?: { caCertPath?: string | undefined; caKeyPath?: string | undefined } | undefined;
  [key: string]: unknown;
};

/** What sandboxed commands may read and write. */
export type SandboxFilesystemConfig = {
  allowWrite?: string[] | undefined;
  denyWrite?: string[] | undefined;
  denyRead?: string[] | undefined;
  allowRead?: string[] | undefined;
  /** Only read paths that managed settings allow count. */
  allowManagedReadPathsOnly?: boolean | undefined;
  disabled?: boolean | undefined;
  [key: string]: unknown;
};

/** Which secrets sandboxed commands may use without seeing them. */
export type SandboxCredentialsConfig = {
  files?: Array<SandboxSecret & { path: string; maskDuplicates?: boolean | undefined }> | undefined;
  envVars?: Array<SandboxSecret & { name: string }> | undefined;
  allowPlaintextInject?: boolean | undefined;
  awsPairs?:
    | Array<{ accessKeyIdVar: string; secretAccessKeyVar: string; sessionTokenVar?: string | undefined }>
    | undefined;
  sigv4?:
    | {
        streaming?: 'deny' | 'passthrough' | undefined;
        presigned?: 'deny' | 'passthrough' | undefined;
        sigv4a?: 'deny' | 'passthrough' | undefined;
      }
    | undefined;
  [key: string]: unknown;
};

/** How a secret is protected from commands: not available, or masked until it is sent to the hosts it is meant for. */
export type SandboxSecret = {
  mode: 'deny' | 'mask';
  extract?: string | undefined;
  onExtractNoMatch?: 'deny' | 'error' | 'warn' | undefined;
  decode?: 'jwt' | undefined;
  maskClaims?: string[] | undefined;
  injectHosts?: string[] | undefined;
};

/** By command, the violations not to report. */
export type SandboxIgnoreViolations = Record<string, string[]>;

/** How commands are sandboxed. Keys unknown here are passed on. */
export type SandboxSettings = {
  enabled?: boolean | undefined;
  /** Fails where no sandbox can be set up. Default true when `enabled` is set by option. */
  failIfUnavailable?: boolean | undefined;
  /** Does not ask before a sandboxed command runs. */
  autoAllowBashIfSandboxed?: boolean | undefined;
  /** Lets a command that needs it run without the sandbox, after asking. */
  allowUnsandboxedCommands?: boolean | undefined;
  network?: SandboxNetworkConfig | undefined;
  filesystem?: SandboxFilesystemConfig | undefined;
  credentials?: SandboxCredentialsConfig | undefined;
  ignoreViolations?: SandboxIgnoreViolations | undefined;
  enableWeakerNestedSandbox?: boolean | undefined;
  allowNestedUserNamespaces?: boolean | undefined;
  enableWeakerNetworkIsolation?: boolean | undefined;
  allowAppleEvents?: boolean | undefined;
  /** Commands that always run without the sandbox. */
  excludedCommands?: string[] | undefined;
  ripgrep?: { command: string; args?: string[] | undefined } | undefined;
  bwrapPath?: string | undefined;
  socatPath?: string | undefined;
  [key: string]: unknown;
};
