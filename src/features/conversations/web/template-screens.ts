import type { ComponentType } from 'react'
import type { MessageRow } from '../messages-contract.ts'

/** What message templates show within conversations. */
export type TemplateScreens = {
  /** Chooses a template, fills it in and sends it. */
  readonly loadSend: () => Promise<
    ComponentType<{
      ticketId: number
      whatsappId: number
      fill: (text: string) => string
      onSent: (messages: readonly MessageRow[]) => void
      onClose: () => void
    }>
  >
}

let registered: TemplateScreens

/** Says who shows message templates (`web/features.tsx`). */
export function registerTemplateScreens(screens: TemplateScreens): void {
  registered = screens
}

/** Who shows message templates. */
export const templateScreens = (): TemplateScreens => registered
