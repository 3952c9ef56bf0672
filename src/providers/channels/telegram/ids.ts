import { partBefore } from '#domain/present.ts'

/** Returns the provider id of a message: bot, chat and number, as numbers are unique within a bot's chat only. */
export const providerIdOf = (botId: string, chatId: number | string, messageId: number | string): string =>
  `${botId}/${chatId}/${messageId}`

/** Parses chat and number of a message of this bot; null for another bot's message, or if it is no message. */
export function messageIn(botId: string, providerId: string): { chatId: string; messageId: number } | null {
  const [bot, chatId = '', messageId = ''] = providerId.split('/')
  return bot === botId && /^-?\d+$/.test(chatId) && /^\d+$/.test(messageId)
    ? { chatId, messageId: Number(messageId) }
    : null
}

/** Returns the bot id of a token: the part before its colon. */
export const botIdOf = (token: string): string => partBefore(token, ':')
