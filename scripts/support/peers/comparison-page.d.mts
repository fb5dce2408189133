/** One statement about one peer. */
export interface Cell {
  value: string;
  how: 'program' | 'reading' | 'trial';
  /** Where it can be read: an address, or a page of docs/. Cells by program have none. */
  at?: string;
}
export interface Peer {
  id: string;
  name: string;
  /** On npm; only a peer that the probes install has one. */
  package?: string;
  /** Ours is that of the checkout, and not said again. */
  version?: string;
  date: string;
}
export interface Row {
  id: string;
  title: string;
  tables: string[];
  cells: Record<string, Cell>;
}
export interface Comparison {
  peers: Peer[];
  tables: Array<{ id: string; heading: string; peers: string[] }>;
  short: { peers: string[]; rows: string[] };
  rows: Row[];
}
export function buildComparisonPage(data: Comparison, opening: string): string;
export function fillComparisonPart(readme: string, data: Comparison): string;
