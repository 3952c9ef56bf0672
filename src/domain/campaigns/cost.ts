/** Reads a price in R$ as people write it (`0,35`); null where none is set. */
export function priceOf(text: string): number | null {
  const price = Number(text.replace(',', '.'))
  return text.trim() === '' || Number.isNaN(price) || price <= 0 ? null : price
}

/** Returns what is wrong with a price as a setting has it; null where nothing is. */
export const priceProblem = (text: string): string | null =>
  text === '' || /^\d{1,4}([.,]\d{1,4})?$/.test(text) ? null : 'Informe o preço em reais, como 0,35.'

/** Returns the cost of `count` messages at `price` each, as decimal text with two places. */
export const costOf = (price: number, count: number): string => (price * count).toFixed(2)
