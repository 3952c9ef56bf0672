import { type Language, SENTENCES, type Sentence, translated } from '#domain/webchat/languages.ts'

/** Sentences sent to visitors outside of their page: in transcripts and mails. */
const OUTSIDE: readonly Sentence[] = [
  ['Atendimento', 'Team', 'Atención'],
  ['(apagada)', '(deleted)', '(eliminado)'],
  ['conversa', 'chat', 'conversacion'],
  ['Sua conversa com {name}', 'Your chat with {name}', 'Su conversación con {name}'],
  [
    'Você saiu antes de ver esta resposta:',
    'You left before you saw this answer:',
    'Usted salió antes de ver esta respuesta:',
  ],
  [
    'Para continuar, responda a este e-mail: sua resposta chega à mesma conversa.',
    'To go on, just reply to this e-mail: your reply reaches the same chat.',
    'Para continuar, responda a este correo: su respuesta llega a la misma conversación.',
  ],
  [
    'Para continuar, volte ao site em que você nos escreveu. Este e-mail não recebe respostas.',
    'To go on, come back to the site on which you wrote to us. This address takes no replies.',
    'Para continuar, vuelva al sitio en el que nos escribió. Este correo no recibe respuestas.',
  ],
  ['Antes, na conversa:', 'Earlier in the chat:', 'Antes, en la conversación:'],
]

const ROWS = new Map([...SENTENCES, ...OUTSIDE].map((row) => [row[0], row]))
const LOCALES: Readonly<Record<Language, string>> = { pt: 'pt-BR', en: 'en', es: 'es' }

/** Translates a sentence for a visitor by its Portuguese text; fills in `{name}`. */
export const sentence = (text: string, language: Language, name = ''): string =>
  translated(text, language, ROWS).replaceAll('{name}', () => name)

/** Formats a moment in the visitor's language and the company's zone. */
export const momentText = (at: number, language: Language, timeZone: string): string =>
  new Date(at).toLocaleString(LOCALES[language], { timeZone, dateStyle: 'short', timeStyle: 'short' })
