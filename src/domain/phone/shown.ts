import { formatBrazilian } from './brazil.ts'

/** Formats a stored number: `+55 (19) 99812-4407`, `+14155550132`; other channel ids are returned unchanged. */
export function formatPhone(number: string | null): string {
  if (!number) return ''
  return formatBrazilian(number) ?? (/^\d{8,15}$/.test(number) ? `+${number}` : number)
}

/** Whether a WhatsApp address hides the number: a LID, or a BSUID (`BR.1349…`) of Meta's platform. */
export const isHiddenNumber = (address: string): boolean => /@lid$|^[A-Z]{2}\.\w+$/.test(address)
