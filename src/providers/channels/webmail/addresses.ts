import type { Address } from 'postal-mime'
import type { MailPerson } from '#domain/messages/mail.ts'
import { withoutEnd, withoutEnds } from '#domain/text.ts'

const MOST_NAME = 120
/** Maximum number of addresses of a header that are read; only machines write more. */
const MOST_PEOPLE = 100

/** Parses an address, in lower case; null if invalid. */
export function addressIn(given: string | undefined): string | null {
  const address = (given ?? '').trim().replace(/^<|>$/g, '').toLowerCase()
  return /^[^\s\p{Cc}@<>()",;:\\]{1,64}@[^\s\p{Cc}@<>()",;:\\]{1,190}$/u.test(address) ? address : null
}

/** Returns the people of a header, including members of groups, each once; without those who have no valid address. */
export function peopleIn(given: readonly Address[] | Address | undefined): MailPerson[] {
  const mailboxes = [given ?? []].flat().flatMap((one) => one.group ?? [one])
  const people = mailboxes.slice(0, MOST_PEOPLE).flatMap(({ name, address }) => {
    const known = addressIn(address)
    return known ? [{ name: cleanName(name ?? '', known), address: known }] : []
  })
  return [...new Map(people.reverse().map((one) => [one.address, one])).values()].reverse()
}

const ADDRESS_WITHIN = /[^\s@<>()",;]+@[^\s@<>()",;]+\.[^\s@<>()",;]{2,}/

// An address repeated in the name is redundant; another address in it would mislead.
function cleanName(name: string, address: string): string {
  const shown = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, MOST_NAME)
  const at = shown.toLowerCase().indexOf(address)
  const around = [withoutEnd(shown.slice(0, at), /[\s<(]/), shown.slice(at + address.length).replace(/^[\s>)]+/, '')]
  const others = at < 0 ? shown : around.join(' ')
  return ADDRESS_WITHIN.test(others) ? '' : withoutEnds(others, /['"\s]/)
}
