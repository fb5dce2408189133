export function findPostgres(): string | undefined;
export function findRedis(): string | undefined;
export function findPgbouncer(): string | undefined;
export function findProgram(name: string): string | undefined;
export function describeMissingServers(): string | undefined;
