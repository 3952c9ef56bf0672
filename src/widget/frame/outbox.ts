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
const waitMs = ({ retryAfter }: Failure, refusals: number): number =>
  retryAfter ? retryAfter * 1000 : Math.min(30_000, 1000 * 2 ** refusals)

/**
 * Outbox of messages that the server has not confirmed: sent in order, one at a time, with the same client id at each retry;
 * texts survive a reload. A refusal marks the message and the next one is sent.
 */
export function createOutbox(parts: Parts) {
  const { store, items, setItems, reached } = parts
  let isBusy = false
  let refusals = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const { restored, save } = savedMessages(store)
  const mark = (idFront: string, change: Partial<Item>) => setItems((all) => withItem(all, idFront, change))

  const work = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    clearTimeout(timer)
    for (let item = next(); item; item = next()) {
      const idFront = item.id
      const answer = await deliver(parts, item, (progress) => mark(idFront, { progress }))
      // The socket may have confirmed the message although the answer was lost.
      const waits = items().some((one) => one.id === idFront && one.local === 'sending')
      reached(answer.ok || answer.status !== 0 || !waits)
      if (answer.ok) {
        refusals = 0
        save(idFront)
        mark(idFront, { local: null, timestamp: answer.value.timestamp })
      } else if (isPassing(answer) && (isAway(answer) || ++refusals < MOST_TRIES)) {
        timer = setTimeout(work, waitMs(answer, refusals))
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
    if (!item.file) save(item.id, savedOf(item))
    setItems((all) => [...all, item])
    work()
  }

  return {
    /** Sends the waiting messages immediately. */
    wake: work,
    /** Restores messages that an earlier visit to the page left unsent. */
    restore: () => {
      setItems((all) => [...all, ...restored()])
      work()
    },
    send: (body: string, files: readonly File[], quoted: VisitorQuote | null) =>
      itemsOf(body, files, quoted).forEach(add),
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

/** Returns the texts of the outbox as kept in the page's storage, which survive a reload. */
function savedMessages(store: Store) {
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
  const restored = () =>
    saved().map(({ idFront, body, timestamp, quoted }) => draftItem(idFront, body, timestamp, quoted ?? null))
  return { restored, save }
}

const savedOf = ({ id, body, timestamp, quoted }: Item): SavedMessage => ({ idFront: id, body, timestamp, quoted })

/** Returns new messages: one of the text alone, or one for each file, the first with the text. */
function itemsOf(body: string, files: readonly File[], quoted: VisitorQuote | null): Item[] {
  const now = Date.now()
  if (files.length === 0) return [draftItem(newId(), body, now, quoted)]
  return files.map((file, index) => {
    const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined
    const isFirst = index === 0
    return { ...draftItem(newId(), isFirst ? body : '', now, isFirst ? quoted : null, file), preview }
  })
}

/** Delivers one message; opens the session first, and once more when the server no longer knows the visitor. */
async function deliver(
  { api, store, session, forget }: Parts,
  item: Item,
  onProgress: (progress: number) => void,
): Promise<Result<Accepted>> {
  for (let renewed = false; ; renewed = true) {
    const opened = store.get('visitor') ? null : await session()
    if (opened && !opened.ok) return opened
    const answer = await transmit(api, item, onProgress)
    if (answer.ok || answer.status !== 401 || renewed) return answer
    forget()
  }
}

/** Sends one message, with its file if it has one. */
async function transmit(api: Api, item: Item, onProgress: (progress: number) => void): Promise<Result<Accepted>> {
  const idFront = item.id
  const quotedId = item.quoted?.id
  if (!item.file) return api.post('messages', { idFront, text: item.body, quotedId })
  const form = new FormData()
  form.append('idFront', idFront)
  form.append('caption', item.body)
  if (quotedId) form.append('quotedId', quotedId)
  form.append('file', item.file)
  return api.upload(form, onProgress)
}
