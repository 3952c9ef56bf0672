import type { Accepted, VisitorQuote, VisitorSession } from '#features/webchat/contract.ts'
import type { Api, Failure, Result } from './api.ts'
import { draftItem, type Item, withItem } from './conversation.ts'
import { newId } from './id.ts'
import { parsed } from './parsed.ts'
import type { Store } from './store.ts'

type Parts = {
  api: Api
  store: Store
  items(): Item[]
  setItems(change: (items: Item[]) => Item[]): void
  session(): Promise<Result<VisitorSession>>
  forget(): void
  /** Whether the server answered the last time it was asked. */
  reached(isReached: boolean): void
}
type SavedMessage = { idFront: string; body: string; timestamp: number; quoted?: VisitorQuote | null }

const isPassing = ({ status }: Failure): boolean => status === 0 || status === 408 || status === 429 || status >= 500
/**
 * Whether the server was not reached, or has no database or disk: the message is not at fault, and is retried until it
 * arrives.
 */
const isAway = ({ status }: Failure): boolean => status === 0 || status === 503
const MOST_TRIES = 6

/**
 * Outbox of messages that the server has not confirmed: sent in order, one at a time, with the same client id at each retry;
 * texts survive a reload. A refusal marks the message and the next one is sent.
 */
export function createOutbox({ api, store, items, setItems, session, forget, reached }: Parts) {
  let isBusy = false
  let refusals = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  // Validated, since other scripts of the page can write there too.
  const saved = (): SavedMessage[] => {
    const list = parsed(store.get('outbox'))
    return Array.isArray(list) ? list.filter((one) => one?.idFront && typeof one.body === 'string') : []
  }
  const save = (idFront: string, entry?: SavedMessage): void => {
    const list = saved().filter((one) => one.idFront !== idFront)
    if (entry) list.push(entry)
    store.set('outbox', list.length > 0 ? JSON.stringify(list) : null)
  }
  const mark = (idFront: string, change: Partial<Item>) => setItems((all) => withItem(all, idFront, change))

  const transmit = async (item: Item): Promise<Result<Accepted>> => {
    const idFront = item.id
    const quotedId = item.quoted?.id
    if (!item.file) return api.post('messages', { idFront, text: item.body, quotedId })
    const form = new FormData()
    form.append('idFront', idFront)
    form.append('caption', item.body)
    if (quotedId) form.append('quotedId', quotedId)
    form.append('file', item.file)
    return api.upload(form, (progress) => mark(idFront, { progress }))
  }
  const deliver = async (item: Item): Promise<Result<Accepted>> => {
    for (let renewed = false; ; renewed = true) {
      const opened = store.get('visitor') ? null : await session()
      if (opened && !opened.ok) return opened
      const answer = await transmit(item)
      if (answer.ok || answer.status !== 401 || renewed) return answer
      forget()
    }
  }

  const work = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    clearTimeout(timer)
    for (let item = next(); item; item = next()) {
      const idFront = item.id
      const answer = await deliver(item)
      // The socket may have confirmed the message although the answer was lost.
      const waits = items().some((one) => one.id === idFront && one.local === 'sending')
      reached(answer.ok || answer.status !== 0 || !waits)
      if (answer.ok) {
        refusals = 0
        save(idFront)
        mark(idFront, { local: null, timestamp: answer.value.timestamp })
      } else if (isPassing(answer) && (isAway(answer) || ++refusals < MOST_TRIES)) {
        const wait = answer.retryAfter ? answer.retryAfter * 1000 : Math.min(30_000, 1000 * 2 ** refusals)
        timer = setTimeout(work, wait)
        break
      } else {
        refusals = 0
        mark(idFront, { local: 'failed', problem: answer.text })
      }
    }
    isBusy = false
  }
  const next = (): Item | undefined => items().find((item) => item.local === 'sending')

  const add = (item: Item): void => {
    const { id, body, timestamp, quoted } = item
    if (!item.file) save(id, { idFront: id, body, timestamp, quoted })
    setItems((all) => [...all, item])
    work()
  }

  return {
    /** Sends the waiting messages immediately. */
    wake: work,
    /** Restores messages that an earlier visit to the page left unsent. */
    restore: () => {
      const left = saved().map(({ idFront, body, timestamp, quoted }) =>
        draftItem(idFront, body, timestamp, quoted ?? null),
      )
      setItems((all) => [...all, ...left])
      if (left.length > 0) work()
    },
    send: (body: string, files: readonly File[], quoted: VisitorQuote | null) => {
      const now = Date.now()
      if (files.length === 0) add(draftItem(newId(), body, now, quoted))
      files.forEach((file, index) => {
        const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined
        const isFirst = index === 0
        add({ ...draftItem(newId(), isFirst ? body : '', now, isFirst ? quoted : null, file), preview })
      })
    },
    retry: (idFront: string) => {
      mark(idFront, { local: 'sending', problem: undefined })
      work()
    },
    discard: (idFront: string) => {
      save(idFront)
      setItems((all) => all.filter((item) => item.id !== idFront))
    },
  }
}
