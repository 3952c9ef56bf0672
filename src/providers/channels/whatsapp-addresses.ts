/** How a conversation is called with us: the digits of a number, the address of who shows none, or of a group. */
export const conversationOf = (jid: string): string => {
  const [user = '', server] = jid.split('@')
  return server === 's.whatsapp.net' ? user.split(':')[0]! : `${user.split(':')[0]}@${server}`
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
