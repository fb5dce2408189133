export interface PgbouncerServer {
  readonly url: string;
  readonly log: string;
  stop(): Promise<void>;
}
export function startPgbouncer(options: {
  postgresUrl: string;
  mode: 'session' | 'transaction';
}): Promise<PgbouncerServer>;
