export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  empty(): void;
  unmount(): void;
}
export function mountSmallDisk(megabytes: number): SmallDisk;
