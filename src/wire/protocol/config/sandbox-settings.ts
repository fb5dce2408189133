// Settings of the command sandbox.

/** What sandboxed commands may reach over the network. */
export type SandboxNetworkConfig = {
  allowedDomains?: string[];
  deniedDomains?: string[];
  /** Refuse what is not listed instead of asking. */
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

/** How one secret is kept from commands: out of reach, or masked until it leaves for the hosts it is meant for. */
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

/** How commands are confined. Keys unknown here are passed on. */
export type SandboxSettings = {
  enabled?: boolean;
  /** End with an error where no sandbox can be set up. Default true when `enabled` is set by option. */
  failIfUnavailable?: boolean;
  /** Do not ask before running a command that is confined. */
  autoAllowBashIfSandboxed?: boolean;
  /** Let a command that needs it run unconfined, after asking. */
  allowUnsandboxedCommands?: boolean;
  network?: SandboxNetworkConfig;
  filesystem?: SandboxFilesystemConfig;
  credentials?: SandboxCredentialsConfig;
  ignoreViolations?: SandboxIgnoreViolations;
  enableWeakerNestedSandbox?: boolean;
  allowNestedUserNamespaces?: boolean;
  enableWeakerNetworkIsolation?: boolean;
  allowAppleEvents?: boolean;
  /** Commands that always run unconfined. */
  excludedCommands?: string[];
  ripgrep?: { command: string; args?: string[] };
  bwrapPath?: string;
  socatPath?: string;
  [key: string]: unknown;
};
