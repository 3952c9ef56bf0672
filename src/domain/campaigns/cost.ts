/** Parses a price in R$ (`0,35`); null if empty. */
export function priceOf(text: string): number | null {
  const price = Number(text.replace(',', '.'))
  return text.trim() === '' || Number.isNaN(price) || price <= 0 ? null : price
}

/** Returns the problem of a price setting; null if valid. */
export const priceProblem = (text: string): string | null =>
  text === '' || /^\d{1,4}([.,]\d{1,4})?$/.test(text) ? null : 'Informe o preço em reais, como 0,35.'

/** Returns the cost of `count` messages at `price` each, as decimal text with two places. */
export const costOf = (price: number, count: number): string => (price * count).toFixed(2)
