/** WhatsApp URL that opens a conversation with a number. */
const CHAT_LINK = /^(?:https?:\/\/)?(?:wa\.me\/|(?:api|web)\.whatsapp\.com\/send\/?\?phone=)\+?(\d{1,20})(?!\d)/i

/**
 * Returns a number as people type it, from the forms in which it is pasted: without invisible marks, with plain dashes, spaces and
 * digits, and out of `tel:`, `whatsapp:`, `p:` (Meta's leads), links of wa.me and `0xx`. Text that is none of these keeps its letters.
 */
export function pastedNumber(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s/g, ' ')
    .trim()
  const [, linked] = CHAT_LINK.exec(plain) ?? []
  if (linked) return `+${linked}`
  return plain.replace(/^(?:tel|whatsapp|sms|callto|p): ?/i, '').replace(/^(\(?)0 ?xx ?/i, '$1')
}

/** Removes the trunk zero and carrier code from the digits of a Brazilian number (`0 15 19 …`, `(019) …`). */
export const withoutTrunk = (digits: string): string => digits.replace(/^0(?:[1-9]\d)?(?=[1-9]\d{9,10}$)/, '')
