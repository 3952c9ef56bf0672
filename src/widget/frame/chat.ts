import type {
  MessagePage,
  VisitAnswers,
  VisitorQuote,
  VisitorSession,
  WebchatConfig,
} from '#features/webchat/contract.ts'
import type { PageUser } from '../protocol.ts'
import { createApi, type Result } from './api.ts'
import { cell } from './cell.ts'
import { type Item, merge, quoteOf, unread, withStatus } from './conversation.ts'
import { newId } from './id.ts'
import { explained, spoken, t } from './labels.ts'
import { type LiveEvents, listen } from './live.ts'
import { createOutbox } from './outbox.ts'
import type { Page } from './page.ts'
import type { Store } from './store.ts'

/** State that the screen shows. */
export type ChatState = {
  config: WebchatConfig
  isOpen: boolean
  isFull: boolean
  wantsFocus: boolean
  items: Item[]
  hasMore: boolean
  isLoading: boolean
  typing: string | null
  isOffline: boolean
  isClosed: boolean
  /** Whether an unknown visitor fills in the form before they write. */
  isAsking: boolean
  /** Message that the next message quotes. */
  quoting: VisitorQuote | null
  /** Message that is being edited, in place of writing a new one. */
  editing: Item | null
}

/** Act of a visitor on a message. */
export type Act =
  | { act: 'edit'; body: string }
  | { act: 'revoke' }
  | { act: 'react'; reaction: string }
  | { act: 'press'; buttonId: string }

const isAsking = ({ form, absent }: WebchatConfig, store: Store): boolean =>
  (form !== null || absent !== null) && !store.get('visitor')

const LINKS_LIVE_MS = 50 * 60_000
/** Delay before a conversation that could not be read is read again. */
const HEAL_MS = 5_000

