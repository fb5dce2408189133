// "To record the protocol anew", played: one more scene, recorded on the real CLI.
import { NEWEST } from '../protocol/recorded-versions.mjs';

const PAGE_TEST = 'test/protocol/protocol-page.test.ts';

export const PROTOCOL = {
  id: 'protocol',
  title: 'To record the protocol anew',
  steps: [
    {
      name: 'the scene',
      edits: [
        {
          file: 'scripts/support/protocol/control-scenes.mjs',
          before: '  parked: {\n',
          put: `  lamp: {
    on: [NEWEST],
    script: [text('Lit.')],
    async act({ start }) {
      const act = start({});
      await act.ask('Light the lamp.');
      await act.end();
    },
  },

`,
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'the recording',
      scripts: ['scripts/build.mjs', 'scripts/record-protocol.mjs --only lamp'],
      writes: [`test/fixtures/protocol/lamp@${NEWEST}.jsonl`],
      red: [PAGE_TEST],
    },
    {
      name: 'the page',
      scripts: ['scripts/write-protocol-page.mjs'],
      writes: [
        'docs/protocol.md',
        'docs/protocol/session.md',
        'docs/protocol/host-requests.md',
        'docs/protocol/cli-requests.md',
        'docs/protocol/messages.md',
        'docs/protocol/gaps-and-schemas.md',
        'docs/protocol.svg',
        'schema/frames.schema.json',
      ],
      red: [PAGE_TEST],
    },
  ],
};
