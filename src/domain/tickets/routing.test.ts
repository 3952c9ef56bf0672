import { expect, test } from 'vitest'
import { type ConnectionDefaults, type Route, type RoutingSettings, route, type WalletOwner } from './routing.ts'

const NOBODY: ConnectionDefaults = { queueId: null, userId: null }
const SALES: ConnectionDefaults = { queueId: 10, userId: 4 }
const FREE: WalletOwner = { userId: 7, isFree: true }
const AWAY: WalletOwner = { userId: 8, isFree: false }
const OFF: RoutingSettings = { directTicketsToWallets: false, serviceTransfer: false }
const WALLETS = { ...OFF, directTicketsToWallets: true }
const OVERFLOW = { directTicketsToWallets: true, serviceTransfer: true }

test.each<[string, boolean, ConnectionDefaults, WalletOwner[], RoutingSettings, Route]>([
  ['no defaults', false, NOBODY, [], OFF, { status: 'pending', userId: null, queueId: null }],
  ['the connection’s queue and user', false, SALES, [], OFF, { status: 'pending', userId: 4, queueId: 10 }],
  ['wallets without the setting', false, SALES, [FREE], OFF, { status: 'pending', userId: 4, queueId: 10 }],
  ['first wallet owner who is free', false, SALES, [AWAY, FREE], WALLETS, { status: 'open', userId: 7, queueId: 10 }],
  [
    'first wallet owner',
    false,
    SALES,
    [AWAY, { ...AWAY, userId: 9 }],
    WALLETS,
    { status: 'open', userId: 8, queueId: 10 },
  ],
  ['nobody’s wallet', false, SALES, [], WALLETS, { status: 'pending', userId: 4, queueId: 10 }],
  ['owner away, released', false, SALES, [AWAY], OVERFLOW, { status: 'pending', userId: null, queueId: 10 }],
  ['the other owner there', false, SALES, [AWAY, FREE], OVERFLOW, { status: 'open', userId: 7, queueId: 10 }],
  ['owner there', false, SALES, [FREE], OVERFLOW, { status: 'open', userId: 7, queueId: 10 }],
  ['groups have no wallet owner', true, NOBODY, [FREE], WALLETS, { status: 'pending', userId: null, queueId: null }],
])('%s', (_name, isGroup, defaults, wallets, settings, expected) => {
  expect(route({ isGroup }, defaults, wallets, settings)).toEqual(expected)
})
