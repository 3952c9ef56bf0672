type Variant = { round: string; name: string; pool?: number; moment?: (now: Date) => Date }
export const ROUNDS: readonly string[]
export const VARIANTS: readonly Variant[]
export function drawn(file: string, now: Date): Variant
export function testFiles(): string[]
