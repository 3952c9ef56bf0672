import { isoDay, localTime } from '../calendar/local-time.ts'

/** A ticket's protocol number: the day it was created on in the tenant's zone as `AAAAMMDD`, then its id. */
export function protocolOf(ticketId: number, createdAt: number, offsetMinutes: number): string {
  return `${isoDay(localTime(createdAt, offsetMinutes)).replaceAll('-', '')}${ticketId}`
}
