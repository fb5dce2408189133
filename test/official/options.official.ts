// Every option, on both SDKs and the same recording CLI: argv, environment and the lines on stdin, byte for byte. The
// rows are those of the ordinary tests; a row that says why it differs is left to them.
import { beforeAll, describe, expect, it } from 'vitest';
import { readOptionVariants } from '../fixtures/option-variants.js';
import { loadBoth, playQuery, type AnySdk, type Recording } from './record-query.js';

const { variants } = readOptionVariants();
const compared = variants.filter(({ differs, error, sdkServers }) => !differs && !error && !sdkServers);

let sdks: { ours: AnySdk; official: AnySdk };
beforeAll(async () => {
  sdks = await loadBoth();
});

// What cannot start, such as a folder that is not there, cannot start on either; the errors' words are each one's own.
async function record(sdk: AnySdk, options: object): Promise<Recording | 'threw' | undefined> {
  const input = { prompt: 'hi', options: options as Record<string, unknown> };
  try {
    const { recording } = await playQuery(sdk, input, async (query) => {
      for await (const message of query) if (message.type === 'result') break;
    });
    return recording;
  } catch {
    return 'threw';
  }
}

describe('every option', () => {
  it.each(compared)('$name', async ({ options }) => {
    const ours = await record(sdks.ours, options);
    const official = await record(sdks.official, options);
    expect(ours).toBeDefined();
    expect(ours).toEqual(official);
  });
});
