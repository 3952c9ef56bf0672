/**
 * Number of letters of a contact's name shown to restricted users (product facts 6.4); `contacts.shown_name` has the same
 * length.
 */
const SHOWN_LETTERS = 5

/** Masks a contact's name for restricted users: its first five letters and an ellipsis. */
export function maskName(name: string): string {
  const letters = [...name]
  return letters.length > SHOWN_LETTERS ? `${letters.slice(0, SHOWN_LETTERS).join('')}…` : name
}

/**
 * Returns the part of a name that restricted users may search for; null if the text is empty or longer than the shown
 * letters.
 */
export function searchableName(text: string): string | null {
  const asked = text.trim().replace(/…$/, '')
  return asked !== '' && [...asked].length <= SHOWN_LETTERS ? asked : null
}

/** Masks a contact's number, e-mail or document for restricted users; empty values remain. */
export function maskValue(value: string): string
export function maskValue(value: string | null): string | null
export function maskValue(value: string | null): string | null {
  return value ? '•••••••' : value
}

/** Replaces a contact's picture by null for restricted users. */
export const withhold = (): null => null

/** Replaces a list by an empty one for restricted users. */
export const withholdAll = (): [] => []
