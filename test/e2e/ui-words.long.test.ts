// Are a visitor's words only words to the CLI: no file is attached, no command is run?
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createUiChat } from '../../packages/inboard/src/ui.js';
import { Page } from '../../packages/ui/test/chat-scene.js';
import { newCli } from './support/cli.js';
import { openSession, run, text } from './support/inboard.js';
import { onStage } from './support/stage.js';

it('takes the words of a chat as they stand, where a prompt of the program would attach the file', async () => {
  await onStage(newCli, { script: [text('Words.'), text('Words.'), text('A file.')] }, async (stage) => {
    const note = join(stage.options({}).cwd ?? '', 'note.txt');
    writeFileSync(note, 'not for visitors');
    const hasNote = (): boolean => JSON.stringify(stage.lastRequest().body).includes('not for visitors');
    const chat = createUiChat({ session: () => openSession({ options: stage.options({}) }) });
    try {
      const page = new Page(chat);
      for (const words of [`What is in @${note}?`, '/cost']) {
        await page.send(words);
        expect(JSON.stringify(stage.lastRequest().body)).toContain(words);
        expect(hasNote()).toBe(false);
      }
    } finally {
      await chat.close();
    }
    await run({ prompt: `What is in @${note}?`, options: stage.options({}) });
    expect(hasNote()).toBe(true);
  });
});
