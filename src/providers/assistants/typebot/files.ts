import { z } from 'zod'
import { PROGRAM } from '#domain/messages/types.ts'
import { firstOf, partBefore } from '#domain/present.ts'
import { record } from '#kit/outside-fields.ts'
import { ask, failureBy } from '../calls.ts'
import { AssistantFailure, type AssistantTools, type Attachment } from '../port.ts'

/** Schema of an input's own settings; of other inputs they are missing. */
export const inputOptions = record({
  isMultipleChoice: z.boolean(),
  isMultipleAllowed: z.boolean(),
  isRequired: z.boolean(),
  labels: record({ skip: z.string() }),
  allowedFileTypes: record({ isEnabled: z.boolean(), types: z.array(z.string()) }),
  attachments: record({ isEnabled: z.boolean() }),
  audioClip: record({ isEnabled: z.boolean() }),
})

/**
 * Schema of what an input accepts besides text: files as its `answer` (one or several), `beside` its text, or a recording
 * in place of its text.
 */
export const fileInput = record({
  blockId: z.string(),
  answer: z.enum(['one', 'several']),
  beside: z.boolean(),
  recording: z.boolean(),
  types: z.array(z.string()),
})
export type FileInput = z.output<typeof fileInput>

/** Returns what an input accepts besides text; undefined if nothing. */
export function fileInputOf(
  blockId: string | undefined,
  type: string | undefined,
  options: z.output<typeof inputOptions> = {},
): FileInput | undefined {
  const { isMultipleAllowed, allowedFileTypes, attachments, audioClip } = options
  const types = allowedFileTypes?.isEnabled ? (allowedFileTypes.types ?? []) : []
  if (type === 'file input') return { blockId, answer: isMultipleAllowed ? 'several' : 'one', types }
  const [beside, recording] = [attachments?.isEnabled === true, audioClip?.isEnabled === true]
  return beside || recording ? { blockId, beside, recording, types } : undefined
}

/** Sentence that asks the customer for the files again; nothing was answered. */
type Refusal = { readonly refusal: string }

/** Message that answers an input with files; `note` is for the customer. */
export type FileAnswer = { readonly message: unknown; readonly note?: string }

/** Calls that an upload needs; `post` calls the session's own API. */
export type Uploading = {
  readonly tools: AssistantTools
  readonly sessionId: string
  readonly signal: AbortSignal
  readonly post: <S extends z.ZodType>(path: string, json: object, shape: S) => Promise<z.output<S>>
}

/**
 * Uploads the customer's files for an input that accepts them, and returns the message that answers it; a refusal if the
 * customer must send them again, null if the input does not accept them. Fails with an `AssistantFailure`.
 */
export async function answerByFiles(
  how: Uploading,
  input: FileInput,
  { attachments, plainText }: { readonly attachments: readonly Attachment[]; readonly plainText: string },
): Promise<FileAnswer | Refusal | null> {
  const recordings = attachments.filter(({ mime }) => mime.startsWith('audio/'))
  const isRecording = input.recording === true && recordings.length === attachments.length
  if (attachments.length === 0 || !(input.answer || input.beside || isRecording)) return null
  const isOne = input.answer === 'one' || (isRecording && !input.beside)
  const urls: string[] = []
  for (const attachment of isOne ? attachments.slice(-1) : attachments) {
    const uploaded = await upload(how, input, attachment)
    if (uploaded === null || typeof uploaded === 'object') return uploaded
    urls.push(uploaded)
  }
  const note = isOne && attachments.length > 1 ? { note: ONE } : {}
  if (input.answer) return { message: urls.join(', '), ...note }
  if (isRecording) return { message: { type: 'audio', url: firstOf(urls) }, ...note }
  return { message: { type: 'text', text: plainText, attachedFileUrls: urls } }
}

const ONE = 'Aqui cabe um arquivo só: fiquei com o último.'
const GONE = 'Não consegui abrir o seu arquivo. Envie de novo, por favor.'
const tooLarge = (most: string) => ({ refusal: `O arquivo é grande demais${most}. Envie um menor, por favor.` })

const FAMILIES: Readonly<Record<string, string>> = { image: 'imagem', video: 'vídeo', audio: 'áudio', text: 'texto' }

/** Returns the name of a MIME type or file extension for customers. */
function typeName(type: string): string {
  const [family = '', kind] = type.split('/')
  return kind === '*' ? (FAMILIES[family] ?? type) : (kind ?? family).replace(/^\./, '').toUpperCase()
}

