/** How many letters of a contact's name a restricted user reads (product facts 6.4); `contacts.shown_name` has as many. */
const SHOWN_LETTERS = 5

/** A contact's name as restricted users read it: five letters, and a sign that there is more. */
export function maskName(name: string): string {
  const letters = [...name]
  return letters.length > SHOWN_LETTERS ? `${letters.slice(0, SHOWN_LETTERS).join('')}…` : name
}

/** The part of a name that restricted users read, as they may look for it; null for a text that asks for more than that. */
export function searchableName(text: string): string | null {
  const asked = text.trim().replace(/…$/, '')
  return asked !== '' && [...asked].length <= SHOWN_LETTERS ? asked : null
}

/** Something of a contact that restricted users know to exist, and not what it is: number, e-mail, document. */
export function maskValue(value: string): string
export function maskValue(value: string | null): string | null
export function maskValue(value: string | null): string | null {
  return value ? '•••••••' : value
}

/** Something of a contact that restricted users do not get at all: the picture. */
export const withhold = (): null => null

/** The same for lists. */
export const withholdAll = (): [] => []
