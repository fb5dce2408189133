// Advice about errors of the inspector, of editors and of servers for health.
import type { Advice } from './advice.js';

export const SERVING_ADVICE: Advice<'InspectorError' | 'AcpError' | 'HealthError'> = {
  InspectorError: {
    INSPECTOR_NOT_LISTENING: {
      when: 'The inspector cannot listen on its address, for instance because the port is taken.',
      advice: 'Choose another `port`, or 0 for a free one.',
    },
    INSPECTOR_HOST_REFUSED: {
      when: '`INBOARD_INSPECT` is an address that other machines can reach, or not an address at all; or `allowedHosts` contains something that is not a plain name.',
      advice:
        'Set the variable to 1 or to a port, and write names without a scheme, port or path. See [the inspector](inspector.md).',
    },
    INSPECTOR_PAGE_MISSING: {
      when: 'The files of the page are missing from the package, for instance because a bundler left them out.',
      advice: 'Install the package again; when bundling, keep `inboard` external.',
    },
  },
  AcpError: {
    ACP_LIBRARY_MISSING: {
      when: '`serveAcp()` did not find the package `@agentclientprotocol/sdk`.',
      advice: 'Install it next to `inboard`; the message gives the command.',
    },
    ACP_LIBRARY_BROKEN: {
      when: 'That package cannot be loaded, or has a version that Inboard does not know.',
      advice: 'Install the version that the message names.',
    },
  },
  HealthError: {
    HEALTH_NOT_LISTENING: {
      when: '`serveHealth()` cannot listen on its address, for instance because another worker of the machine has the port.',
      advice: 'Choose another `port`, or 0 for a free one, which `port` of the server then tells.',
    },
  },
};
