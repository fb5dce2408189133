// Cards on a real page of the real server: every kind of question is answered, and nothing that was typed is lost.
import { expect } from 'vitest';
import type { ActionResult } from '../../../packages/inspector/src/model/page-contract.js';
import { readFixture } from '../../../packages/inspector/test/support/make-events.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser, type Pages } from './support/browser-tests.js';
import { findLayoutTroubles, findSmallTargets, WIDTHS } from './support/layout.js';
import { keepPicture } from './support/pictures.js';
import { sampleQuestions } from './support/sample-questions.js';
import { makeQuestion, openSteeredPage, SteeredSource } from './support/steered-page.js';

const OK: ActionResult = { ok: true };

/** A session with these questions, of the samples or made up. */
function ask(...ids: string[]): SteeredSource {
  const source = new SteeredSource();
  source.play('one', readFixture('story').slice(0, 155));
  for (const id of ids) source.ask(makeQuestion(sampleQuestions().find((each) => each.id === id) ?? { id }));
  source.answerBy(() => OK);
  return source;
}

const card = (id: string): string => `[data-question="${id}"]`;

/** Puts a text in place of what stands in a field. */
async function write(page: Page, selector: string, text: string): Promise<void> {
  await page.clickOn(selector);
  await page.read(`document.activeElement.select()`);
  await page.type(text);
}

const hasGone = (page: Page, id: string): Promise<void> =>
  page.until(`!document.querySelector('${card(id)}')`);

async function withPage(
  pages: Pages,
  source: SteeredSource,
  body: (page: Page) => Promise<void>,
  options: Parameters<typeof openSteeredPage>[2] = {},
): Promise<void> {
  const { page, close } = await openSteeredPage(pages, source, options);
  try {
    await page.until(`document.querySelector('[data-question]')`);
    await body(page);
  } finally {
    await close();
  }
}

