import type { OutboxItem } from './outbox-state.ts'

const name = 'guiche-outbox'
const table = 'items'

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: 'idFront' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

async function run<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open()
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = db.transaction(table, mode)
      const request = work(transaction.objectStore(table))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = () => reject(transaction.error)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    db.close()
  }
}

/** Stores an unsent message with its files, so that it survives a reload. */
export const saveItem = async (item: OutboxItem): Promise<void> => void (await run('readwrite', (all) => all.put(item)))

/** Deletes a message that was sent or discarded. */
export const removeItem = (idFront: string): Promise<undefined> => run('readwrite', (all) => all.delete(idFront))

/** Returns every unsent message of this browser. */
export const savedItems = (): Promise<OutboxItem[]> => run('readonly', (all) => all.getAll())
