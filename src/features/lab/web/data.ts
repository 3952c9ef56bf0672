import type { InfiniteData } from '@tanstack/react-query'
import { pages, query, queryClient } from '#web/client.ts'
import { on, onReconnect, onResync } from '#web/realtime/realtime.ts'
import { lab, labEvents } from '../addresses.ts'
import type { LabMessage, LabStatus } from '../contract.ts'

type Page = { messages: LabMessage[]; nextCursor: string | null }
type Data = InfiniteData<Page, string | null>

/** Query of a phone's messages, page by page into the past. */
export const messagesOf = (phoneId: number) => pages(lab.messages, { params: { id: phoneId } })

/** Returns a phone's messages from its pages, in order of arrival. */
export const inOrder = (data: { pages: readonly { messages: LabMessage[] }[] } | undefined): LabMessage[] =>
  data ? data.pages.toReversed().flatMap((page) => page.messages) : []

/** Adds a message at the end of its phone, or replaces its earlier version. */
export function saveMessage(message: LabMessage): void {
  const { queryKey } = messagesOf(message.phoneId)
  // A page in loading may have been read before this message.
  if (!queryClient.getQueryData(queryKey)) return void queryClient.invalidateQueries({ queryKey })
  queryClient.setQueryData<Data>(queryKey, (data) => {
    if (!data) return data
    const isKnown = data.pages.some((page) => page.messages.some(({ id }) => id === message.id))
    const swap = (page: Page) => ({
      ...page,
      messages: page.messages.map((one) => (one.id === message.id ? message : one)),
    })
    if (isKnown) return { ...data, pages: data.pages.map(swap) }
    const [newest, ...older] = data.pages
    return newest ? { ...data, pages: [{ ...newest, messages: [...newest.messages, message] }, ...older] } : data
  })
}

function setStatus(phoneId: number, ids: readonly string[], status: LabStatus): void {
  const wanted = new Set(ids)
  queryClient.setQueryData<Data>(
    messagesOf(phoneId).queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          messages: page.messages.map((one) => (wanted.has(one.id) ? { ...one, status } : one)),
        })),
      },
  )
}

// The list first: a removed phone leaves the screen before its messages would be requested.
async function reload(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: query(lab.list).queryKey })
  setTimeout(() => void queryClient.invalidateQueries({ queryKey: ['lab', lab.messages.name] }))
}

/** Removes a phone from the screen, before its removal on the server. */
export function removePhone(phoneId: number): void {
  queryClient.setQueryData(query(lab.list).queryKey, (data) =>
    data ? { ...data, phones: data.phones.filter(({ id }) => id !== phoneId) } : data,
  )
}

/** Keeps the phones' data live while the lab is on screen; returns a function that stops. */
export function watchPhones(): () => void {
  const stops = [
    on(labEvents.message, saveMessage),
    on(labEvents.status, ({ phoneId, ids, status }) => setStatus(phoneId, ids, status)),
    on(labEvents.changed, () => void reload()),
    onReconnect(() => void reload()),
    onResync(() => void reload()),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
