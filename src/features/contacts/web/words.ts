import { formatBrazilian } from '#domain/phone/brazil.ts'

/** A stored number as people read it: `+55 (19) 99812-4407`, `+14155550132`; other ids of channels as they are. */
export function phoneText(number: string | null): string {
  if (!number) return ''
  return formatBrazilian(number) ?? (/^\d{8,15}$/.test(number) ? `+${number}` : number)
}

/** `1968-03-14` as `14/03/1968`; other text as it is. */
export const dayText = (iso: string): string => iso.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1')

/** `14/03/1968` as `1968-03-14`; other text as it is, for the contract to refuse. */
export const dayOf = (text: string): string => text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1')
