// The strictest permissions and the strictest sandbox, as data. They replace values of a policy that cannot be read.
// The switches among them are also those that a policy of the host program may set.

/** Permissions at their strictest. */
export const STRICT_PERMISSIONS: Readonly<Record<string, unknown>> = {
  disableBypassPermissionsMode: 'disable',
  disableAutoMode: 'disable',
  blockReadsOutsideWorkingDirectories: true,
  blockWritesOutsideWorkingDirectories: true,
  denyInsteadOfPrompting: true,
};

/** A sandbox at its strictest. It does not say whether there is a sandbox at all. */
export const STRICT_SANDBOX = {
  autoAllowBashIfSandboxed: false,
  allowUnsandboxedCommands: false,
  enableWeakerNestedSandbox: false,
  enableWeakerNetworkIsolation: false,
  allowAppleEvents: false,
  allowNestedUserNamespaces: false,
  network: {
    allowManagedDomainsOnly: true,
    strictAllowlist: true,
    allowAllUnixSockets: false,
    allowLocalBinding: false,
  },
  filesystem: { allowManagedReadPathsOnly: true, disabled: false },
  credentials: {
    allowPlaintextInject: false,
    sigv4: { streaming: 'deny', presigned: 'deny', sigv4a: 'deny' },
  },
} as const satisfies Record<string, unknown>;
