import type { FrameLocator, Locator, Page } from '@playwright/test'

/** The webchat on a customer's page: the button on the page and the conversation in our frame. */
export type Widget = {
  launcher: Locator
  chat: FrameLocator
  field: Locator
  log: Locator
  /** Writes into the conversation and sends with Enter. */
  say(text: string): Promise<void>
}

/** Finds the parts of the webchat on a page. */
export function widget(page: Page): Widget {
  const chat = page.frameLocator('#guiche-webchat iframe')
  const field = chat.getByRole('textbox', { name: 'Mensagem' })
  return {
    launcher: page.locator('#guiche-webchat .go'),
    chat,
    field,
    log: chat.getByRole('log'),
    async say(text) {
      await field.fill(text)
      await field.press('Enter')
    },
  }
}
