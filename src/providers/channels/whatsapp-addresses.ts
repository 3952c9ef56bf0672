import { partBefore } from '#domain/present.ts'

/** Returns the conversation key of a JID: the digits of a number, or the address of a hidden number or a group. */
export const conversationOf = (jid: string): string => {
  const [user = '', server] = jid.split('@')
  return server === 's.whatsapp.net' ? partBefore(user, ':') : `${partBefore(user, ':')}@${server}`
}

/** Returns the JID of a conversation key. */
export const jidOf = (conversationKey: string): string =>
  conversationKey.includes('@') ? conversationKey : `${conversationKey.replace(/\D/g, '')}@s.whatsapp.net`

/** Returns the one of a person's two JIDs that has a number. */
export const numbered = (jid: string, other: string | null | undefined): string =>
  other && !jid.endsWith('@s.whatsapp.net') && other.endsWith('@s.whatsapp.net') ? other : jid

/** Returns the digits of a JID; null for one without a number. */
export const digitsOf = (jid: string): string | null => (jid.endsWith('@s.whatsapp.net') ? conversationOf(jid) : null)

/** Whether a JID is a broadcast list, other than that of status posts. */
export const isList = (jid: string): boolean => jid.endsWith('@broadcast') && jid !== 'status@broadcast'

/** Returns the addresses of a sender, without the name. */
export const addressesOf = <T extends { readonly name: string }>({ name: _, ...addresses }: T): Omit<T, 'name'> =>
  addresses

/** Canonical JID servers by all names that gateways and libraries use. */
const SERVERS: Readonly<Record<string, string>> = {
  ...{ 's.whatsapp.net': 's.whatsapp.net', 'c.us': 's.whatsapp.net', hosted: 's.whatsapp.net' },
  ...{ lid: 'lid', 'hosted.lid': 'lid', 'g.us': 'g.us', broadcast: 'broadcast', newsletter: 'newsletter' },
}

/** Parses a JID without its device part, with the canonical server; null if invalid. */
export function addressIn(given: string | undefined): string | null {
  const [, user, name = ''] =
    /^(status|\d{1,30}(?:-\d{1,20})?)(?:\.\d{1,5})?(?::\d{1,5})?@([a-z.]{1,20})$/.exec(given ?? '') ?? []
  const server = Object.hasOwn(SERVERS, name) ? SERVERS[name] : undefined
  if (!user || !server) return null
  const isPerson = server === 's.whatsapp.net' || server === 'lid'
  return isPerson && !/^\d+$/.test(user) ? null : `${user}@${server}`
}

/** Returns the JID of a number given as a JID or as digits; null if it is no number. */
export function numberIn(given: string | undefined): string | null {
  const digits = /^\+?(\d{5,15})$/.exec(given ?? '')?.[1]
  const address = digits ? `${digits}@s.whatsapp.net` : addressIn(given)
  return address?.endsWith('@s.whatsapp.net') ? address : null
}

/** Whether a JID is no conversation: status posts, channels. */
export const isNobodys = (given: string | undefined): boolean => /^status@broadcast$|@newsletter$/.test(given ?? '')
