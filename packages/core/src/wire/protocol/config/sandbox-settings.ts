// Settings of the command sandbox.

/** What sandboxed commands may reach over the network. */
export type SandboxNetworkConfig = {
  allowedDomains?: string[] | undefined;
  deniedDomains?: string[] | undefined;
  /** Whether domains that are not listed are refused without asking. */
  strictAllowlist?: boolean | undefined;
  /** Whether only the domains that managed settings allow are allowed. */
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
  /** Whether only the read paths that managed settings allow are allowed. */
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

/** How a secret is protected from commands. It is not available, or masked until it is sent to one of `injectHosts`. */
export type SandboxSecret = {
  mode: 'deny' | 'mask';
  extract?: string | undefined;
  onExtractNoMatch?: 'deny' | 'error' | 'warn' | undefined;
  decode?: 'jwt' | undefined;
  maskClaims?: string[] | undefined;
  injectHosts?: string[] | undefined;
};

/** The violations that are not reported, by command. */
export type SandboxIgnoreViolations = Record<string, string[]>;

/** How commands are sandboxed. Keys that are not listed here are passed on. */
export type SandboxSettings = {
  enabled?: boolean | undefined;
  /** Whether the CLI fails if no sandbox can be set up. Default: true if the option `sandbox` sets `enabled`. */
  failIfUnavailable?: boolean | undefined;
  /** Whether sandboxed commands run without asking. */
  autoAllowBashIfSandboxed?: boolean | undefined;
  /** Whether a command that cannot run in the sandbox may run without it, after asking. */
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
