import { describe, expect, it } from 'vitest';
import { buildInitializeRequest } from '../../../src/options/launch/initialize-request.js';
import { ANY_VERSION, VersionNeeded } from '../../../src/options/supported-versions.js';
import { createFullOptions } from '../full-options.js';

const sdkServers = {
  names: ['demo'],
  configs: { demo: { timeout: 4000 } },
  manifests: { demo: { initializeResult: {} } },
};

describe('buildInitializeRequest', () => {
  it('keeps the order of fields when everything is set', () => {
    const options = { ...createFullOptions(), pluginDelivery: 'initialize' as const };
    const request = buildInitializeRequest({ options, version: '2.1.325', hooks: {}, sdkServers });
    expect(Object.keys(request)).toStrictEqual([
      'hooks',
      'sdkMcpServers',
      'sdkMcpServerConfigs',
      'sdkMcpServerManifests',
      'jsonSchema',
      'systemPrompt',
      'planModeInstructions',
      'systemPromptSnapshot',
      'toolAliases',
      'agents',
      'title',
      'skills',
      'promptSuggestions',
      'agentProgressSummaries',
      'forwardSubagentText',
      'supportedDialogKinds',
      'perTaskStopAffordance',
      'plugins',
    ]);
  });

  it('keeps the order of the fields of the stock prompt', () => {
    const systemPrompt = {
      type: 'preset' as const,
      preset: 'claude_code' as const,
      append: 'more',
      excludeDynamicSections: true,
      snapshot: false,
    };
    const options = { systemPrompt, planModeInstructions: 'p', toolAliases: {}, agents: {} };
    const request = buildInitializeRequest({ options, version: undefined });
    expect(Object.keys(request)).toStrictEqual([
      'appendSystemPrompt',
      'planModeInstructions',
      'systemPromptSnapshot',
      'toolAliases',
      'excludeDynamicSections',
      'agents',
    ]);
  });

  it('sends a prompt with one part as text where the version is unknown, and cannot send a list there', () => {
    const write = (systemPrompt: string[]) =>
      buildInitializeRequest({ options: { systemPrompt }, version: ANY_VERSION });
    expect(write(['Be short.'])).toStrictEqual({ systemPrompt: 'Be short.' });
    expect(() => write(['Be short.', 'Be kind.'])).toThrow(VersionNeeded);
  });

  it('has no field for servers when there are none', () => {
    const none = { names: [], configs: {}, manifests: {} };
    expect(buildInitializeRequest({ options: {}, version: undefined, sdkServers: none })).toStrictEqual({
      systemPrompt: [''],
    });
  });

  it('has no field for servers that the command line names', () => {
    const sdkServers = { names: ['demo'], configs: {}, manifests: {} };
    const options = { sdkServerRegistration: 'argv' as const };
    expect(buildInitializeRequest({ options, version: undefined, sdkServers })).toStrictEqual({
      systemPrompt: [''],
    });
  });

  it('never lets undefined fields through, which some encoders would write', () => {
    const request = buildInitializeRequest({ options: { title: undefined }, version: undefined });
    expect(Object.keys(request)).toStrictEqual(['systemPrompt']);
  });
});
