import { ASSISTANTS, everywhereKey, type TicketAssistant } from '#domain/tickets/assistants.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'

/** The assistants that the company lets answer. */
export const permittedBy = (settings: TenantSettings): ReadonlySet<TicketAssistant> =>
  new Set(ASSISTANTS.filter((name) => isOn(settings, name)))

/** Those that answer in every new ticket. */
export const everywhereBy = (settings: TenantSettings): ReadonlySet<TicketAssistant> =>
  new Set(ASSISTANTS.filter((name) => isOn(settings, everywhereKey(name))))
