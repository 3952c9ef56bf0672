/** The longest draft that the server keeps; a longer one stays in its browser. */
export const MOST_DRAFT = 20_000

/**
 * Which draft stays where one was written here while another device wrote too: what is empty, or the same, gives way, and
 * of two texts a person chooses.
 */
export function mergeDrafts(own: string, other: string): 'own' | 'other' | 'ask' {
  if (own.trim() === '' || own === other) return 'other'
  return other === '' ? 'own' : 'ask'
}
