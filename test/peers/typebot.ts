import type { IncomingMessage, ServerResponse } from 'node:http'

type Json = Record<string, unknown>
/** Input block of a flow; `options` as Typebot's API returns them. */
export type TypebotInput = { readonly id: string; readonly type: string; readonly [field: string]: unknown }

const CHOICE: TypebotInput = {
  id: 'i1',
  type: 'choice input',
  items: [
    { id: 'a', content: 'Vendas' },
    { id: 'b', content: 'Suporte' },
  ],
}
const MB = 1024 * 1024

/** Chats of Typebot's viewer: sessions with one input each, and the storage for files that a flow asks for. */
export function typebotChats(origin: () => string) {
  const state = {
    /** Input that a chat begins with. */
    input: CHOICE,
    /** How the storage takes files: alone (newer), or as a form with signed fields (S3). */
    storage: 'alone' as 'alone' | 'form',
    /** Version of the call for uploads. */
    version: 3,
    /** Maximum size in MB. */
    most: 10,
    /** Status with which the storage refuses every file. */
    refusal: 0,
  }
  const inputs = new Map<unknown, TypebotInput>()
  const slots = new Map<string, { mime: string; fileUrl: string }>()
  const stored = new Map<string, { readonly name: string; readonly mime: string; readonly bytes: Buffer }>()
  let sessions = 0

  const inputOf = (sessionId: unknown) => inputs.get(sessionId) ?? state.input
  const optionsOf = (input: TypebotInput) => (input['options'] ?? {}) as Record<string, { [name: string]: unknown }>
  const error = (message: string, status = 400) => ({ status, body: { message, code: 'BAD_REQUEST' } })

  /** Whether an answer fits its input, as the engine checks it. */
  const isValid = (input: TypebotInput, body: Json): boolean => {
    if (input.type !== 'file input') return true
    if (!('message' in body)) return (input['options'] as Json | undefined)?.['isRequired'] === false
    return String(body['message'])
      .split(', ')
      .every((url) => stored.has(url))
  }

  return {
    state,
    /** Stored files, by URL. */
    stored,
    reset() {
      inputs.clear()
      stored.clear()
      Object.assign(state, { input: CHOICE, storage: 'alone', version: 3, most: 10, refusal: 0 })
    },
    /** Returns the input of a new session, with the session's id. */
    start(): { sessionId: string; input: TypebotInput } {
      const sessionId = `s${++sessions}`
      inputs.set(sessionId, state.input)
      return { sessionId, input: state.input }
    },
    /** Continues a session: the next input, or the same one with a sentence where the answer does not fit. */
    goOn(path: string, body: Json): { said: string | null; input: TypebotInput } {
      const sessionId = path.split('/').at(-2)
      const input = inputOf(sessionId)
      if (!isValid(input, body)) return { said: 'Isso não é um arquivo. Tente de novo.', input }
      inputs.set(sessionId, CHOICE)
      return { said: null, input: CHOICE }
    },
    /** Answers `generate-upload-url`. */
    slot(path: string, body: Json): { status: number; body: unknown } {
      const isThird = path.endsWith('/v3/generate-upload-url')
      if (isThird && state.version < 3) return { status: 404, body: { message: 'Not found', code: 'NOT_FOUND' } }
      const { sessionId, blockId, fileName, fileType, fileSize } = body
      if (typeof fileName !== 'string' || typeof sessionId !== 'string') return error('Input validation failed')
      if (isThird && typeof blockId !== 'string') return error('Input validation failed')
      if (sessionId === 'lost') return error("Can't find session")
      const input = inputOf(sessionId)
      const { allowedFileTypes, attachments, audioClip } = optionsOf(input)
      if (input.type !== 'file input' && !attachments?.['isEnabled'] && !audioClip?.['isEnabled'])
        return error('Current block does not expect file upload')
      const types = allowedFileTypes?.['isEnabled'] ? (allowedFileTypes['types'] as string[]) : []
      if (types.length > 0 && !types.some((type) => new RegExp(`^${type.replace('*', '.*')}$`).test(String(fileType))))
        return error(`File type ${fileType} not allowed`)
      if (isThird && Number(fileSize) > state.most * MB) return error(`File size exceeds the ${state.most}MB limit`)
      const key = crypto.randomUUID()
      const fileUrl = `${origin()}/files/${key}/${fileName}`
      slots.set(key, { mime: String(fileType), fileUrl })
      return {
        status: 200,
        body: {
          presignedUrl: `${origin()}/typebot-storage/${key}`,
          formData:
            state.storage === 'form' ? { key: `public/${key}`, policy: 'cG9saWN5', 'x-amz-signature': 'f00' } : {},
          ...(isThird ? { fileType, maxFileSize: state.most } : {}),
          fileUrl,
        },
      }
    },
    /** Takes a file into the storage; without a token, the type or a signed field it is refused, as S3 does. */
    async store(request: IncomingMessage, raw: Buffer, response: ServerResponse): Promise<void> {
      const refuse = (status: number, code: string) =>
        response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
      const slot = slots.get(request.url!.split('/').at(-1)!)
      const type = request.headers['content-type'] ?? ''
      if (state.refusal) return void refuse(state.refusal, 'InternalError')
      if (!slot || request.headers.authorization) return void refuse(403, 'AccessDenied')
      if (raw.length > state.most * MB) return void refuse(400, 'EntityTooLarge')
      const take = (bytes: Buffer, name = '') => {
        stored.set(URL.parse(slot.fileUrl)!.href, { name, mime: slot.mime, bytes })
        response.writeHead(204).end()
      }
      if (state.storage === 'alone')
        return void (request.method === 'PUT' && type === slot.mime ? take(raw) : refuse(403, 'AccessDenied'))
      if (request.method !== 'POST') return void refuse(405, 'MethodNotAllowed')
      const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': type } }).formData()
      const file = form.get('file')
      // Fields after the file are not read.
      const isSigned = [...form.keys()].at(-1) === 'file' && form.get('policy') === 'cG9saWN5'
      if (!isSigned || !(file instanceof File)) return void refuse(403, 'AccessDenied')
      take(Buffer.from(await file.arrayBuffer()), file.name)
    },
  }
}
