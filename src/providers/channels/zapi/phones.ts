/** Returns the conversation key of Z-API's `phone`: digits, an address of a hidden number, or a group. */
export const conversationOf = (phone: string, isGroup = phone.endsWith('-group')): string =>
  isGroup ? `${phone.replace(/-group$|@g\.us$/, '')}@g.us` : phone.replace(/@s\.whatsapp\.net$/, '')

/** Whether a conversation key is valid. */
export const isConversation = (conversationKey: string): boolean =>
  /^(\d{4,20}|\d{4,20}@lid|\d{2,30}(-\d{1,20})?@g\.us)$/.test(conversationKey)

/** Returns Z-API's name of a conversation; older groups contain their creator in it. */
export function phoneOf(conversationKey: string): string {
  if (!conversationKey.endsWith('@g.us')) return conversationKey
  const id = conversationKey.slice(0, -'@g.us'.length)
  return id.includes('-') ? id : `${id}-group`
}
