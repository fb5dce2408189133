// The probes of each peer that a program can try, by the id of their row. A peer is loaded only to run its probes: their names can be
// read where no peer is installed.
import { readFileSync } from 'node:fs';
import { PUBLICATION } from '../../../scripts/support/release/publication.mjs';
import { createAiSdkProbes } from './ai-sdk.mjs';
import { createCliProbes } from './cli-sdk.mjs';
import { createOwnProbes } from './inboard.mjs';
import { createOpenAiProbes } from './openai-agents.mjs';
import { createPackageProbes } from './support/package-facts.mjs';

const manifestOf = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const installed = (name) => manifestOf(`../node_modules/${name}/package.json`);
const importBuilt = (name) => import(new URL(`../../../dist/entry/${name}.js`, import.meta.url).href);

/** By peer: its probes, and what they need of it. */
const PEERS = {
  inboard: {
    create: (parts) => ({
      ...createPackageProbes(parts.manifest),
      ...createCliProbes(parts),
      ...createOwnProbes(parts),
      registry: async () => (PUBLICATION.isOnRegistry ? 'npm' : 'not yet'),
    }),
    load: async () => {
      const [sdk, testing, trace] = await Promise.all(['index', 'testing', 'trace'].map(importBuilt));
      const ownOptions = { claudeCodeVersion: '2.1.325', onWarning() {} };
      const manifest = manifestOf('../../../package.json');
      return { manifest, sdk, testing, ownOptions, ownKit: { ...testing, ...trace } };
    },
  },

  'official-ts': {
    create: (parts) => ({ ...createPackageProbes(parts.manifest), ...createCliProbes(parts) }),
    load: async () => ({
      manifest: installed('@anthropic-ai/claude-agent-sdk'),
      sdk: await import('@anthropic-ai/claude-agent-sdk'),
      testing: await importBuilt('testing'),
    }),
  },

  'ai-sdk': {
    create: (parts) => ({ ...createPackageProbes(parts.manifest), ...createAiSdkProbes(parts) }),
    load: async () => ({
      manifest: installed('ai'),
      sdk: await import('ai'),
      mocks: await import('ai/test'),
    }),
  },

  'openai-agents': {
    create: (parts) => ({ ...createPackageProbes(parts.manifest), ...createOpenAiProbes(parts) }),
    load: async () => ({
      manifest: installed('@openai/agents'),
      sdk: await import('@openai/agents'),
      kit: await import('@openai/agents/testing'),
      realtime: await import('@openai/agents/realtime'),
    }),
  },
};

/** The names of a peer's probes; none for a peer that no program can try. */
export function listProbes(peer) {
  return Object.keys(PEERS[peer]?.create({ manifest: {}, sdk: {}, testing: {} }) ?? {});
}

/** What a probe finds, in the words of the table. */
export async function runProbe(peer, name) {
  const { create, load } = PEERS[peer];
  return create(await load())[name]();
}
