import { includes } from '#domain/access/plan.ts'
import { ASSISTANTS, type TicketAssistant } from '#domain/tickets/assistants.ts'
import type { TenantSettings } from '#kit/settings.ts'

type Switches = Readonly<Record<TicketAssistant, string>>

const setOf = (switches: Switches): ReadonlySet<TicketAssistant> =>
  new Set(ASSISTANTS.filter((name) => switches[name] === 'enabled'))

/** Returns the assistants that the company permits. */
export const permittedBy = ({ values, plan }: Pick<TenantSettings, 'values' | 'plan'>): ReadonlySet<TicketAssistant> =>
  includes(plan, 'assistants')
    ? setOf({
        ...{ typebot: values.typebot, dialogflow: values.dialogflow, n8n: values.n8n, dify: values.dify },
        ...{ chatgpt: values.chatgpt, ollama: values.ollama, lm: values.lm, grok: values.grok },
        ...{ gemini: values.gemini, deepseek: values.deepseek, qwen: values.qwen, claude: values.claude },
      })
    : new Set()

/** Returns the assistants that are switched on in every new ticket. */
export const everywhereBy = ({ values }: Pick<TenantSettings, 'values'>): ReadonlySet<TicketAssistant> =>
  setOf({
    ...{ typebot: values.typebotAllTickets, dialogflow: values.dialogflowAllTickets, n8n: values.n8nAllTickets },
    ...{ dify: values.difyAllTickets, chatgpt: values.chatgptAllTickets, ollama: values.ollamaAllTickets },
    ...{ lm: values.lmAllTickets, grok: values.grokAllTickets, gemini: values.geminiAllTickets },
    ...{ deepseek: values.deepseekAllTickets, qwen: values.qwenAllTickets, claude: values.claudeAllTickets },
  })

/** Whether the company permits a provider's accounts to answer customers. */
export const isPermitted = (settings: Pick<TenantSettings, 'values' | 'plan'>, provider: string): boolean =>
  [...permittedBy(settings)].some((name) => name === provider)
