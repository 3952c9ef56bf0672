/** WhatsApp URL that opens a conversation with a number. */
const CHAT_LINK = /^(?:https?:\/\/)?(?:wa\.me\/|(?:api|web)\.whatsapp\.com\/send\/?\?phone=)\+?(\d{1,20})(?!\d)/i

/**
 * Extracts a typed number from pasted text: removes invisible marks, normalizes dashes, spaces and digits, and handles
 * `tel:`, `whatsapp:`, `p:` (Meta's leads), wa.me links and `0xx`. Other text keeps its letters.
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
