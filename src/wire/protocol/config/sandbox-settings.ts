// Settings of the command sandbox.

/** What sandboxed commands may reach over the network. */
export type SandboxNetworkConfig = {
  allowedDomains?: string[];
  deniedDomains?: string[];
  /** Refuse domains that are not listed instead of asking. */
  strictAllowlist?: boolean;
  /** Only domains that managed settings allow count. */
  allowManagedDomainsOnly?: boolean;
  allowUnixSockets?: string[];
  allowAllUnixSockets?: boolean;
  allowLocalBinding?: boolean;
  allowMachLookup?: string[];
  httpProxyPort?: number;
  socksProxyPort?: number;
  tlsTerminate?: { caCertPath?: string; caKeyPath?: string };
  [key: string]: unknown;
};

/** What sandboxed commands may read and write. */
export type SandboxFilesystemConfig = {
  allowWrite?: string[];
  denyWrite?: string[];
  denyRead?: string[];
  allowRead?: string[];
  /** Only read paths that managed settings allow count. */
  allowManagedReadPathsOnly?: boolean;
  disabled?: boolean;
  [key: string]: unknown;
};

/** Which secrets sandboxed commands may use without seeing them. */
export type SandboxCredentialsConfig = {
  files?: Array<SandboxSecret & { path: string; maskDuplicates?: boolean }>;
  envVars?: Array<SandboxSecret & { name: string }>;
  allowPlaintextInject?: boolean;
  awsPairs?: Array<{ accessKeyIdVar: string; secretAccessKeyVar: string; sessionTokenVar?: string }>;
  sigv4?: {
    streaming?: 'deny' | 'passthrough';
    presigned?: 'deny' | 'passthrough';
    sigv4a?: 'deny' | 'passthrough';
  };
  [key: string]: unknown;
};

/** How a secret is protected from commands: not available, or masked until it is sent to the hosts it is meant for. */
type SandboxSecret = {
  mode: 'deny' | 'mask';
  extract?: string;
  onExtractNoMatch?: 'deny' | 'error' | 'warn';
  decode?: 'jwt';
  maskClaims?: string[];
  injectHosts?: string[];
};

/** By command, the violations not to report. */
export type SandboxIgnoreViolations = Record<string, string[]>;

/** How commands are sandboxed. Keys unknown here are passed on. */
export type SandboxSettings = {
  enabled?: boolean;
  /** Fail where no sandbox can be set up. Default true when `enabled` is set by option. */
  failIfUnavailable?: boolean;
  /** Do not ask before a sandboxed command runs. */
  autoAllowBashIfSandboxed?: boolean;
  /** Let a command that needs it run without the sandbox, after asking. */
  allowUnsandboxedCommands?: boolean;
  network?: SandboxNetworkConfig;
  filesystem?: SandboxFilesystemConfig;
  credentials?: SandboxCredentialsConfig;
  ignoreViolations?: SandboxIgnoreViolations;
  enableWeakerNestedSandbox?: boolean;
  allowNestedUserNamespaces?: boolean;
  enableWeakerNetworkIsolation?: boolean;
  allowAppleEvents?: boolean;
  /** Commands that always run without the sandbox. */
  excludedCommands?: string[];
  ripgrep?: { command: string; args?: string[] };
  bwrapPath?: string;
  socatPath?: string;
  [key: string]: unknown;
};
