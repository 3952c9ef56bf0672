/** An address up to the next space; punctuation behind it is not part of it. */
const LINK = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/g

/** Whether a link has no variables; one with variables differs per recipient and stays as it is. */
const isFixed = (link: string): boolean => !link.includes('{{')

/** Returns the addresses in a text, in order, without those with variables. */
export const linksIn = (text: string): string[] => (text.match(LINK) ?? []).filter(isFixed)

/** Replaces each of them by what `replace` returns for its place, from 0. */
export function withLinks(text: string, replace: (at: number) => string): string {
  let at = 0
  return text.replace(LINK, (link) => (isFixed(link) ? replace(at++) : link))
}

/** User agents of programs that fetch an address only for a preview. */
const PREVIEWS = /bot\b|crawler|spider|preview|facebookexternalhit|whatsapp|telegram|slurp/i

/** Whether a request comes from a program that makes previews, and not from a person. */
export const isPreview = (userAgent: string): boolean => PREVIEWS.test(userAgent)
