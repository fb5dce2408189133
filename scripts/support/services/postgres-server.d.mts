type RunProgram = (program: string, args: readonly string[]) => Promise<void>;

export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly log: string;
  readonly pid: number;
  readonly run: RunProgram;
  halt(mode?: 'immediate' | 'fast'): Promise<void>;
  pause(): void;
  resume(): void;
  go(): Promise<void>;
  revive(): Promise<void>;
  restart(options?: { mode?: 'immediate' | 'fast'; downMs?: number }): Promise<void>;
  stop(): Promise<void>;
}
export function startPostgres(options?: {
  port?: number;
  settings?: Readonly<Record<string, string | number>>;
  parent?: string;
  fill?: (data: string, run: RunProgram) => Promise<void>;
}): Promise<PostgresServer>;
