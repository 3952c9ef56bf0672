import type { Language } from '#domain/webchat/languages.ts'
import type { VisitorMessage } from '../contract.ts'
import { bodyOf, textOf } from './end-visit.ts'
import { sentence } from './sentences.ts'

/** Content of a mail to a visitor who has left; `takesAnswers`: replies reach the conversation. */
export type MailContent = {
  readonly title: string
  readonly language: Language
  readonly timeZone: string
  readonly takesAnswers: boolean
  /** Undelivered messages, oldest first, and the messages right before them. */
  readonly messages: readonly VisitorMessage[]
  readonly earlier: readonly VisitorMessage[]
}

/** Returns subject and text of the mail in the visitor's language, with the earlier conversation quoted at its end. */
export function mailTextOf(content: MailContent): { subject: string; text: string } {
  const { title, language, timeZone, takesAnswers, messages, earlier } = content
  const quoted = earlier.flatMap((message) => textOf(message, language, timeZone).split('\n'))
  const parts = [
    sentence('Você saiu antes de ver esta resposta:', language),
    ...messages.map((message) => messageText(message, language, title)),
    sentence(takesAnswers ? ANSWER : COME_BACK, language),
    ...(quoted.length > 0
      ? [[sentence('Antes, na conversa:', language), ...quoted.map((row) => `> ${row}`)].join('\n')]
      : []),
  ]
  return { subject: sentence('Sua conversa com {name}', language, title), text: parts.join('\n\n') }
}

const ANSWER = 'Para continuar, responda a este e-mail: sua resposta chega à mesma conversa.'
const COME_BACK = 'Para continuar, volte ao site em que você nos escreveu. Este e-mail não recebe respostas.'

function messageText(message: VisitorMessage, language: Language, title: string): string {
  const { author, media, buttons } = message
  const choices = buttons.map(({ text }) => `- ${text}`)
  const rows = [media && `[${media.name}]`, bodyOf(message, language), ...choices].filter(Boolean)
  return `${author ?? title}:\n${rows.join('\n')}`
}
