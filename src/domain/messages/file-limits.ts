import { formatBytes } from '#domain/bytes.ts'
import { keysIn } from '../keys.ts'
import { partBefore } from '../present.ts'
import { type MessageType, PROGRAM, typeOfMime } from './types.ts'

/** Message types that are files, with their plural display names. */
const KINDS = {
  image: 'imagens',
  video: 'vídeos',
  audio: 'áudios',
  document: 'documentos',
  sticker: 'figurinhas',
} as const satisfies Partial<Record<MessageType, string>>

/** Message type that is a file. */
export type FileKind = keyof typeof KINDS

/** Message types that are files. */
export const FILE_KINDS = keysIn(KINDS)

/**
 * Limits of one kind of file: bytes; MIME types, unless all are accepted; whether it may have a caption (and its length,
 * unless that of any text); for audio, whether recordings are sent as voice notes (Ogg Opus, one channel, waveform).
 */
export type FileLimit = {
  readonly maxBytes: number
  readonly mimes?: readonly string[] | undefined
  readonly caption?: false | number | undefined
  readonly voice?: true | undefined
}

/** File limits of a channel by kind; omitted kinds are refused. */
export type FileLimits = Readonly<Partial<Record<FileKind, FileLimit>>>

/**
 * Returns the reason for which a channel would refuse a file (MIME type, bytes), with advice; null if accepted. Shared by
 * composer and server.
 */
export function whyNotFile(
  limits: FileLimits,
  { mime, size }: { readonly mime: string; readonly size: number },
  kind: FileKind = typeOfMime(mime),
): string | null {
  if (mime === PROGRAM) return 'Programas não saem daqui. Baixe o arquivo, se confia nele, e mande-o de outro jeito.'
  const carried = FILE_KINDS.filter((one) => limits[one])
  if (carried.length === 0) return 'Este canal não leva arquivos. Mande um link.'
  const limit = limits[kind]
  if (!limit) return `Este canal não leva ${KINDS[kind]}, só ${listed(carried.map((one) => KINDS[one]))}.`
  const { maxBytes, mimes } = limit
  if (mimes && mime && !mimes.includes(partBefore(mime, ';').toLowerCase()))
    return `Este canal leva ${KINDS[kind]} só em ${listed(mimes.map(formatName))}. Converta o arquivo antes.`
  return size > maxBytes
    ? `Este canal leva ${KINDS[kind]} de até ${formatBytes(maxBytes)}. Reduza o arquivo, ou mande um link.`
    : null
}

/**
 * Returns the reason for which a channel would refuse a file as view once, with advice; null if accepted. Shared by composer
 * and server.
 */
export function whyNotOnce(kinds: readonly FileKind[], kind: FileKind, isVoice: boolean): string | null {
  const way = 'Envie sem visualização única.'
  if (kinds.length === 0) return `Este canal não tem visualização única. ${way}`
  if (!kinds.includes(kind)) return `Este canal não tem visualização única de ${KINDS[kind]}. ${way}`
  return kind === 'audio' && !isVoice ? `De áudios, só os de voz têm visualização única. ${way}` : null
}

const formatName = (mime: string): string => mime.replace(/^(?:.*[/.])?(?:x-)?/, '').toUpperCase()

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} e ${names.at(-1)}`
