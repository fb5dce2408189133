// The interfaces between a fake CLI and its pipes. The pipes are in memory, or those of a process.

/** What a CLI is started with. */
export interface FakeLaunch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
}

/** What the fake can do with its pipes and its process. After `end`, no other method has an effect. */
export interface FakePipes {
  write(bytes: Buffer): void;
  stderr(text: string): void;
  end(how: { readonly exitCode?: number; readonly signal?: string }): void;
  closeInput(): void;
  closeOutput(): void;
  setReading(isReading: boolean): void;
  ignoreTerm(): void;
}

/** What the pipes report to the fake. */
export interface FakeProgram {
  line(text: string): void;
  inputEnded(): void;
  /** Is called when the process has ended, for any reason. */
  gone(): void;
}
