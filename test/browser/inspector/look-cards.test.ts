import { writeFileSync } from 'node:fs';
import { describeInBrowser } from './support/browser-tests.js';
import { SteeredSource, makeQuestion, openSteeredPage } from './support/steered-page.js';
import { readFixture } from '../../inspector/support/make-events.js';
import { sampleQuestions } from './support/sample-questions.js';

describeInBrowser('look', (test) => {
  test('cards', async (pages) => {
    const source = new SteeredSource();
    source.play('one', readFixture('story').slice(0, 155));
    for (const question of sampleQuestions()) source.ask(makeQuestion(question));
    const { page, close } = await openSteeredPage(pages, source, { width: 1600, height: 1000 });
    await page.until('document.querySelector(".card")');
    await page.settle();
    const snap = async (name: string) => { await page.settle(); writeFileSync(`/tmp/cards-${name}.png`, await page.capture()); };
    await snap('1600');
    await page.look({ height: 5200, width: 1600 });
    await snap('tall');
    await page.look({ dark: true });
    await snap('tall-dark');
    await page.look({ width: 360, height: 740, dark: false });
    await page.read('document.querySelector(".dock-bar").click()');
    await snap('360');
    await page.look({ width: 360, height: 5200, dark: false });
    await snap('360-tall');
    await close();
  });
});
