import type { ComponentType } from 'react'

/** Template with its filled-in values, sent by name. */
export type FilledTemplate = {
  readonly name: string
  readonly language: string
  readonly values: Readonly<Record<string, string>>
}

/** Props of the template dialog. */
export type SendTemplateProps = {
  whatsappId: number
  /** Why it is open, where nobody asked for it. */
  hint?: string
  /** Whether what it sends may have a file. */
  takesFiles: boolean
  /** A text with its variables filled in, as far as they are known before it is sent. */
  fill: (text: string) => string
  /** Sends what was chosen; fails as the server does. */
  send: (template: FilledTemplate, file: File | null) => Promise<void>
  onClose: () => void
}

/** Message template screens that conversations show. */
export type TemplateScreens = {
  /** Chooses a template, fills it in and sends it. */
  readonly loadSend: () => Promise<ComponentType<SendTemplateProps>>
}

let registered: TemplateScreens

/** Says who shows message templates (`web/features.tsx`). */
export function registerTemplateScreens(screens: TemplateScreens): void {
  registered = screens
}

/** Who shows message templates. */
export const templateScreens = (): TemplateScreens => registered