function wrongKind({ types = [] }: FileInput): Refusal {
  const names = [...new Set(types.map(typeName))].slice(0, 8).join(', ')
  return { refusal: `Este tipo de arquivo não serve aqui. Envie outro, por favor${names ? ` (${names})` : ''}.` }
}

/** Maximum size of a file in bytes; flows usually allow 10 MB. */
const MOST_BYTES = 16 * 1024 * 1024
const MB = 1024 * 1024
const inMegabytes = (bytes: number): string => `${Math.floor(bytes / MB)} MB`

const slot = record({
  presignedUrl: z.string(),
  formData: z.record(z.string(), z.unknown()),
  fileUrl: z.string(),
  /** In MB. */
  maxFileSize: z.number(),
})
/** Place for one file: where it is uploaded, with the fields of its form, and found later; 0 bytes: no limit. */
type Slot = {
  readonly to: string
  readonly fields: readonly (readonly [string, string])[]
  readonly fileUrl: string
  readonly most: number
}

/** Uploads a file and returns its URL; a refusal, or null if the session does not ask for a file. */
async function upload(how: Uploading, input: FileInput, file: Attachment): Promise<string | Refusal | null> {
  const { size, read } = file
  const mime = partBefore(file.mime, ';').trim()
  if (mime === PROGRAM) return wrongKind(input)
  if (size > MOST_BYTES) return tooLarge(`: o máximo é ${inMegabytes(MOST_BYTES)}`)
  const given = await refused(input, () => slotFor(how, input, { ...file, mime }))
  if (given === null || 'refusal' in given) return given
  if (given.most > 0 && size > given.most) return tooLarge(`: o máximo é ${inMegabytes(given.most)}`)
  const bytes = await read()
  if (bytes === null) return { refusal: GONE }
  return refused(input, () => store(how, given, { bytes, mime, name: nameOf(file) }))
}

const nameOf = ({ name, mime }: Pick<Attachment, 'name' | 'mime'>): string =>
  name || `arquivo.${mime.split(/[/;]/)[1] ?? 'bin'}`

/** Returns where a file may be uploaded. Installations before the third version have the same call as the second. */
async function slotFor(
  { post, sessionId }: Uploading,
  { blockId }: FileInput,
  file: Omit<Attachment, 'read'>,
): Promise<Slot> {
  const json = { sessionId, blockId, fileName: nameOf(file), fileType: file.mime, fileSize: file.size }
  const read = await post('/v3/generate-upload-url', json, slot).catch((error: unknown) => {
    if (!(error instanceof AssistantFailure) || error.problem !== 'missing') throw error
    return post('/v2/generate-upload-url', json, slot)
  })
  const { presignedUrl: to, fileUrl, formData = {}, maxFileSize = 0 } = read
  if (!to || !fileUrl) throw failureBy('unread')
  const fields = Object.entries(formData).map(([name, value]) => [name, String(value)] as const)
  return { to, fields, fileUrl, most: maxFileSize * MB }
}

/** Sends a file to its slot, as a form with the given fields, or alone if there are none; returns its URL. */
async function store(
  { tools, signal }: Uploading,
  { to, fields, fileUrl }: Slot,
  { bytes, mime, name }: { bytes: Uint8Array<ArrayBuffer>; mime: string; name: string },
): Promise<string> {
  const headers = { 'content-type': mime, 'cache-control': 'public, max-age=86400' }
  const formOf = () => {
    const form = new FormData()
    for (const [field, value] of fields) form.append(field, value)
    form.append('file', new File([bytes], name, { type: mime }))
    return form
  }
  const how = fields.length > 0 ? { files: formOf() } : { method: 'PUT' as const, headers, bytes }
  const response = await ask(tools, to, { ...how, signal })
  await response.body?.cancel()
  // With spaces and accents encoded; the input splits its answer at commas with a space.
  return URL.parse(fileUrl)?.href ?? fileUrl
}

/** Runs a step of an upload; turns a refusal of the file into a sentence, and of any file into null. */
async function refused<T>(input: FileInput, step: () => Promise<T>): Promise<T | Refusal | null> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof AssistantFailure)) throw error
    const { message, problem } = error
    if (/too ?large|size (limit )?exceed/i.test(message)) return tooLarge('')
    if (/file type/i.test(message) && /not allowed/i.test(message)) return wrongKind(input)
    // The session ended, or it asks for something else: what was written goes the usual way.
    if (/find session|not expect file/i.test(message)) return null
    // Of the storage, not of the account that answers.
    if (problem === 'login' || problem === 'missing') throw failureBy('refused', `o arquivo não foi aceito: ${message}`)
    throw error
  }
}
