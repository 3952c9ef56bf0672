/** Where a connection sends what arrives on it. */
export type ConnectionDefaults = { readonly queueId: number | null; readonly userId: number | null }

/** A colleague whose wallet the contact is in. */
export type WalletOwner = { readonly userId: number; readonly isOnline: boolean }

/** The settings that routing depends on; `serviceTransfer` releases what an absent wallet owner would get. */
export type RoutingSettings = { readonly directTicketsToWallets: boolean; readonly serviceTransfer: boolean }

/** How a new ticket begins. */
export type Route = {
  readonly status: 'open' | 'pending'
  readonly userId: number | null
  readonly queueId: number | null
}

/** A new conversation: to the first wallet owner where wallets rule, else pending with the connection's queue and user. */
export function route(
  arrival: { readonly isGroup: boolean },
  { queueId, userId }: ConnectionDefaults,
  wallets: readonly WalletOwner[],
  settings: RoutingSettings,
): Route {
  const owner = settings.directTicketsToWallets && !arrival.isGroup ? wallets[0] : undefined
  if (!owner) return { status: 'pending', userId, queueId }
  if (settings.serviceTransfer && !owner.isOnline) return { status: 'pending', userId: null, queueId }
  return { status: 'open', userId: owner.userId, queueId }
}
