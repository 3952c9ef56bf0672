import type { TicketFacts } from '#domain/tickets/facts.ts'
import type { Permission } from './permissions.ts'

/** Recipients of an event, stored with it as data and evaluated for each later reader. */
export type Audience =
  | { readonly kind: 'tenant' }
  /** `isPersonal`: not those who opened an account with the master key. */
  | { readonly kind: 'users'; readonly ids: readonly number[]; readonly isPersonal?: boolean }
  | { readonly kind: 'permission'; readonly permission: Permission }
  /** Users who may see the ticket now; those who no longer may receive that it is gone. */
  | {
      readonly kind: 'ticket'
      readonly ticketId: number
      readonly before: TicketFacts | null
      readonly after: TicketFacts | null
    }
