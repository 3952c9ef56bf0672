/** Assistants with a switch per ticket; twelve wire fields, one internal map (decision A29). */
export const ASSISTANTS = [
  'dify',
  'lm',
  'gemini',
  'deepseek',
  'qwen',
  'claude',
  'grok',
  'ollama',
  'n8n',
  'typebot',
  'dialogflow',
  'chatgpt',
] as const

/** Assistant that has a switch per ticket. */
export type TicketAssistant = (typeof ASSISTANTS)[number]

/** Key beside a ticket's switches which records that an assistant failed last, so that people attend the customer. */
export const FAILED = 'failed'

/** Whether an assistant attends a ticket: one is on, and did not fail in it last. */
export const isAssisted = (switches: Readonly<Record<string, unknown>>): boolean =>
  switches[FAILED] !== true && ASSISTANTS.some((name) => switches[name] === true)

/** Returns the setting that switches an assistant on in every new ticket. */
export const everywhereKey = <Name extends TicketAssistant>(name: Name): `${Name}AllTickets` => `${name}AllTickets`

/** Wire fields of a ticket's switches. */
export const SWITCH_FIELDS = ASSISTANTS.map((name) => `${name}Status` as const)

/** Returns the wire field that switches an assistant of a ticket on or off. */
export const switchOf = (name: string, isOn: boolean) => ({ [`${name}Status`]: isOn ? 'enabled' : 'disabled' })

/** Kind of an assistant: language model, flow engine, or voice. */
export type AssistantKind = 'model' | 'flow' | 'voice'
