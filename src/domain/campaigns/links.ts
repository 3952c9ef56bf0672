/** URL up to the next space, without trailing punctuation. */
const LINK = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/g

/** Whether a URL has no variables; one with variables differs per recipient and is not replaced. */
const isFixed = (link: string): boolean => !link.includes('{{')

/** Returns the URLs in a text, in order, without those with variables. */
export const linksIn = (text: string): string[] => (text.match(LINK) ?? []).filter(isFixed)

/** Replaces each URL without variables by the result of `replace(index)`. */
export function withLinks(text: string, replace: (at: number) => string): string {
  let at = 0
  return text.replace(LINK, (link) => (isFixed(link) ? replace(at++) : link))
}

/** User agents of programs that fetch URLs for link previews. */
const PREVIEWS = /bot\b|crawler|spider|preview|facebookexternalhit|whatsapp|telegram|slurp/i

/** Whether a request's user agent is a link preview, not a person. */
export const isPreview = (userAgent: string): boolean => PREVIEWS.test(userAgent)
