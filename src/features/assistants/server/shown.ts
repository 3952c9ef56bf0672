import type { Answer, Bubble } from '#providers/assistants/port.ts'

const textOf = (bubble: Bubble): string => {
  if (bubble.kind === 'text') return bubble.text
  if (bubble.kind === 'options') return [bubble.text, ...bubble.options.map((option) => `• ${option}`)].join('\n')
  return bubble.kind === 'file' ? bubble.url : ''
}

/** Joins the texts of an answer. */
export const shownText = ({ bubbles }: Pick<Answer, 'bubbles'>): string =>
  bubbles.map(textOf).filter(Boolean).join('\n')

/** Joins the texts of an answer; describes its actions if it has no text. */
export function shownAnswer(answer: Answer): string {
  const text = shownText(answer)
  if (text) return text
  if (answer.handsOver) return 'Passou a conversa a uma pessoa.'
  return answer.isDeferred ? 'Recebeu a mensagem; a resposta vem depois.' : ''
}
