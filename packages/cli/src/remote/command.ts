// How `inboard remote` is called: its arguments, options and help.
import { CLI_OPTION, type Command } from '../command.js';
import { loadPart } from '@inboard/core/util/load-part.js';

export const REMOTE_COMMAND: Command = {
  summary: 'run the CLI here for programs on other hosts, which keep their tools',
  usage: 'serve (--stdio | --port <n>)',
  args: { least: 1, most: 1 },
  options: {
    stdio: {
      type: 'boolean',
      help: 'serve one program on standard input and output: over ssh, or in a container',
    },
    port: { type: 'string', value: '<n>', help: 'the port to listen on; 0 picks a free one' },
    host: {
      type: 'string',
      value: '<address>',
      help: 'for --port; default 127.0.0.1; any other address needs TLS',
      sets: ['listen.host'],
    },
    'token-env': {
      type: 'string',
      value: '<name>',
      help: 'the variable with the token that clients must send; at least 16 characters',
      sets: ['token'],
    },
    'tls-cert': {
      type: 'string',
      value: '<file>',
      help: 'the certificate of this host',
      sets: ['listen.tls'],
    },
    'tls-key': { type: 'string', value: '<file>', help: 'its key', sets: ['listen.tls'] },
    'tls-ca': {
      type: 'string',
      value: '<file>',
      help: 'let in only clients with a certificate from this authority',
      sets: ['clientCertificates', 'listen.tls.ca'],
    },
    cwd: {
      type: 'string',
      value: '<folder>',
      help: 'the folder CLIs may work in or below; default this one',
      sets: ['cwd'],
    },
    folder: {
      type: 'string',
      multiple: true,
      value: '<folder>',
      help: 'another folder that clients may ask for; repeatable',
      sets: ['folders'],
    },
    idle: {
      type: 'string',
      value: '<ms>',
      help: 'silence after which a link counts as lost and its CLI is killed; default 5000',
      sets: ['idleMs'],
    },
    'max-sessions': {
      type: 'string',
      value: '<n>',
      help: 'maximum number of CLIs at the same time; default 64',
      sets: ['maxSessions'],
    },
    'health-port': {
      type: 'string',
      value: '<n>',
      help: 'with --port: also serve /healthz, /readyz and /metrics there; 0 picks a free one',
    },
    'health-host': {
      type: 'string',
      value: '<address>',
      help: 'for --health-port; default 127.0.0.1; in a container 0.0.0.0',
    },
    cli: { ...CLI_OPTION, sets: ['cli', 'pathToClaudeCodeExecutable'] },
  },
  calls: ['serveCli()', 'serveLink()', 'serveHealth()'],
  details: [
    'Programs elsewhere connect with connectCli() of inboard/remote. Whoever is let in',
    'can run commands here, as you: a port needs a token or certificates, and TLS on',
    'every address but loopback. With --stdio, whoever starts this command is already',
    'trusted. CLIs work with the login and the settings of this host. The token is read',
    'from a variable, because every user of this machine can read a command line.',
    'Whoever reaches --health-port learns how many CLIs run, and can do nothing.',
  ],
  examples: [
    'inboard remote serve --port 7400 --token-env REMOTE_TOKEN',
    'inboard remote serve --port 0 --tls-cert a.crt --tls-key a.key --tls-ca ca.crt',
    'inboard remote serve --stdio',
  ],
  load: async () => (await loadPart(() => import('./serve-remote.js'))).serveRemote,
};
