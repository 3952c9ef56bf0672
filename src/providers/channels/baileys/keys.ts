import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuthenticationCreds, SignalDataSet, SignalKeyStore } from 'baileys'
import type { Link, ProviderEvent, StateChanges, StateValue } from '../port.ts'
import { type Library, silent } from './library.ts'

/** Stored keys of a linked device. */
export type DeviceKeys = Awaited<ReturnType<typeof openKeys>>

const CREDS = 'creds'

/**
 * Opens the keys of a device from its connection's state. Changes are written before they are used: `set` returns after the
 * commit. Content read within `inOneCommit` is committed with the keys that reading it has changed.
 */
export async function openKeys({ addTransactionCapability, BufferJSON, initAuthCreds, proto }: Library, link: Link) {
  const encode = (value: unknown) => JSON.parse(JSON.stringify(value, BufferJSON.replacer)) as StateValue
  const decode = (value: StateValue) => JSON.parse(JSON.stringify(value), BufferJSON.reviver)
  const collected = new AsyncLocalStorage<ProviderEvent[]>()
  const stored = (await link.state.get([CREDS])).get(CREDS)
  const known: AuthenticationCreds | null = stored === undefined ? null : decode(stored)
  // A pairing code that was never typed leaves an address, but no account.
  const creds: AuthenticationCreds = known?.account ? known : initAuthCreds()

  let lost = () => {}
  /** Closes the device if a write failed or may have failed, so that nothing unstored is acknowledged. */
  const orLost = <T>(work: Promise<T>) =>
    work.catch((error) => {
      lost()
      throw error
    })
  const write = (events: readonly ProviderEvent[], changes?: StateChanges) => orLost(link.emit(events, changes))

  const changesOf = (data: SignalDataSet): StateChanges =>
    new Map(
      Object.entries(data).flatMap(([type, entries]) =>
        Object.entries(entries).map(([id, value]) => [
          `${type} ${id}`,
          value === null || value === undefined ? undefined : encode(value),
        ]),
      ),
    )
  const store: SignalKeyStore = {
    async get(type, ids) {
      // The library permanently refuses messages without keys, so a database failure must not look like missing keys.
      const found = await orLost(link.state.get(ids.map((id) => `${type} ${id}`)))
      return Object.fromEntries(
        ids.flatMap((id) => {
          const value = found.get(`${type} ${id}`)
          if (value === undefined) return []
          const key = decode(value)
          return [[id, type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(key) : key]]
        }),
      )
    },
    async set(data) {
      await write(collected.getStore()?.splice(0) ?? [], changesOf(data))
    },
  }
  // Own transactions: those of the library's socket store an encryption after its message was sent.
  const signal = addTransactionCapability(store, silent, { maxCommitRetries: 1, delayBetweenTriesMs: 0 })
  let turn: Promise<unknown> = Promise.resolve()

  return {
    creds,
    store,
    signal,
    saveCreds: () => write([], new Map([[CREDS, encode(creds)]])),
    /** Writes events without keys. */
    write,
    /** Registers a listener called first when a write failed. */
    onLost(listener: () => void) {
      lost = listener
    },
    /** Runs `work` on the keys, after the work in progress, and commits it together with the events that `read` returns. */
    inOneCommit<T>(work: () => Promise<T>, read: (result: T) => Promise<ProviderEvent[]> = async () => []): Promise<T> {
      const events: ProviderEvent[] = []
      const mine = turn.then(() =>
        collected.run(events, async () => {
          const result = await signal.transaction(async () => {
            const result = await work()
            events.push(...(await read(result)))
            return result
          }, 'signal')
          if (events.length > 0) await write(events.splice(0))
          return result
        }),
      )
      turn = mine.catch(() => {})
      return mine
    },
  }
}
