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
  /** Reason why the dialog opened by itself. */
  hint?: string
  /** Whether the template may have a file. */
  takesFiles: boolean
  /** Fills the variables of a text, as far as they are known before sending. */
  fill: (text: string) => string
  /** Sends the filled-in template; rejects with the server's error. */
  send: (template: FilledTemplate, file: File | null) => Promise<void>
  onClose: () => void
}

/** Message template screens that conversations show. */
export type TemplateScreens = {
  /** Chooses a template, fills it in and sends it. */
  readonly loadSend: () => Promise<ComponentType<SendTemplateProps>>
}

let registered: TemplateScreens

/** Registers the template screens (called in `web/features.tsx`). */
export function registerTemplateScreens(screens: TemplateScreens): void {
  registered = screens
}

/** Returns the registered template screens. */
export const templateScreens = (): TemplateScreens => registered
