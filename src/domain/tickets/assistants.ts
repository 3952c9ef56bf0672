/** The twelve assistants' switches on the wire; one map inside (decision A29). */
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

/** An assistant of those that a ticket has a switch for. */
export type TicketAssistant = (typeof ASSISTANTS)[number]

/** The mark beside a ticket's switches that an assistant failed in it last: people are to look after the customer. */
export const FAILED = 'failed'

/** Whether an assistant attends a ticket: one is on, and did not fail in it last. */
export const isAssisted = (switches: Readonly<Record<string, unknown>>): boolean =>
  switches[FAILED] !== true && ASSISTANTS.some((name) => switches[name] === true)

/** Returns the setting that switches an assistant on in every new ticket. */
export const everywhereKey = <Name extends TicketAssistant>(name: Name): `${Name}AllTickets` => `${name}AllTickets`

/** The field of a ticket that says whether an assistant is on there, as it is changed. */
export const switchOf = (name: string, isOn: boolean) => ({ [`${name}Status`]: isOn ? 'enabled' : 'disabled' })

/** Kind of an assistant: a language model, an engine of flows, or a voice. */
export type AssistantKind = 'model' | 'flow' | 'voice'
