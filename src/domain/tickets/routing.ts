/** Default queue and agent of a connection. */
export type ConnectionDefaults = { readonly queueId: number | null; readonly userId: number | null }

/** User whose wallet contains the contact; `isFree`: online, not on a break, below capacity. */
export type WalletOwner = { readonly userId: number; readonly isFree: boolean }

/**
 * Settings that routing depends on; with `serviceTransfer` a ticket without a free wallet owner waits in the queue without
 * agent.
 */
export type RoutingSettings = { readonly directTicketsToWallets: boolean; readonly serviceTransfer: boolean }

/** Initial state of a new ticket. */
export type Route = {
  readonly status: 'open' | 'pending'
  readonly userId: number | null
  readonly queueId: number | null
}

/**
 * Routes a new conversation: with wallet routing, to the first free owner, else to the first owner; otherwise pending with
 * the connection's queue and agent.
 */
export function route(
  arrival: { readonly isGroup: boolean },
  { queueId, userId }: ConnectionDefaults,
  wallets: readonly WalletOwner[],
  settings: RoutingSettings,
): Route {
  const owners = settings.directTicketsToWallets && !arrival.isGroup ? wallets : []
  const owner = owners.find(({ isFree }) => isFree) ?? owners[0]
  if (!owner) return { status: 'pending', userId, queueId }
  if (settings.serviceTransfer && !owner.isFree) return { status: 'pending', userId: null, queueId }
  return { status: 'open', userId: owner.userId, queueId }
}
