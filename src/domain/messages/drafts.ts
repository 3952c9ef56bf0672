/** Maximum length of a draft on the server; a longer one stays in its browser. */
export const MOST_DRAFT = 20_000

/**
 * Decides which draft to keep after two devices wrote: an empty or equal one yields; between two different texts the user
 * chooses.
 */
export function mergeDrafts(own: string, other: string): 'own' | 'other' | 'ask' {
  if (own.trim() === '' || own === other) return 'other'
  return other === '' ? 'own' : 'ask'
}
