import { isoDay, localTime } from '../calendar/local-time.ts'

/** Returns a ticket's protocol number: its creation day in the tenant's zone as `AAAAMMDD`, then its id. */
export function protocolOf(ticketId: number, createdAt: number, offsetMinutes: number): string {
  return `${isoDay(localTime(createdAt, offsetMinutes)).replaceAll('-', '')}${ticketId}`
}

const DAY_DIGITS = 8

/** Parses a ticket id or protocol number to the ticket id; null if neither. */
export function ticketOfProtocol(text: string): number | null {
  const digits = text.replace(/[\s.-]/g, '')
  if (!/^\d{1,24}$/.test(digits)) return null
  const isProtocol = /^20\d{2}(0[1-9]|1[0-2])([0-2]\d|3[01])\d/.test(digits)
  const id = Number(isProtocol ? digits.slice(DAY_DIGITS) : digits)
  return Number.isSafeInteger(id) ? id : null
}
