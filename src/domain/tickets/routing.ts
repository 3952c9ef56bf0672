/** Default target of arrivals on a connection. */
export type ConnectionDefaults = { readonly queueId: number | null; readonly userId: number | null }

/** A colleague whose wallet the contact is in; `isFree`: online, on no break, and below their capacity. */
export type WalletOwner = { readonly userId: number; readonly isFree: boolean }

/** The settings that routing depends on; `serviceTransfer` releases what no wallet owner is free for. */
export type RoutingSettings = { readonly directTicketsToWallets: boolean; readonly serviceTransfer: boolean }

/** Initial status and assignment of a new ticket. */
export type Route = {
  readonly status: 'open' | 'pending'
  readonly userId: number | null
  readonly queueId: number | null
}

/**
 * A new conversation: where wallets rule, to the first owner who is free, else to the first one; else pending with the
 * connection's queue and user.
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
