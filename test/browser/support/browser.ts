// A real browser, driven over a pipe by its own protocol: no driver to install, no port to open.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** The browser's path: INBOARD_BROWSER, or one found on the PATH. */
export function findBrowser(): string | undefined {
  const given = process.env['INBOARD_BROWSER'];
  if (given) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

interface Reply {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** One page in a browser of its own. */
export class Page {
  /** What the page logged, refused or asked the network for. */
  readonly troubles: string[] = [];
  readonly requests: string[] = [];
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<
    number,
    { resolve(value: Record<string, unknown>): void; reject(error: Error): void }
  >();
  #session: string | undefined;
  #lastId = 0;

  private constructor(child: ChildProcess, profile: string) {
    this.#child = child;
    this.#profile = profile;
    let rest = '';
    const output = child.stdio[4] as Readable;
    output.setEncoding('utf8');
    output.on('data', (text: string) => {
      const parts = (rest + text).split('\0');
      rest = parts.pop() ?? '';
      for (const part of parts) this.#receive(JSON.parse(part) as Reply);
    });
    child.once('exit', () => {
      for (const waiter of this.#waiting.values()) waiter.reject(new Error('The browser is gone'));
    });
  }

  /** Starts a browser of the given size and opens a page in it. */
  static async open(
    browser: string,
    url: string,
    { width = 1400, height = 1000, dark = false }: { width?: number; height?: number; dark?: boolean } = {},
  ): Promise<Page> {
    const profile = mkdtempSync(join(tmpdir(), 'browser-'));
    const flags = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-dev-shm-usage',
    ];
    const child = spawn(browser, [...flags, '--remote-debugging-pipe', `--user-data-dir=${profile}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // In a group of its own, so that its helpers, who write into the profile, end with it.
      detached: true,
    });
    const page = new Page(child, profile);
    try {
      const { targetId } = await page.send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await page.send('Target.attachToTarget', { targetId, flatten: true });
      page.#session = String(sessionId);
      for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
      await page.send('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile: false,
      });
      const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }];
      await page.send('Emulation.setEmulatedMedia', { features });
      await page.send('Page.navigate', { url });
      await page.until('document.documentElement?.dataset.ready === "true"');
    } catch (error) {
      await page.close();
      throw error;
    }
    return page;
  }

  send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    this.#lastId += 1;
    const id = this.#lastId;
    const message = {
      id,
      method,
      params,
      ...(this.#session === undefined ? {} : { sessionId: this.#session }),
    };
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
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
    for (let count = 0; count < 600; count += 1) {
      if (await this.read<boolean>(`Boolean(${expression})`)) return;
      await pause(25);
    }
    throw new Error(`This did not become true: ${expression}`);
  }

  async press(key: string, text?: string): Promise<void> {
    await this.send('Input.dispatchKeyEvent', {
      type: 'keyDown',
      key,
      ...(text === undefined ? {} : { text }),
    });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }

  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text });
  }

  async mouse(type: 'mousePressed' | 'mouseReleased' | 'mouseMoved', x: number, y: number): Promise<void> {
    await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1 });
  }

  async click(x: number, y: number): Promise<void> {
    await this.mouse('mousePressed', x, y);
    await this.mouse('mouseReleased', x, y);
  }

  /** A picture of the page, as PNG. */
  async capture(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }

  async close(): Promise<void> {
    const isGone = this.#child.exitCode !== null || this.#child.signalCode !== null;
    const exited = isGone ? Promise.resolve() : once(this.#child, 'exit');
    endGroup(this.#child);
    await exited;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  #receive({ id, method, params, result, error }: Reply): void {
    if (id !== undefined) {
      const waiter = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiter?.reject(new Error(error.message));
      else waiter?.resolve(result ?? {});
      return;
    }
    if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded')
      this.troubles.push(JSON.stringify(params));
    if (method === 'Network.requestWillBeSent') {
      this.requests.push(String((params?.['request'] as { url?: unknown } | undefined)?.url));
    }
  }
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
