/** The longest draft that the server keeps; a longer one stays in its browser. */
export const MOST_DRAFT = 20_000

/**
 * Resolves a conflict between the draft here and one of another device: an empty or equal one gives way; of two texts the
 * user chooses.
 */
export function mergeDrafts(own: string, other: string): 'own' | 'other' | 'ask' {
  if (own.trim() === '' || own === other) return 'other'
  return other === '' ? 'own' : 'ask'
}
