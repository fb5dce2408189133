export function listProbes(peer: string): string[];
export function runProbe(peer: string, name: string): Promise<string>;
