import type { VisitorMessage, VisitorQuote } from '#features/webchat/contract.ts'
import { t } from './labels.ts'

/** Message on screen: the server's, or the visitor's own that it has not confirmed yet. */
export type Item = VisitorMessage & {
  /** State of an unconfirmed message: waiting for its turn or for the network, or refused. */
  local: 'sending' | 'failed' | null
  progress?: number
  problem?: string
  file?: File
  /** Address of the local copy of a picture, so that it does not flash when the server's arrives. */
  preview?: string
}

const RANK = { failed: 0, sent: 1, delivered: 2, read: 3 }
const further = (a: Item['status'], b: Item['status']) => (RANK[b] > RANK[a] ? b : a)

const inOrder = (a: Item, b: Item): number => {
  if (a.local || b.local) return Number(Boolean(a.local)) - Number(Boolean(b.local))
  return a.timestamp - b.timestamp || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** Adds or renews messages: found by id or by our own client id, ticks never go back, unconfirmed ones stay last. */
export function merge(items: readonly Item[], incoming: readonly VisitorMessage[]): Item[] {
  const all = [...items]
  for (const message of incoming) {
    const at = all.findIndex((item) => item.id === message.id || (message.idFront && item.idFront === message.idFront))
    const known = all[at]
    if (!known) all.push({ ...message, local: null })
    else {
      const status = known.local ? message.status : further(known.status, message.status)
      all[at] = { ...message, status, local: null, preview: known.preview }
    }
  }
  return all.sort(inOrder)
}

/** Moves ticks forward. */
export const withStatus = (items: readonly Item[], ids: readonly string[], status: Item['status']): Item[] =>
  items.map((item) => (ids.includes(item.id) ? { ...item, status: further(item.status, status) } : item))

/** Changes the item with this client id. */
export const withItem = (items: readonly Item[], idFront: string, change: Partial<Item>): Item[] =>
  items.map((item) => (item.idFront === idFront ? { ...item, ...change } : item))

/** Returns the team's messages that are not read here. */
export const unread = (items: readonly Item[]): Item[] =>
  items.filter((item) => !item.fromVisitor && !item.deleted && item.status !== 'read')

/** Returns a message as another quotes it. */
export const quoteOf = ({ id, fromVisitor, author, kind, body, media }: Item): VisitorQuote => ({
  id,
  fromVisitor,
  author,
  kind,
  body,
  name: media?.name ?? null,
})

const kindNames = () => ({ text: '', image: t('Foto'), audio: t('Áudio'), video: t('Vídeo'), document: t('Arquivo') })

/** Formats a quoted message in one line: its text, else its kind. */
export const quotePreview = ({ kind, body, name }: VisitorQuote): string =>
  body || (kind === 'document' && name) || kindNames()[kind] || t('Mensagem apagada')

/** Creates the item of a visitor's message before the server knows it. */
export function draftItem(idFront: string, body: string, now: number, quoted: VisitorQuote | null, file?: File): Item {
  const family = file?.type.split('/')[0]
  const isKnown = family === 'image' || family === 'audio' || family === 'video'
  return {
    id: idFront,
    idFront,
    fromVisitor: true,
    author: null,
    kind: file ? (isKnown ? family : 'document') : 'text',
    body,
    quoted,
    media: file ? { url: '', name: file.name, mime: file.type, size: file.size } : null,
    status: 'sent',
    deleted: false,
    edited: false,
    asksRating: false,
    forwarded: false,
    reactions: [],
    buttons: [],
    footer: '',
    timestamp: now,
    local: 'sending',
    file,
  }
}

/** Row of the conversation: a day, or a message and whether it continues the one above. */
export type Row = { key: string; day: number } | { key: string; item: Item; continues: boolean }

/** Whether the last thing that was said asks for a rating, and is no answer to one. */
export function asksRating(
  items: readonly Item[],
  rates: readonly { readonly rating: number; readonly label: string }[],
): boolean {
  const [before, last] = [items.at(-2), items.at(-1)]
  const answer = before?.fromVisitor && before.body.trim()
  const isAnswered = rates.some(({ rating, label }) => [label, t(label), String(rating)].includes(answer || ''))
  return Boolean(last?.asksRating && !isAnswered)
}

const dayOf = (time: number): number => new Date(time).setHours(0, 0, 0, 0)

/** Returns the messages with their day dividers; a group is one side within five minutes. */
export function rows(items: readonly Item[]): Row[] {
  return items.flatMap((item, index): Row[] => {
    const above = items[index - 1]
    const day = dayOf(item.timestamp)
    const isNewDay = !above || dayOf(above.timestamp) !== day
    const continues =
      !isNewDay &&
      above.fromVisitor === item.fromVisitor &&
      above.author === item.author &&
      item.timestamp - above.timestamp < 300_000
    const row: Row = { key: item.idFront ?? item.id, item, continues }
    return isNewDay ? [{ key: `day-${day}`, day }, row] : [row]
  })
}
