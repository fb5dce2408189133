export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly pid: number;
  flushAll(): Promise<void>;
  countKeys(): Promise<number>;
  restart(options?: { downMs?: number }): Promise<void>;
  stop(): Promise<void>;
}
export function startRedis(options?: { port?: number }): Promise<RedisServer>;
