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

/** Keeps an unsent message, files included, so that it outlives the page. */
export const saveItem = async (item: OutboxItem): Promise<void> => void (await run('readwrite', (all) => all.put(item)))

/** Forgets a message that was sent or given up. */
export const removeItem = (idFront: string): Promise<undefined> => run('readwrite', (all) => all.delete(idFront))

/** Every message that this browser still has to send. */
export const savedItems = (): Promise<OutboxItem[]> => run('readonly', (all) => all.getAll())
