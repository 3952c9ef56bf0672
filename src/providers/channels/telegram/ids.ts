import { partBefore } from '#domain/present.ts'

/** A message of a bot's as the product knows it: its numbers hold for one bot and one chat alone. */
export const providerIdOf = (botId: string, chatId: number | string, messageId: number | string): string =>
  `${botId}/${chatId}/${messageId}`

/** The chat and the number of a message of this bot; null for one of another bot, and for what is no message. */
export function messageIn(botId: string, providerId: string): { chatId: string; messageId: number } | null {
  const [bot, chatId = '', messageId = ''] = providerId.split('/')
  return bot === botId && /^-?\d+$/.test(chatId) && /^\d+$/.test(messageId)
    ? { chatId, messageId: Number(messageId) }
    : null
}

/** The bot of a token: what stands before its colon. */
export const botIdOf = (token: string): string => partBefore(token, ':')
