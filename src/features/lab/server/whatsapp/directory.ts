import { jidDecode } from 'baileys'
import { partBefore } from '#domain/present.ts'
import { type BinaryNode, SERVER } from './nodes.ts'

/** Public keys of a device as uploaded; each one-time key is given out once. */
export type KeyBundle = { registration: Uint8Array; identity: Uint8Array; signed: BinaryNode; once: BinaryNode[] }

/** Node relayed to a device that has not acknowledged it yet. */
export type Relayed = { readonly node: BinaryNode; deliveries: number }

/** Open connection to a device; nothing is relayed before it is active. */
export type Connection = { send(node: BinaryNode): void; close(): void; isActive: boolean }

/** Device of an account: 0 is the phone, the others are linked to it. */
export type Device = {
  readonly account: Account
  readonly id: number
  readonly keyIndex: number
  bundle: KeyBundle | null
  /** Relayed nodes, in order. */
  readonly waiting: Relayed[]
  /** Counts of messages relayed, acknowledged, and delivered again. */
  readonly counts: { relayed: number; acknowledged: number; repeated: number }
  connection: Connection | null
}

/** Account of a person with a phone; `lid` is the address that hides the number. */
export type Account = {
  readonly number: string
  readonly lid: string
  readonly name: string
  /** Whether recipients do not get the number. */
  isHidden: boolean
  readonly devices: Map<number, Device>
  nextDevice: number
}

/** Group, with its members by LID. */
export type Group = {
  readonly jid: string
  subject: string
  description: { readonly id: string; readonly text: string } | null
  onlyAdminsWrite: boolean
  readonly creator: Account
  readonly createdAt: string
  readonly members: Map<string, { account: Account; isAdmin: boolean }>
}

/** Registry of all accounts and groups of the server. */
export type Directory = {
  readonly groups: Map<string, Group>
  add(about: { number: string; name: string; lid?: string; isHidden?: boolean }): Account
  /** Finds an account by number or LID, with or without device and server. */
  find(jid: string): Account | undefined
  device(jid: string): Device | undefined
  accounts(): Iterable<Account>
}

/** Returns the JID of an account, or of one of its devices. */
export const jidOf = (account: Account, server: string, device = 0): string =>
  `${server === 'lid' ? account.lid : account.number}${device ? `:${device}` : ''}@${server}`

/** Returns the name of a device in key stores, always by LID, which every account has. */
export const keyName = ({ account, id }: Device): string => jidOf(account, 'lid', id)

/** Adds a device to an account. */
export function addDevice(account: Account, id: number): Device {
  const counts = { relayed: 0, acknowledged: 0, repeated: 0 }
  const device: Device = { account, id, keyIndex: id, bundle: null, waiting: [], counts, connection: null }
  account.devices.set(id, device)
  return device
}

/** Creates an empty directory. */
export function makeDirectory(): Directory {
  const byUser = new Map<string, Account>()
  const find = (jid: string) => byUser.get(partBefore(partBefore(jid, '@'), ':').replace(/^\+/, ''))
  return {
    groups: new Map(),
    add({ number, name, lid = `1${number.split('').reverse().join('')}`, isHidden = false }) {
      if (byUser.has(number) || byUser.has(lid)) throw new Error(`there is somebody with ${number} or ${lid}`)
      const account: Account = { number, lid, name, isHidden, devices: new Map(), nextDevice: 1 }
      byUser.set(number, account)
      byUser.set(lid, account)
      addDevice(account, 0)
      return account
    },
    find,
    device: (jid) => find(jid)?.devices.get(jidDecode(jid)?.device ?? 0),
    accounts: () => new Set(byUser.values()),
  }
}

/** Returns the server part of a JID. */
export const serverOf = (jid: string): string => jid.split('@')[1] ?? SERVER
