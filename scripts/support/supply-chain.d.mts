export function findSupplyChainFaults(given: { manifest: object; lock: object }): string[];
