// One page of a browser: what a person does with it, and what a test reads from it.
import { setTimeout as pause } from 'node:timers/promises';
import { describeKey, type Chord } from './keys.js';

/** How a page is looked at. What is left out stays as it was; at first 1400 by 1000, light, with motion. */
export interface Look {
  width?: number;
  height?: number;
  dark?: boolean;
  reducedMotion?: boolean;
  /** Device pixels for each pixel. */
  scale?: number;
}

/** The page's line to its browser. */
export interface PageLine {
  /** Whose cookies and storage it has. */
  context: string;
  send(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** A place in the page, in its pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** One page. */
export class Page {
  /** What the page logged or refused. */
  readonly troubles: string[] = [];
  /** What it asked the network for. */
  readonly requests: string[] = [];
  readonly #line: PageLine;
  #closing: Promise<void> | undefined;
  #look: Required<Look> = { width: 1400, height: 1000, dark: false, reducedMotion: false, scale: 1 };

  constructor(line: PageLine) {
    this.#line = line;
  }

  /** Whose cookies and storage it has. */
  get context(): string {
    return this.#line.context;
  }

  /** Makes a fresh page ready for its first address. */
  async begin(look: Look): Promise<void> {
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await this.send(`${domain}.enable`);
    await this.look(look);
  }

  send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.#line.send(method, params);
  }

  /** What the browser tells of it. */
  hear(method: string, params: Record<string, unknown>): void {
    if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded')
      this.troubles.push(JSON.stringify(params));
    if (method === 'Network.requestWillBeSent')
      this.requests.push(String((params['request'] as { url?: unknown } | undefined)?.url));
  }

  /** Opens an address and waits until the page there is ready. */
  async goto(url: string): Promise<void> {
    const { errorText } = await this.send('Page.navigate', { url });
    if (errorText !== undefined) throw new Error(`${url}: ${JSON.stringify(errorText)}`);
    await this.#untilReady(url);
  }

  /** Loads the page again, and waits until it is ready. */
  async reload(): Promise<void> {
    // The old page is ready as well, until it is gone.
    await this.read('delete document.documentElement.dataset.ready');
    await this.send('Page.reload');
    await this.#untilReady('the page, loaded again');
  }

  async #untilReady(what: string): Promise<void> {
    try {
      await this.until('document.documentElement?.dataset.ready === "true"');
    } catch (error) {
      throw new Error(`${what} did not become ready. ${this.troubles.join('\n')}`, { cause: error });
    }
  }

  /** Changes how the page is looked at, without loading it again. */
  async look(look: Look): Promise<void> {
    this.#look = { ...this.#look, ...look };
    const { width, height, scale, dark, reducedMotion } = this.#look;
    await this.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: scale,
      mobile: false,
    });
    await this.send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
        { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' },
      ],
    });
    await this.settle();
  }

  /** Has every new request of the page fail, or work again. Connections that stand, stand; `cut-line.ts` cuts those. */
  async setOffline(offline: boolean): Promise<void> {
    await this.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
  }

  /** The value of an expression in the page. */
  async read<T>(expression: string): Promise<T> {
    const reply = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    const { result, exceptionDetails } = reply as { result: { value: T }; exceptionDetails?: unknown };
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return result.value;
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string): Promise<void> {
    let trouble: unknown;
    for (let count = 0; count < 800; count += 1) {
      try {
        if (await this.read<boolean>(`Boolean(${expression})`)) return;
      } catch (error) {
        // While it goes from one document to the next, a page has nothing to evaluate in.
        trouble = error;
      }
      await pause(25);
    }
    throw new Error(`This did not become true: ${expression}`, { cause: trouble });
  }

  /** Waits until what was changed is drawn, also where that led to another document. */
  async settle(): Promise<void> {
    const draw =
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))';
    try {
      await this.read(draw);
    } catch (error) {
      // The document in which this was asked is gone. The one that follows may not be there yet.
      if (!(error instanceof Error && error.message.includes('navigated'))) throw error;
      await this.until(draw);
    }
  }

  /** Waits until a text stands somewhere on the page. */
  async untilText(text: string): Promise<void> {
    await this.until(`document.body.innerText.includes(${JSON.stringify(text)})`);
  }

  /** Presses a key, as a person does: `press('?')`, `press('Enter', { ctrl: true })`. */
  async press(key: string, chord: Chord = {}): Promise<void> {
    const { down, up } = describeKey(key, chord);
    await this.send('Input.dispatchKeyEvent', down);
    await this.send('Input.dispatchKeyEvent', up);
    await this.settle();
  }

  /** Writes into what has the focus. */
  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text });
    await this.settle();
  }

  async mouse(type: 'mousePressed' | 'mouseReleased' | 'mouseMoved', x: number, y: number): Promise<void> {
    await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 });
  }

  async click(x: number, y: number): Promise<void> {
    await this.mouse('mousePressed', x, y);
    await this.mouse('mouseReleased', x, y);
    await this.settle();
  }

  /** Clicks the middle of the first element of a selector (with `text` in it), once there is one, as a mouse does. */
  async clickOn(selector: string, text?: string): Promise<void> {
    const found = `[...document.querySelectorAll(${JSON.stringify(selector)})].find((element) => ${
      text === undefined ? 'true' : `element.textContent.includes(${JSON.stringify(text)})`
    })`;
    await this.until(found);
    await this.read(`${found}?.scrollIntoView({ block: 'nearest', behavior: 'instant' })`);
    await this.settle();
    const { left, top, width, height } = await this.#restingBox(found);
    await this.click(left + width / 2, top + height / 2);
  }

  /** Where an element is once it stays there: what is still drawn or moved would be missed. */
  async #restingBox(found: string): Promise<Box> {
    const look = `(({ left, top, width, height }) => ({ left, top, width, height }))(${found}.getBoundingClientRect())`;
    let box = await this.read<Box>(look);
    for (let tries = 0; tries < 100; tries += 1) {
      const before = JSON.stringify(box);
      await this.settle();
      box = await this.read<Box>(look);
      if (JSON.stringify(box) === before) break;
    }
    return box;
  }

  /** A picture of the page, as PNG. */
  async capture(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }

  /** Closes it; a second time does nothing. */
  async close(): Promise<void> {
    this.#closing ??= this.#line.close();
    await this.#closing;
  }
}
