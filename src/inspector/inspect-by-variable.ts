export async function inspectByVariable(_value: string): Promise<void> {}
