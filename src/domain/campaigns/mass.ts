/** Kinds of dispatches that are sent at once to a list. */
export const MASS_KINDS = ['text', 'text_variable', 'template', 'template_variable', 'sms'] as const
export type MassKind = (typeof MASS_KINDS)[number]

/** Whether a kind takes lines of numbers with values of their own. */
export const hasLines = (kind: MassKind): boolean => kind === 'text_variable' || kind === 'template_variable'

/** Whether a kind sends templates of the provider. */
export const isOfTemplates = (kind: MassKind): boolean => kind === 'template' || kind === 'template_variable'
