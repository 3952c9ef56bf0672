import type { Locator, Page } from '@playwright/test'

/** The attendance screen as a person finds their way in it. */
export type Attendance = {
  list: Locator
  tab(name: 'Abertos' | 'Pendentes' | 'Adiados' | 'Chatbot' | 'Resolvidos' | 'Menções'): Locator
  /** The row that shows these words. */
  row(words: string): Locator
  /** Opens the conversation of the row that shows these words. */
  open(words: string): Promise<void>
  conversation: Locator
  messages: Locator
  /** The bubble with exactly this text. */
  bubble(text: string): Locator
  field: Locator
  note: Locator
  /** Writes into the composer and sends with Enter. */
  say(text: string): Promise<void>
  attach: Locator
}

/** Finds the parts of the attendance screen on a page. */
export function attendance(page: Page): Attendance {
  const list = page.getByRole('list', { name: 'Atendimentos' })
  const conversation = page.getByRole('region', { name: /^Conversa com/ })
  const messages = page.getByRole('log', { name: 'Mensagens' })
  const field = conversation.getByLabel('Mensagem', { exact: true })
  const row = (words: string) => list.getByRole('listitem').filter({ hasText: words })
  return {
    list,
    tab: (name) => page.getByRole('group', { name: 'Situação' }).getByRole('button', { name: new RegExp(`^${name}`) }),
    row,
    open: (words) => row(words).getByRole('link').click(),
    conversation,
    messages,
    bubble: (text) => messages.getByRole('article').filter({ has: page.getByText(text, { exact: true }) }),
    field,
    note: conversation.getByLabel('Nota interna', { exact: true }),
    async say(text) {
      await field.fill(text)
      await field.press('Enter')
    },
    attach: conversation.locator('input[type=file]'),
  }
}
