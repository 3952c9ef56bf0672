/** Hundredths of a decimal text such as `1234.5`. */
export function centsOf(value: string): bigint {
  const [whole = '0', part = ''] = value.split('.')
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0').slice(0, 2))
}

/** Decimal text with two places, of hundredths that are not negative. */
export const decimalOf = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`

/** The sum of decimal texts. */
export const sumOf = (values: readonly string[]): string =>
  decimalOf(values.reduce((sum, value) => sum + centsOf(value), 0n))
