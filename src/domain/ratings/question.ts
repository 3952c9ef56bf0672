/** One of the six ratings: its number, its label, and its own reply (empty: the general thanks). */
export type RatingOption = { readonly rating: number; readonly label: string; readonly message: string }

/** Default ratings of a company without its own (product facts 12.1). */
export const USUAL_RATINGS: readonly RatingOption[] = [
  'Ruim',
  'Regular',
  'Bom',
  'Muito Bom',
  'Excelente',
  'Incrível',
].map((label, rating) => ({ rating, label, message: '' }))

/** Returns the question to the customer: a heading and one line per rating. */
export const questionOf = (ratings: readonly Pick<RatingOption, 'rating' | 'label'>[]): string =>
  ['Avalie este atendimento:', ...ratings.map(({ rating, label }) => `${rating} - ${label}`)].join('\n')
