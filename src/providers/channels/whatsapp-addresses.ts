import { partBefore } from '#domain/present.ts'

/** How a conversation is called with us: the digits of a number, the address of who shows none, or of a group. */
export const conversationOf = (jid: string): string => {
  const [user = '', server] = jid.split('@')
  return server === 's.whatsapp.net' ? partBefore(user, ':') : `${partBefore(user, ':')}@${server}`
}

/** The address of a conversation. */
export const jidOf = (conversationKey: string): string =>
  conversationKey.includes('@') ? conversationKey : `${conversationKey.replace(/\D/g, '')}@s.whatsapp.net`

/** Of two names of somebody the one with a number. */
export const numbered = (jid: string, other: string | null | undefined): string =>
  other && !jid.endsWith('@s.whatsapp.net') && other.endsWith('@s.whatsapp.net') ? other : jid

/** The digits of a number; null for an address without one. */
export const digitsOf = (jid: string): string | null => (jid.endsWith('@s.whatsapp.net') ? conversationOf(jid) : null)

/** Whether it is a list of people to whom somebody sent one thing; the one of status posts is nobody's conversation. */
export const isList = (jid: string): boolean => jid.endsWith('@broadcast') && jid !== 'status@broadcast'

/** By what somebody is known, without how they are called. */
export const addressesOf = <T extends { readonly name: string }>({ name: _, ...addresses }: T): Omit<T, 'name'> =>
  addresses

/** The servers of addresses, by every name that gateways and libraries give them. */
const SERVERS: Readonly<Record<string, string>> = {
  ...{ 's.whatsapp.net': 's.whatsapp.net', 'c.us': 's.whatsapp.net', hosted: 's.whatsapp.net' },
  ...{ lid: 'lid', 'hosted.lid': 'lid', 'g.us': 'g.us', broadcast: 'broadcast', newsletter: 'newsletter' },
}

/** An address without the device that wrote, its server by one name; null for what is none. */
export function addressIn(given: string | undefined): string | null {
  const [, user, name = ''] =
    /^(status|\d{1,30}(?:-\d{1,20})?)(?:\.\d{1,5})?(?::\d{1,5})?@([a-z.]{1,20})$/.exec(given ?? '') ?? []
  const server = Object.hasOwn(SERVERS, name) ? SERVERS[name] : undefined
  if (!user || !server) return null
  const isPerson = server === 's.whatsapp.net' || server === 'lid'
  return isPerson && !/^\d+$/.test(user) ? null : `${user}@${server}`
}

/** The address of a number where it is told as one, with its server or in digits; null where it is none. */
export function numberIn(given: string | undefined): string | null {
  const digits = /^\+?(\d{5,15})$/.exec(given ?? '')?.[1]
  const address = digits ? `${digits}@s.whatsapp.net` : addressIn(given)
  return address?.endsWith('@s.whatsapp.net') ? address : null
}

/** Whether nobody converses there: status posts, channels. */
export const isNobodys = (given: string | undefined): boolean => /^status@broadcast$|@newsletter$/.test(given ?? '')
