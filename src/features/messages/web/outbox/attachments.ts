import { type FileKind, type FileLimits, whyNotOnce } from '#domain/messages/file-limits.ts'
import { type FileWish, wayOf, wishesFor } from '#domain/messages/outgoing-files.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { uuid } from '#web/api.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import type { OutboxFile, OutboxItem } from './outbox-state.ts'

/** File capabilities of the channel and the installation. */
export type FileAbilities = {
  readonly files: FileLimits
  readonly transcodes: boolean
  readonly viewOnce: readonly FileKind[]
}

/**
 * Attachment in the tray: caption (up to `mostCaption` characters; the rest follows as a message), requested and possible
 * conversions, view once (null: not supported), a hint on how it is sent, and the reason if the channel would refuse it.
 */
export type Attachment = {
  readonly id: string
  readonly blob: Blob
  readonly name: string
  readonly caption: string
  readonly wish: FileWish | null
  readonly wishes: readonly FileWish[]
  readonly once: boolean | null
  readonly mostCaption: number
  readonly notice: string | null
  readonly problem: string | null
  /** Original file and its name. */
  readonly given: File
}

/** Maximum number of files per message. */
const mostFiles = 10

/** Prepares added files for the channel, as far as the tray has room. */
export function attachAll(added: readonly File[], before: number, can: FileAbilities): Attachment[] {
  const free = Math.max(0, mostFiles - before)
  if (added.length > free)
    notify({ tone: 'warn', title: t('No máximo {most} arquivos de cada vez.', { most: mostFiles }) })
  return added.slice(0, free).map((file) => attach(file, can))
}

/** Prepares a file for the channel. */
export const attach = (given: File, can: FileAbilities): Attachment => {
  const name = nameOf(given, new Date())
  return judged({ id: uuid(), blob: given, name, caption: '', wish: null, once: false, given }, can)
}

/** Prepares the original file for another channel. */
export const reattach = ({ id, given, caption }: Attachment, can: FileAbilities): Attachment => ({
  ...attach(given, can),
  id,
  caption,
})

type Unjudged = Pick<Attachment, 'id' | 'blob' | 'name' | 'caption' | 'wish' | 'once' | 'given'>

function judged(file: Unjudged, { files, transcodes, viewOnce }: FileAbilities): Attachment {
  const { blob, wish, given } = file
  const way = wayOf(files, { mime: blob.type, size: blob.size }, wish, transcodes)
  const known = { ...file, wishes: wishesFor(files, given.type) }
  if (blob.size === 0) return { ...known, mostCaption: 0, notice: null, problem: t('O arquivo está vazio.') }
  if ('problem' in way) return { ...known, mostCaption: 0, notice: null, problem: way.problem }
  const canBeOnce = whyNotOnce(viewOnce, way.kind, wish === 'voice') === null
  const once = canBeOnce ? (file.once ?? false) : null
  const mostCaption = Number(files[way.kind]?.caption ?? Number.POSITIVE_INFINITY)
  return { ...known, once, mostCaption, notice: way.notice, problem: null }
}

type Change = (next: (all: readonly Attachment[]) => readonly Attachment[]) => void

/**
 * Applies a conversion or view once to an attachment: first as the server would convert it, then as this browser does, where
 * it can.
 */
export async function want(
  file: Attachment,
  wish: FileWish | 'once' | null,
  can: FileAbilities,
  change: Change,
): Promise<void> {
  if (wish === 'once')
    return change((all) => all.map((one) => (one.id === file.id ? { ...one, once: !one.once } : one)))
  const next = judged({ ...file, wish, blob: file.given, name: nameOf(file.given, new Date()) }, can)
  change((all) => all.map((one) => (one.id === next.id ? { ...next, caption: one.caption } : one)))
  const blob = wish === 'voice' ? await (await import('./to-voice.ts')).toVoice(file.given) : null
  if (!blob) return
  const made = judged({ ...next, blob, name: 'audio.ogg' }, can)
  // The request may have changed meanwhile.
  change((all) => all.map((one) => (one.id === made.id && one.wish === wish ? { ...made, caption: one.caption } : one)))
}

/** Message to send: text, file, quoted message. */
export type Part = Pick<OutboxItem, 'body' | 'file' | 'quoted'>

/** Splits a text and its files into messages: one file carries the text; several carry their captions, and the text follows. */
export async function partsOf(text: string, files: readonly Attachment[], quoted: Part['quoted']): Promise<Part[]> {
  const parts: Part[] = []
  const album = albumOf(files)
  for (const one of files) {
    const { blob, name, caption, mostCaption, wish, once } = one
    const body = files.length === 1 ? text : caption
    const isAlone = body.length > mostCaption
    const stored = await toOutboxFile(blob, name, { wish, ...(once ? { once } : {}) })
    const file = album?.has(one) ? { ...stored, album: album.about } : stored
    parts.push({ body: isAlone ? '' : body, file, quoted: null })
    if (isAlone && body) parts.push({ body, file: null, quoted: null })
  }
  if (files.length > 1 && text) parts.push({ body: text, file: null, quoted: null })
  return parts.map((part, index) => (index === 0 ? { ...part, quoted } : part))
}

/** Album of the pictures and films that are sent together; null for fewer than two. */
function albumOf(files: readonly Attachment[]) {
  const count = (kind: string) =>
    files.filter(({ blob, wish, once }) => !wish && !once && typeOfMime(blob.type) === kind).length
  const about = { id: uuid(), images: count('image'), videos: count('video') }
  const has = ({ blob, wish, once }: Attachment) => !wish && !once && /^(image|video)$/.test(typeOfMime(blob.type))
  return about.images + about.videos > 1 ? { about, has } : null
}

/** Converts a file for the outbox; measures pictures, so that their bubble has its final size at once. */
export async function toOutboxFile(
  blob: Blob,
  name: string,
  { durationMs = null, wish = null, once }: Partial<Pick<OutboxFile, 'durationMs' | 'wish' | 'once'>> = {},
): Promise<OutboxFile> {
  const mime = blob.type || 'application/octet-stream'
  const size = typeOfMime(mime) === 'image' ? await measure(blob) : { width: null, height: null }
  return { blob, name, mime, size: blob.size, durationMs, wish, ...(once ? { once } : {}), ...size }
}

/** Recorded voice note. */
export type VoiceRecording = { readonly blob: Blob; readonly durationMs: number; readonly once?: boolean }

/** Converts a recording for the outbox. */
export function voiceFile({ blob, ...about }: VoiceRecording): Promise<OutboxFile> {
  const kind = blob.type.split('/')[1]?.split(';')[0] ?? 'ogg'
  return toOutboxFile(blob, `audio.${kind}`, about)
}

async function measure(blob: Blob): Promise<{ width: number | null; height: number | null }> {
  try {
    const picture = await createImageBitmap(blob)
    const { width, height } = picture
    picture.close()
    return { width, height }
  } catch {
    return { width: null, height: null }
  }
}

/** Returns a name for a pasted picture, which has none. */
function nameOf(file: File, now: Date): string {
  if (file.name && file.name !== 'image.png') return file.name
  const stamp = now.toISOString().slice(0, 19).replace(/\D/g, '')
  return `imagem-${stamp}.${file.type.split('/')[1] ?? 'png'}`
}