describeInBrowser('cards', (test) => {
  test('allow a call once, however often one clicks, and go on to the next', async (pages) => {
    const source = ask('bash', 'held');
    await withPage(pages, source, async (page) => {
      await page.read(
        `{ const yes = document.querySelector('${card('bash')} .qcard-yes'); yes.click(); yes.click(); }`,
      );
      await hasGone(page, 'bash');
      expect(source.acted('answer')).toEqual([
        { action: 'answer', session: 'one', id: 'bash', decision: { kind: 'allow' } },
      ]);
      await page.until(`document.activeElement?.dataset.question === 'held'`);
      await page.press('a');
      await hasGone(page, 'held');
      expect(source.acted('answer')[1]).toMatchObject({ id: 'held', decision: { kind: 'allow' } });
    });
  });

  test('send only what was edited, and nothing that does not fit', async (pages) => {
    const source = ask('mail');
    await withPage(pages, source, async (page) => {
      expect(await page.read('document.querySelector(".qcard-yes").innerText')).toBe('Allow');
      await write(page, `${card('mail')} .field-number`, 'many');
      await page.untilText('copies must be a whole number');
      await page.clickOn('.qcard-yes');
      expect(source.acted('answer')).toEqual([]);
      await write(page, `${card('mail')} .field-number`, '3');
      expect(await page.read('document.querySelector(".qcard-yes").innerText')).toBe('Allow edited');
      await write(page, `${card('mail')} textarea[id$="-subject"]`, 'Your lamp');
      await page.clickOn('.segment', 'high');
      await page.clickOn('[aria-label="Remove item 1"]');
      await page.clickOn('.qcard-yes');
      await hasGone(page, 'mail');
      expect(source.acted('answer')[0]?.decision).toEqual({
        kind: 'allow',
        edits: [
          { path: ['subject'], value: 'Your lamp' },
          { path: ['priority'], value: 'high' },
          { path: ['copies'], value: 3 },
          { path: ['tags', 0], value: 'lamp' },
          { path: ['tags', 1], remove: true },
        ],
      });
    });
  });

  test('edit as JSON: where it is wrong is said, what is hidden is kept', async (pages) => {
    const source = ask('mail');
    await withPage(pages, source, async (page) => {
      await page.clickOn('.form-mode', 'JSON');
      await write(page, '.form-json', '{\n  "to": "a@b.example",\n}');
      await page.untilText('Line 3, column 1');
      await page.clickOn('.qcard-yes');
      await write(page, '.form-json', '{"to":"a@b.example","subject":"x","body":"y","tags":[],"headers":{}}');
      await page.untilText('is redacted: reveal it before you change it');
      await page.clickOn('.qcard-yes');
      expect(source.acted('answer')).toEqual([]);
      await keepPicture(page, 'cards-json');
    });
  });

  test('reveal what is hidden, and only then edit it', async (pages) => {
    const source = ask('mail');
    const real = { ...sampleQuestions()[0]?.input, headers: { 'X-Token': 'tk-77', 'X-Order': 'A-1043' } };
    source.answerBy((action) => (action.action === 'reveal' ? { ok: true, result: real } : OK));
    await withPage(pages, source, async (page) => {
      expect(await page.read(`document.querySelectorAll('[id$="headers-X-Token"]').length`)).toBe(0);
      await write(page, 'textarea[id$="-subject"]', 'Changed before');
      await page.clickOn('.field-locked button', 'Reveal');
      await page.until(`document.querySelector('textarea[id$="headers-X-Token"]')?.value === 'tk-77'`);
      await write(page, 'textarea[id$="headers-X-Token"]', 'mine');
      await page.clickOn('.qcard-yes');
      await hasGone(page, 'mail');
      expect(source.acted('answer')[0]?.decision).toEqual({
        kind: 'allow',
        edits: [
          { path: ['subject'], value: 'Changed before' },
          { path: ['headers', 'X-Token'], value: 'mine' },
        ],
      });
    });
  });

  test('allow always what was chosen', async (pages) => {
    const source = ask('mail', 'bash');
    await withPage(pages, source, async (page) => {
      await page.clickOn(`${card('bash')} button`, 'Always allow');
      await hasGone(page, 'bash');
      await page.clickOn(`${card('mail')} button`, 'Always allow');
      expect(source.acted('answer')).toHaveLength(1);
      await page.clickOn('.check', 'every tool of shop');
      await page.clickOn(`${card('mail')} button`, 'Always allow');
      await hasGone(page, 'mail');
      expect(source.acted('answer').map(({ decision }) => decision)).toEqual([
        { kind: 'allow', remember: [0] },
        { kind: 'allow', remember: [1] },
      ]);
    });
  });

  test('deny by keys alone, with a reason', async (pages) => {
    const source = ask('bash');
    await withPage(pages, source, async (page) => {
      await page.press('n');
      await page.until(`document.activeElement?.dataset.question === 'bash'`);
      await page.press('d');
      await page.until(`document.activeElement?.id.endsWith('-reason')`);
      await page.press('Enter');
      expect(source.acted('answer')).toEqual([]);
      await page.type('Keep the old build.');
      await page.clickOn('.check', 'stop the turn');
      await page.clickOn('textarea[id$="-reason"]');
      await page.press('Enter');
      await hasGone(page, 'bash');
      expect(source.acted('answer')[0]?.decision).toEqual({
        kind: 'deny',
        message: 'Keep the old build.',
        interrupt: true,
      });
    });
  });

  test('answer the questions of the model by numbers, and in own words', async (pages) => {
    const source = ask('ask');
    await withPage(pages, source, async (page) => {
      await page.press('n');
      await page.until(`document.activeElement?.dataset.question === 'ask'`);
      await page.clickOn('.ask-option', 'Ghent');
      await page.press('1');
      expect(await page.read(`document.querySelector('.view-story') !== null`)).toBe(true);
      await page.clickOn('.ask-option', 'The warehouse');
      await page.press('1');
      await page.clickOn('textarea[aria-label^="Your own answer to: Who"]');
      await page.type('and Jonas');
      await page.clickOn('.qcard-yes');
      await hasGone(page, 'ask');
      expect(source.acted('answer')[0]?.decision).toEqual({
        kind: 'submit',
        content: {
          'Which warehouse should send the lamp?': 'Lund',
          'Who is to be told?': 'The customer, The warehouse, and Jonas',
        },
      });
    });
  });

  test('fill in what a server asks for; only addresses of the web are opened', async (pages) => {
    const source = ask('elicit', 'url');
    source.ask(
      makeQuestion({
        id: 'bad',
        kind: 'elicitation',
        subject: 'x',
        input: { url: 'javascript:document.title="run"' },
      }),
    );
    await withPage(pages, source, async (page) => {
      await page.clickOn(`${card('elicit')} .qcard-yes`);
      await page.untilText('Name is required');
      await write(page, `${card('elicit')} textarea`, 'Ada');
      await page.clickOn(`${card('elicit')} .segment`, 'Yes');
      await page.clickOn(`${card('elicit')} .qcard-yes`);
      await hasGone(page, 'elicit');
      expect(source.acted('answer')[0]?.decision).toEqual({
        kind: 'submit',
        content: { name: 'Ada', agreed: true },
      });
      const links = await page.read<string[]>(
        `[...document.querySelectorAll('.qcard a')].map((a) => a.href + ' ' + a.rel)`,
      );
      expect(links).toEqual(['https://calendar.example/authorize?state=2f9a noopener noreferrer']);
      await page.clickOn(`${card('url')} .qcard-no`);
      await hasGone(page, 'url');
      expect(source.acted('answer')[1]?.decision).toEqual({ kind: 'decline' });
    });
  });

  test('complete a dialog with JSON', async (pages) => {
    const source = ask('dialog');
    await withPage(pages, source, async (page) => {
      await write(page, '.form-json', '{"trusted": true}');
      await page.clickOn('.qcard-yes');
      await hasGone(page, 'dialog');
      expect(source.acted('answer')[0]?.decision).toEqual({ kind: 'submit', content: { trusted: true } });
    });
  });

  test('keep what was typed: over events, other views, a reload and a broken connection; say who answered elsewhere', async (pages) => {
    const source = ask('bash', 'mail');
    await withPage(pages, source, async (page) => {
      await write(page, 'textarea[id$="-command"]', 'npm run build');
      source.add('one', { type: 'warning', t: 1, code: 'X', message: 'something else' });
      source.ask(makeQuestion({ id: 'late', title: 'One more' }));
      await page.until(`document.querySelector('${card('late')}')`);
      await page.press('Escape');
      await page.clickOn('.tab', 'Tools');
      await page.clickOn('.tab', 'Story');
      await page.reload();
      await page.until(`document.querySelector('${card('bash')} .qcard-yes')`);
      await page.setOffline(true);
      await page.clickOn(`${card('bash')} .qcard-yes`);
      await page.until(`document.querySelector('${card('bash')} [role=alert]')`);
      expect(await page.read(`document.querySelector('textarea[id$="-command"]').value`)).toBe(
        'npm run build',
      );
      await page.setOffline(false);
      // A page that was cut off logs it; that is no trouble of this test.
      page.troubles.length = 0;
      await page.clickOn(`${card('bash')} .qcard-yes`);
      await hasGone(page, 'bash');
      source.add('one', { type: 'settled', t: 2, id: 'mail', outcome: 'denied', by: 'callback' });
      source.settle('one', 'mail');
      await page.untilText('send_mail was denied by the program.');
      page.troubles.length = 0;
    });
  });

  test('show what the server refuses at its field, and keep the card', async (pages) => {
    const source = ask('held');
    source.answerBy(() => ({
      ok: false,
      error: {
        code: 'INVALID_INPUT',
        message: 'The input does not fit.',
        issues: [{ path: ['amount'], message: 'must be at most what was paid' }],
      },
    }));
    await withPage(pages, source, async (page) => {
      await write(page, '.field-number', '499');
      await page.clickOn('.qcard-yes');
      await page.until(`document.querySelector('.field-number')?.getAttribute('aria-invalid') === 'true'`);
      await page.untilText('must be at most what was paid');
      expect(await page.read(`document.querySelector('.field-number').value`)).toBe('499');
    });
  });

  test('cannot be answered on a page that only looks', async (pages) => {
    const source = ask('mail');
    await withPage(
      pages,
      source,
      async (page) => {
        await page.untilText('This page is read-only');
        expect(await page.read(`document.querySelectorAll('.qcard-yes, .qcard-no').length`)).toBe(0);
        await page.clickOn('.field-locked button', 'Reveal');
        expect(source.acts).toEqual([]);
      },
      { isReadOnly: true },
    );
  });

  test('steer: a message, an interrupt, the model, the mode, a rewind that is looked at first', async (pages) => {
    const source = ask('bash');
    source.add('one', {
      type: 'frame',
      t: 9000,
      dir: 'out',
      frame: { type: 'user', uuid: 'm-1', message: { role: 'user', content: 'Build it again.' } },
    });
    const told = { canRewind: true, filesChanged: ['src/a.ts'], insertions: 3, deletions: 1 };
    source.answerBy((action) => (action.action === 'rewind' ? { ok: true, result: told } : OK));
    await withPage(pages, source, async (page) => {
      await page.clickOn('.steering-text');
      await page.type('Go on,\nplease.');
      await page.press('Enter', { ctrl: true });
      await page.until(`document.querySelector('.steering-text').value === ''`);
      await page.clickOn('.steering .button-danger');
      const choose = (index: number, value: string): Promise<unknown> =>
        page.read(`{ const select = document.querySelectorAll('.steering select')[${index}];
          select.value = ${JSON.stringify(value)}; select.dispatchEvent(new Event('change', { bubbles: true })); }`);
      await choose(1, 'plan');
      const model = await page.read<string>(`document.querySelector('.steering select').options[1].value`);
      await choose(0, model);
      await page.clickOn('.steering button', 'Rewind');
      await page.clickOn('.rewind-prompt');
      await page.untilText('1 file changed, 3 lines added, 1 line removed.');
      expect(source.acted('rewind').map(({ dryRun }) => dryRun)).toEqual([true]);
      await page.clickOn('button', 'Restore the files');
      await page.until(`!document.querySelector('dialog')`);
      expect(source.acts.map(({ action }) => action)).toEqual([
        'send',
        'interrupt',
        'set-mode',
        'set-model',
        'rewind',
        'rewind',
      ]);
      expect(source.acted('send')[0]).toMatchObject({ text: 'Go on,\nplease.' });
      expect(source.acted('rewind')[1]).toMatchObject({ dryRun: false });
    });
  });

  test('fit: what they ask and their buttons are seen together, and the field for messages is one line', async (pages) => {
    const source = ask('mail', 'ask', 'elicit', 'held');
    await withPage(pages, source, async (page) => {
      for (const [width, height] of [
        [1600, 900],
        [360, 740],
      ]) {
        await page.look({ width, height });
        await page.read(`document.querySelector('.dock-bar[aria-expanded=false]')?.checkVisibility() &&
          document.querySelector('.dock-bar').click()`);
        for (const id of ['mail', 'ask', 'elicit', 'held']) {
          await page.read(`document.querySelector('${card(id)}').scrollIntoView({ block: 'nearest' })`);
          await page.settle();
          // From the title to the last button, all of it lies where the cards are seen; what is longer scrolls inside.
          const isSeen = `(() => {
            const frame = document.querySelector('.dock-cards').getBoundingClientRect();
            return [...document.querySelectorAll('${card(id)} :is(.qcard-title, .qcard-foot, .qcard-foot button)')]
              .map((element) => element.getBoundingClientRect())
              .every(({ top, bottom }) => top >= frame.top - 1 && bottom <= frame.bottom + 1);
          })()`;
          expect(await page.read(isSeen), `${id} at ${width}`).toBe(true);
        }
        expect(await page.read(`document.querySelector('.dock-steering').offsetHeight`)).toBeLessThan(60);
        expect(await page.read('document.documentElement.scrollHeight > innerHeight')).toBe(false);
      }
    });
  });

  test('say how many fields are out of sight, and scroll on to them', async (pages) => {
    await withPage(pages, ask('mail', 'held'), async (page) => {
      await page.look({ width: 1600, height: 800 });
      const said = `document.querySelector('${card('mail')} .qcard-more')?.innerText ?? ''`;
      // What it says is what one can count: fields of which a part is beyond the edge.
      const counted = `(() => {
        const frame = document.querySelector('${card('mail')} .qcard-body').getBoundingClientRect();
        const boxes = [...document.querySelectorAll('${card('mail')} .field:not(.field-group)')].map((field) => field.getBoundingClientRect());
        return [boxes.filter(({ bottom }) => bottom > frame.bottom + 8).length, boxes.filter(({ top }) => top < frame.top - 8).length];
      })()`;
      const [below, above] = await page.read<[number, number]>(counted);
      expect(below).toBeGreaterThan(2);
      expect(above).toBe(0);
      expect(await page.read(said)).toBe(`${below} more fields below`);
      for (let press = 0; press < 12 && (await page.read<string>(said)).includes('below'); press += 1)
        await page.clickOn(`${card('mail')} .qcard-more`);
      const [, passed] = await page.read<[number, number]>(counted);
      expect(await page.read(said)).toBe(`${passed} fields above`);
      expect(await page.read(`document.querySelector('${card('held')} .qcard-more')`)).toBe(null);
      await page.look({ height: 2600 });
      await page.until(`${said} === ''`);
    });
  });

  test('unfold the field for messages while one writes, and do not move what is clicked next', async (pages) => {
    const source = ask('bash', 'held');
    await withPage(
      pages,
      source,
      async (page) => {
        const height = `document.querySelector('.dock-steering').offsetHeight`;
        expect(await page.read(height)).toBeLessThan(60);
        await page.clickOn('.steering-text');
        await page.until(`${height} > 100`);
        await page.clickOn(`${card('bash')} .qcard-yes`);
        await hasGone(page, 'bash');
        await page.until(`${height} < 60`);
        await page.clickOn('.steering-text');
        await page.type('Wait.');
        await page.clickOn(`${card('held')} .qcard-title`);
        await page.settle();
        expect(await page.read(height)).toBeGreaterThan(100);
      },
      { height: 700 },
    );
  });

  test('in a language from right to left are written that way, beside words that are not', async (pages) => {
    const source = ask();
    source.ask(
      makeQuestion({
        title: 'לשלוח מנורה?',
        input: { note: 'תודה.', command: 'npm test' },
        schema: { type: 'object', properties: { note: { type: 'string' }, command: { type: 'string' } } },
      }),
    );
    await withPage(pages, source, async (page) => {
      const direction = (selector: string): Promise<string> =>
        page.read(`getComputedStyle(document.querySelector('${selector}')).direction`);
      expect(await direction('.qcard-title')).toBe('rtl');
      expect(await direction('textarea[id$="-note"]')).toBe('rtl');
      expect(await direction('textarea[id$="-command"]')).toBe('ltr');
      expect(await direction('.qcard-foot')).toBe('ltr');
    });
  });

  test('say what "Always allow" remembers at the button, before it is pressed', async (pages) => {
    await withPage(pages, ask('bash', 'mail'), async (page) => {
      const said = (id: string): Promise<string> =>
        page.read(`(() => {
          const button = [...document.querySelectorAll('${card(id)} button')].find((each) => each.textContent === 'Always allow');
          const words = document.getElementById(button.getAttribute('aria-describedby'));
          return words.closest('.qcard-foot') === button.closest('.qcard-foot') ? words.innerText : 'elsewhere';
        })()`);
      expect(await said('bash')).toContain('Allow Bash(npm run build:*) in this project');
      expect(await said('mail')).toContain('Allow every tool of shop in this session');
    });
  });

  test('answer several about one tool together, those that ask the same at first, after all were listed', async (pages) => {
    const source = new SteeredSource();
    source.play('one', readFixture('story').slice(0, 155));
    source.play('two', readFixture('story').slice(0, 20));
    source.answerBy(() => OK);
    const run = (id: string, command: string, more = {}): void =>
      source.ask(makeQuestion({ id, input: { command }, ...more }));
    run('a', 'npm test');
    run('b', 'npm test');
    run('c', 'npm run build');
    run('d', 'npm test', { session: 'two' });
    run('e', 'npm test');
    source.ask(makeQuestion({ id: 'other', subject: 'Write', input: { file_path: 'x' } }));
    await withPage(
      pages,
      source,
      async (page) => {
        expect(await page.read(`document.querySelectorAll('.qcard-together').length`)).toBe(1);
        // What was changed on its card is not answered in passing.
        await write(page, `${card('e')} textarea`, 'npm test -- one');
        await page.clickOn('.qcard-together button');
        await page.until(`document.querySelector('.together-one')`);
        const list = `[...document.querySelectorAll('.together-one')].map((each) =>
          [each.querySelector('input').checked, each.querySelector('pre').textContent])`;
        expect(await page.read(list)).toEqual([
          [true, 'command: npm test'],
          [false, 'command: npm run build'],
          [false, 'command: npm test'],
        ]);
        await page.untilText('1 question is left out');
        await page.untilText('2 times the same');
        expect(await auditPage(page, 'dialog')).toEqual({ violations: [], incomplete: [] });
        // One that comes now was not read, so it is not answered.
        run('late', 'npm test');
        await page.until(`document.querySelector('${card('late')}')`);
        await page.clickOn('.together-yes', 'Allow 2');
        await hasGone(page, 'b');
        expect(source.acted('answer').map(({ id, decision }) => [id, decision])).toEqual([
          ['a', { kind: 'allow' }],
          ['b', { kind: 'allow' }],
        ]);
        for (const id of ['c', 'd', 'e', 'late', 'other'])
          expect(await page.read(`document.querySelector('${card(id)}') !== null`), id).toBe(true);
        await page.press('A');
        await page.clickOn('.together-one', 'npm run build');
        await page.clickOn('dialog input[type=text]');
        await page.type('Not today.');
        await page.clickOn('dialog button', 'Deny');
        await hasGone(page, 'c');
        expect(source.acted('answer').at(-1)?.decision).toEqual({ kind: 'deny', message: 'Not today.' });
      },
      { path: '&session=one&view=story' },
    );
  });

  test('are answered together on a telephone, where the list is over the page though the cards are put away', async (pages) => {
    const source = ask('bash');
    for (const id of ['more', 'most'])
      source.ask(makeQuestion({ id, input: { command: `npm run build -- ${'--verbose '.repeat(20)}` } }));
    await withPage(
      pages,
      source,
      async (page) => {
        await page.clickOn('.dock-bar');
        await page.press('Escape');
        expect(await page.read('document.querySelector(".dock").checkVisibility()')).toBe(false);
        await page.press('A');
        await page.until('document.querySelector("dialog[open]")?.checkVisibility()');
        const isWithin = `(() => {
          const { left, top, right, bottom } = document.querySelector('dialog .together-foot').getBoundingClientRect();
          return left >= 0 && top > 0 && right <= innerWidth && bottom <= innerHeight;
        })()`;
        expect(await page.read(isWithin)).toBe(true);
        expect(await findLayoutTroubles(page, ['.together-list', '.together-foot > *'])).toEqual([]);
        expect(await findSmallTargets(page, 'dialog .together-foot')).toEqual([]);
        await page.clickOn('.together-one:nth-child(2) input');
        await page.clickOn('.together-yes', 'Allow 3');
        for (const id of ['bash', 'more', 'most']) await hasGone(page, id);
      },
      { width: 360, height: 740 },
    );
  });

  test('look right in every size and both themes, for everyone', async (pages) => {
    const source = ask(...sampleQuestions().map(({ id }) => String(id)));
    await withPage(pages, source, async (page) => {
      for (const dark of [false, true])
        for (const width of WIDTHS) {
          await page.look({ width, height: 1000, dark });
          await page.read(`document.querySelector('.dock-bar[aria-expanded=false]')?.checkVisibility() &&
            document.querySelector('.dock-bar').click()`);
          await page.settle();
          expect(await findLayoutTroubles(page, ['.qcard-head', '.form', '.dock-steering'])).toEqual([]);
          // The lines of a JSON tree are lines of text.
          const small = await findSmallTargets(page);
          expect(small.filter((target) => !target.includes('json-toggle'))).toEqual([]);
          await keepPicture(page, `cards-${width}-${dark ? 'dark' : 'light'}`);
          // So high that nothing scrolls inside a card: what is half out of sight, axe cannot decide about.
          await page.look({ height: 2600 });
          expect(await auditPage(page, '.dock')).toEqual({ violations: [], incomplete: [] });
        }
    });
  });
});
