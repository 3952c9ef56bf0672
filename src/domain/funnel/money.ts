/** Parses decimal text such as `1234.5` to cents. */
export function centsOf(value: string): bigint {
  const [whole = '0', part = ''] = value.split('.')
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0').slice(0, 2))
}

/** Formats non-negative cents as decimal text with two places. */
export const decimalOf = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`

/** Returns the sum of decimal texts. */
export const sumOf = (values: readonly string[]): string =>
  decimalOf(values.reduce((sum, value) => sum + centsOf(value), 0n))

/** Parses a sum as people write it (“R$ 1.234,50”, “1234.5”) as decimal text with two places; null where it is none. */
export function readMoney(text: string): string | null {
  const bare = text.replace(/R\$|\s/g, '')
  const plain = bare.includes(',') ? bare.replaceAll('.', '').replace(',', '.') : bare
  return /^\d{1,12}(\.\d{1,2})?$/.test(plain) ? decimalOf(centsOf(plain)) : null
}