/** Creates the conversation of one visitor: session, history, live events, and outbox. */
export function createChat(token: string, config: WebchatConfig, store: Store, page: Page) {
  const state = cell<ChatState>({
    config,
    isOpen: page.isAlone,
    isFull: page.isAlone,
    wantsFocus: page.isAlone,
    items: [],
    hasMore: false,
    isLoading: false,
    typing: null,
    isOffline: false,
    isClosed: false,
    isAsking: isAsking(config, store),
    quoting: null,
    editing: null,
  })
  const api = createApi(() => store.get('visitor'))
  let user: PageUser | undefined
  let attributes: Record<string, string> | undefined
  let form: VisitAnswers | undefined
  let asOf = 0
  /** Number of the current conversation among those shown by this page: answers to requests of earlier ones are discarded. */
  let turn = 0
  let linksFrom = 0
  let isHealing = false
  let isStale = false
  let stop: (() => void) | null = null
  let opening: Promise<Result<VisitorSession>> | null = null
  let hush: ReturnType<typeof setTimeout> | undefined
  let healing: ReturnType<typeof setTimeout> | undefined
  let typingSentAt = 0
  /** Page data of the visitor waits for a contact, which the first message creates. */
  let isUntold = false

  const setItems = (change: (items: Item[]) => Item[]) => state.set({ items: change(state.get().items) })
  const take = ({ messages }: MessagePage) => {
    setItems((items) => merge(items, messages))
    confirmOnce(messages)
    markRead()
  }

  const open = async (): Promise<Result<VisitorSession>> => {
    const before = store.get('visitor')
    const isNew = !before
    const answer = await api.post<VisitorSession>('session', {
      token,
      visitorToken: store.get('visitor') ?? undefined,
      page: page.url ? { url: page.url.slice(0, 2000), title: page.title.slice(0, 300) } : undefined,
      user,
      attributes,
      form,
      language: spoken().slice(0, 2),
    })
    if (answer.ok) {
      // The data are stored with the contact, once the first message creates one.
      isUntold ||= form !== undefined
      form = undefined
      state.set({ isAsking: false })
      store.set('visitor', answer.value.visitorToken)
      if (stop && before !== answer.value.visitorToken) {
        leave()
        // Removes the messages of another conversation.
        setItems((items) => items.filter(({ local }) => local))
      }
      if (!stop) enter(answer.value.visitorToken, isNew)
    } else if (answer.status === 401 || (answer.status === 400 && store.get('visitor'))) {
      // A visitor whom the server no longer knows starts over.
      forget()
    }
    return answer
  }
  /** Opens or resumes a session; concurrent calls share one request. */
  const session = (): Promise<Result<VisitorSession>> => {
    opening ??= open().finally(() => {
      opening = null
    })
    return opening
  }
  /** Listens to the conversation; a new one has no history to read first, and its first message goes ahead. */
  const enter = async (visitorToken: string, isNew: boolean): Promise<void> => {
    const entered = turn
    stop = () => {}
    if (!isNew) {
      state.set({ isLoading: true })
      await heal()
      if (turn !== entered) return
      state.set({ isLoading: false })
    }
    stop = listen(visitorToken, events)
  }
  const leave = (): void => {
    stop?.()
    stop = null
    asOf = 0
    turn++
    isHealing = isStale = false
    clearTimeout(healing)
    state.set({ isLoading: false })
  }
  const forget = (): void => {
    leave()
    store.set('visitor', null)
    state.set({ isAsking: isAsking(config, store) })
  }
  /** Resumes the visitor's conversation, if there is one; retries until it is known whether it still exists. */
  const resume = async (): Promise<void> => {
    if (!store.get('visitor') || stop) return
    const answer = await session()
    if (answer.ok || answer.status === 401) return
    state.set({ isOffline: true })
    setTimeout(resume, Math.max(5_000, answer.retryAfter * 1000))
  }
  /** Sends the visitor's data again, after what is in progress. */
  const resend = async (): Promise<void> => {
    await opening
    await session()
  }

  /** Sends the page's data of the visitor once a message of theirs, and with it the contact, exists. */
  const confirmOnce = (messages: MessagePage['messages']): void => {
    if (!isUntold || !messages.some(({ fromVisitor }) => fromVisitor)) return
    isUntold = false
    resend()
  }

  /** Reads everything that changed while disconnected; the first time, the last page. */
  const heal = async (): Promise<void> => {
    // The read in progress may be older than events that have just begun to arrive.
    isStale = isHealing
    if (isHealing) return
    isHealing = true
    clearTimeout(healing)
    const began = turn
    const isFirst = asOf === 0
    const wanted = isFirst ? 'messages?limit=30' : `messages?since=${asOf}`
    // Changes during the read are read again, from the time of the first answer.
    let from = 0
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer: Result<MessagePage> = await api.get(cursor ? `messages?cursor=${cursor}` : wanted)
      if (turn !== began) return
      state.set({ isOffline: !answer.ok })
      if (!answer.ok) {
        // Events may arrive by now, but missed ones do not.
        healing = setTimeout(() => stop && heal(), HEAL_MS)
        break
      }
      if (isFirst) state.set({ hasMore: answer.value.hasMore })
      if (isFirst) linksFrom = Date.now()
      from ||= answer.value.asOf
      take(answer.value)
      cursor = answer.value.nextCursor && encodeURIComponent(answer.value.nextCursor)
      if (cursor === null) asOf = from
    }
    isHealing = false
    if (isStale) await heal()
  }
  /** Reads the last page again, for fresh links to its files. */
  const renewLinks = async (): Promise<void> => {
    linksFrom = Date.now()
    const began = turn
    const latest = await api.get<MessagePage>('messages?limit=30')
    if (latest.ok && turn === began) take(latest.value)
  }

  const events: LiveEvents = {
    connected: () => {
      heal()
      outbox.wake()
    },
    disconnected: () => {
      state.set({ typing: null })
      heal()
    },
    expired: forget,
    message: (message) => {
      const isNew = !message.fromVisitor && !state.get().items.some(({ id }) => id === message.id)
      state.set({ isOffline: false, ...(message.fromVisitor ? { isClosed: false } : { typing: null }) })
      setItems((items) => merge(items, [message]))
      confirmOnce([message])
      if (isNew) page.post({ type: 'guiche:event', name: 'message', detail: { id: message.id } })
      markRead()
    },
    status: ({ ids, status, upTo = 0 }) =>
      setItems((items) => {
        const own = items.filter((item) => item.fromVisitor && !item.local && item.timestamp <= upTo)
        return withStatus(items, [...ids, ...own.map((item) => item.id)], status)
      }),
    typing: ({ state: what, author }) => {
      clearTimeout(hush)
      state.set({ typing: what === 'composing' ? (author ?? t('Atendente')) : null })
      hush = setTimeout(() => state.set({ typing: null }), 8_000)
    },
    closed: () => state.set({ isClosed: true, typing: null }),
  }

  /** Marks everything as read, when the conversation is open and in view. */
  const markRead = (): void => {
    const ids = unread(state.get().items).map(({ id }) => id)
    const upTo = ids.at(-1)
    if (!upTo || !state.get().isOpen || document.visibilityState !== 'visible') return
    setItems((items) => withStatus(items, ids, 'read'))
    api.post('read', { upTo })
  }

  const outbox = createOutbox({
    api,
    store,
    items: () => state.get().items,
    setItems,
    session,
    forget,
    reached: (isReached) => state.set({ isOffline: !isReached }),
  })

  const wake = (): void => {
    resume()
    outbox.wake()
  }
  const onVisible = (): void => {
    if (document.visibilityState !== 'visible') return
    markRead()
    if (stop && Date.now() - linksFrom > LINKS_LIVE_MS) renewLinks()
  }

  return {
    state,
    outbox,
    forget,
    /** Resumes the conversation of an earlier visit. */
    begin: (): void => {
      outbox.restore()
      resume()
      window.addEventListener('online', wake)
      window.addEventListener('offline', () => stop && state.set({ isOffline: true, typing: null }))
      document.addEventListener('visibilitychange', onVisible)
      store.onChange((key, value) => {
        if (key === 'visitor' && value && !stop) resume()
      })
    },
    /** Sends the visitor's form, with their message while no one is available; returns problems by field, or null. */
    introduce: async (answers: VisitAnswers, message: string): Promise<Record<string, string> | null> => {
      form = answers
      const answer = await session()
      form = undefined
      if (!answer.ok) {
        const found = Object.entries(answer.details).flatMap(([path, text]) =>
          path.startsWith('form.') && typeof text === 'string'
            ? [[path.slice(5), explained(text, 'Confira este campo.')]]
            : [],
        )
        return found.length > 0 ? Object.fromEntries(found) : { '': answer.text }
      }
      if (message) {
        store.set('draft', null)
        outbox.send(message, [], null)
      }
      return null
    },
    /** Ends the conversation in progress. */
    end: async (): Promise<void> => {
      const answer = await api.post('end', {})
      if (answer.ok) state.set({ isClosed: true, typing: null })
      else if (answer.status === 0) state.set({ isOffline: true })
    },
    /** Downloads the conversation as a text. */
    download: async (): Promise<void> => {
      const answer = await api.get<{ name: string; text: string }>('transcript')
      if (!answer.ok) return state.set({ isOffline: answer.status === 0 })
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([answer.value.text], { type: 'text/plain;charset=utf-8' }))
      link.download = answer.value.name
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
    },
    /** Sends the rating of the attendance. */
    rate: (rating: number, label: string): void => {
      outbox.send(label, [], null)
      page.post({ type: 'guiche:event', name: 'rating', detail: { rating } })
    },
    draft: {
      get: (): string => store.get('draft') ?? '',
      set: (text: string): void => store.set('draft', text || null),
    },
    send: (text: string, files: readonly File[]): void => {
      const { quoting } = state.get()
      state.set({ isClosed: false, quoting: null })
      typingSentAt = 0
      outbox.send(text, files, quoting)
    },
    /** Selects the message that the next one quotes; null: none. */
    quote: (item: Item | null): void => state.set({ quoting: item && quoteOf(item), editing: null }),
    /** Selects the visitor's own message to edit; null: none. */
    edit: (item: Item | null): void => state.set({ editing: item, quoting: null }),
    /** Sends an act on a message; a refusal is shown below it. */
    act: async ({ id }: Item, act: Act): Promise<void> => {
      const answer = await api.post(`messages/${id}/acts`, { id: newId(), ...act })
      setItems((items) =>
        items.map((item) => (item.id === id ? { ...item, problem: answer.ok ? undefined : answer.text } : item)),
      )
    },
    /** Sends a typing event, at most every four seconds. */
    type: (isWriting: boolean): void => {
      const now = Date.now()
      if (!isWriting || !stop || now - typingSentAt < 4_000) return
      typingSentAt = now
      api.post('typing', { state: 'composing' })
    },
    /** Requests new links, at most once a minute, when a file did not load. */
    renew: (): void => {
      if (stop && Date.now() - linksFrom > 60_000) renewLinks()
    },
    loadMore: async (): Promise<void> => {
      const { items, isLoading, hasMore } = state.get()
      const first = items[0]
      if (!first || isLoading || !hasMore) return
      state.set({ isLoading: true })
      const began = turn
      const earlier = await api.get<MessagePage>(`messages?before=${first.id}&limit=30`)
      if (turn !== began) return
      state.set({ isLoading: false })
      if (!earlier.ok) return
      setItems((items) => merge(items, earlier.value.messages))
      state.set({ hasMore: earlier.value.hasMore })
    },
    show: (isOpen: boolean, isFull: boolean, wantsFocus: boolean): void => {
      state.set({ isOpen, isFull, wantsFocus })
      markRead()
    },
    identify: (given: PageUser): void => {
      user = given
      isUntold = true
      if (given.hash || store.get('visitor')) resend()
    },
    describe: (given: Record<string, string>): void => {
      attributes = { ...attributes, ...given }
      isUntold = true
      if (store.get('visitor')) resend()
    },
  }
}

/** Return type of `createChat`. */
export type Chat = ReturnType<typeof createChat>
