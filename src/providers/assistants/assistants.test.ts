import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ProviderValues, startValues } from '#kit/provider.ts'
import { guardedFetch } from '#server/providers/guarded-fetch.ts'
import { type AssistantFault, startAssistants } from '#test/peers/assistants.ts'
import type { TypebotInput } from '#test/peers/typebot.ts'
import { assistantAdapters } from './adapters.ts'
import { assistantConfigs } from './configs.ts'
import { type Answer, AssistantFailure, type Attachment, type Question } from './port.ts'

let peer: Awaited<ReturnType<typeof startAssistants>>
beforeAll(async () => {
  peer = await startAssistants()
})
afterAll(() => peer.close())
beforeEach(() => peer.reset())

const question = (more: Partial<Question> = {}): Question => ({
  ...{ system: 'Você vende bolos.', text: 'Vocês abrem aos sábados?', files: [], callbackUrl: null },
  history: [
    { by: 'customer', text: 'Oi' },
    { by: 'company', text: 'Olá!' },
  ],
  ...{
    sessionId: 'ticket-7',
    customerId: 'contact-3',
    handle: null,
    memory: null,
    signal: AbortSignal.timeout(20_000),
  },
  about: {
    contact: { id: 3, name: 'Bia', number: '5511999990000', email: '' },
    ticket: { id: 7, status: 'pending', queueId: null },
    connection: { id: 1, name: 'Loja', type: 'test' },
  },
  ...more,
})

async function adapterOf(id: string, more: ProviderValues = {}, answerMs = 20_000) {
  const { fields } = assistantConfigs.find((one) => one.id === id)!
  const { config, secrets } = peer.filled[id]!
  const values = { ...startValues(fields), ...config, ...secrets, ...more } as ProviderValues
  const fetch = guardedFetch({ allow: ['127.0.0.1'] }, { answerMs, maxBytes: 4 * 1024 * 1024 })
  return (await assistantAdapters[id]!())(values, { fetch, now: () => new Date() })
}
const textOf = ({ bubbles }: Answer) => bubbles.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join('|')
const failing = async (id: string, fault: AssistantFault, more: Partial<Question> = {}): Promise<AssistantFailure> => {
  peer.state.fault = fault
  const handle = id === 'typebot' ? 's1' : null
  const error = await (await adapterOf(id)).answer(question({ handle, ...more })).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(AssistantFailure)
  return error as AssistantFailure
}

const ids = assistantConfigs.map(({ id }) => id)
/** Providers that report the number of used tokens. */
const counting = ['chatgpt', 'claude', 'gemini', 'grok', 'deepseek', 'qwen', 'lm', 'groqcloud', 'dify']

describe.each(ids)('%s', (id) => {
  it('answers, streamed where it streams, and says what it used', async () => {
    const answer = await (await adapterOf(id)).answer(question({ handle: id === 'typebot' ? 's1' : null }))
    expect(textOf(answer)).toBe('Resposta a: Vocês abrem aos sábados?')
    if (counting.includes(id)) expect(answer).toMatchObject({ inputTokens: 11, outputTokens: 7 })
    if (id === 'ollama') expect(answer).toMatchObject({ inputTokens: 11, outputTokens: 7, model: 'llama3.2' })
  })

  it('fails with the cause in words where it answers nothing that could be said', async () => {
    expect((await failing(id, 401)).problem).toBe('login')
    expect((await failing(id, 429)).problem).toBe('rate')
    expect((await failing(id, 500)).problem).toBe('server')
    expect((await failing(id, 'half')).problem).toMatch(/broken|unread/)
    expect((await failing(id, 'large')).problem).toBe('size')
    const signal = AbortSignal.timeout(80)
    expect((await failing(id, 'silent', { signal })).problem).toBe('timeout')
    peer.state.fault = 'empty'
    // A workflow without a response answers later, or not at all.
    if (id === 'n8n') expect(await (await adapterOf(id)).answer(question())).toMatchObject({ isDeferred: true })
    else expect((await failing(id, 'empty')).problem).toBe('empty')
    if (id !== 'ollama') expect((await failing(id, 'refusing')).problem).toMatch(/filtered|refused|empty|server/)
  })

  it('goes nowhere that is not allowed', async () => {
    const adapter = await adapterOf(id, { baseUrl: 'http://10.1.2.3/v1', tokenUrl: 'http://10.1.2.3/token' })
    const error = await adapter.answer(question()).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ problem: 'setup', hasLeft: false })
  })
})

describe('what models are asked', () => {
  it.each(['chatgpt', 'claude', 'gemini', 'grok', 'ollama'])(
    '%s gets the prompt, the turns, and a picture',
    async (id) => {
      const files = [{ name: 'bolo.jpg', mime: 'image/jpeg', base64: 'AAAA' }]
      await (await adapterOf(id)).answer(question({ files }))
      const sent = JSON.stringify(peer.asked()[0]!.body)
      for (const part of ['Você vende bolos.', 'Oi', 'Olá!', 'Vocês abrem aos sábados?', 'AAAA'])
        expect(sent).toContain(part)
    },
  )

  it('lists models by name', async () => {
    for (const id of ['chatgpt', 'claude', 'gemini', 'qwen'])
      expect(await (await adapterOf(id)).models!(AbortSignal.timeout(5000))).toEqual(['modelo-a', 'modelo-b'])
    expect(await (await adapterOf('ollama')).models!(AbortSignal.timeout(5000))).toEqual(['llama3.2:latest'])
  })

  it('speaks chat completions to OpenAI where that is chosen', async () => {
    const answer = await (await adapterOf('chatgpt', { api: 'chat' })).answer(question())
    expect(textOf(answer)).toContain('sábados')
    expect(peer.asked()[0]).toMatchObject({ path: '/v1/chat/completions' })
    expect(peer.asked()[0]!.body).toMatchObject({ max_completion_tokens: 1000, stream: true })
  })
})

describe('engines of flows', () => {
  it('Typebot begins with the facts, offers options, takes a number for one, and begins anew after a lost session', async () => {
    const adapter = await adapterOf('typebot')
    const first = await adapter.answer(question())
    expect(first.bubbles).toMatchObject([
      { text: 'Olá! Em que posso ajudar?' },
      { kind: 'options', options: ['Vendas', 'Suporte'] },
    ])
    expect(peer.asked()[0]!.body).toMatchObject({ prefilledVariables: { nome: 'Bia', atendimento: '7' } })
    const second = await adapter.answer(question({ text: '2', handle: first.handle!, memory: first.memory }))
    expect(peer.asked()[1]!.body).toMatchObject({ message: 'Suporte' })
    const unknown = await adapter.answer(question({ text: '9', handle: second.handle!, memory: second.memory }))
    expect(unknown.bubbles[0]).toMatchObject({ text: 'Não entendi. Escolha uma das opções.' })
    expect(peer.asked()).toHaveLength(2)
    const listing = await adapterOf('typebot', { isButton: false })
    const third = await listing.answer(question({ text: 'site', handle: 's1' }))
    expect(third.bubbles).toMatchObject([{ text: 'https://loja.test' }, { kind: 'text' }, { isList: true }])
  })

  describe('a file that Typebot asks for', () => {
    const fileInput = (options: object = {}) => ({ id: 'i7', type: 'file input', options })
    const attached = (name: string, mime: string, bytes = Buffer.from(`bytes of ${name}`)) => ({
      ...{ name, mime, size: bytes.length, read: async () => new Uint8Array(bytes) },
    })
    const picture = attached('comprovante novo.png', 'image/png')
    /** Begins a chat that asks for a file, and answers with these; returns the answer. */
    async function give(input: TypebotInput, attachments: readonly Attachment[], more: Partial<Question> = {}) {
      peer.typebot.state.input = input
      const adapter = await adapterOf('typebot', { apiKey: 'k1' })
      const { handle, memory } = await adapter.answer(question())
      return adapter.answer(
        question({ text: '[imagem]', plainText: '', handle: handle!, memory, attachments, ...more }),
      )
    }
    const stored = () => [...peer.typebot.stored.values()].map(({ bytes }) => bytes.toString())
    const lastMessage = () => peer.asked().findLast(({ path }) => path.endsWith('/continueChat'))?.body['message']

    it.each([
      ['alone', 3],
      ['form', 3],
      ['form', 2],
    ] as const)('is uploaded (%s, version %i), and its URL is the answer', async (storage, version) => {
      Object.assign(peer.typebot.state, { storage, version })
      const answer = await give(fileInput(), [picture])
      expect(stored()).toEqual(['bytes of comprovante novo.png'])
      const [url] = peer.typebot.stored.keys()
      expect(url).toMatch(/comprovante%20novo\.png$/)
      expect(lastMessage()).toBe(url)
      expect(textOf(answer)).toBe(`Resposta a: ${url}`)
      expect(answer.bubbles).toMatchObject([{}, { kind: 'options', options: ['Vendas', 'Suporte'] }])
    })

    it('is one of several where the input takes several; else the last, and the customer is told', async () => {
      const files = [picture, attached('', 'audio/ogg; codecs=opus')]
      await give(fileInput({ isMultipleAllowed: true }), files)
      expect(stored()).toHaveLength(2)
      expect(lastMessage()).toBe([...peer.typebot.stored.keys()].join(', '))
      expect(lastMessage()).toMatch(/arquivo\.ogg$/)
      peer.typebot.stored.clear()
      const answer = await give(fileInput(), files)
      expect(stored()).toHaveLength(1)
      expect(textOf(answer)).toMatch(/^Aqui cabe um arquivo só: fiquei com o último\.\|Resposta a: http/)
    })

    it('goes beside the text of an input with attachments, and a recording in its place', async () => {
      const input = { id: 'i8', type: 'text input', options: { attachments: { isEnabled: true } } }
      await give(input, [picture], { plainText: 'Aqui está' })
      expect(lastMessage()).toEqual({
        ...{ type: 'text', text: 'Aqui está' },
        attachedFileUrls: [...peer.typebot.stored.keys()],
      })
      peer.typebot.stored.clear()
      const spoken = { ...input, options: { audioClip: { isEnabled: true } } }
      await give(spoken, [attached('voz.ogg', 'audio/ogg')])
      expect(lastMessage()).toEqual({ type: 'audio', url: [...peer.typebot.stored.keys()][0] })
      // What such an input does not take is said in words.
      await give(spoken, [picture])
      expect(lastMessage()).toBe('[imagem]')
    })

    it.each([
      [
        'too large for us',
        fileInput(),
        attached('f.mp4', 'video/mp4', Buffer.alloc(17 * 1024 * 1024)),
        /o máximo é 16 MB/,
      ],
      ['too large there', fileInput(), attached('f.mp4', 'video/mp4', Buffer.alloc(11 * 1024 * 1024)), /grande demais/],
      [
        'of a wrong kind',
        fileInput({ allowedFileTypes: { isEnabled: true, types: ['image/*', '.docx', 'application/pdf'] } }),
        attached('f.mp4', 'video/mp4'),
        /não serve aqui.*\(imagem, DOCX, PDF\)/,
      ],
      ['a program', fileInput(), attached('f.exe', 'application/x-program'), /não serve aqui/],
      ['gone', fileInput(), { ...picture, read: async () => null }, /Envie de novo/],
    ])('that is %s is asked for again, and nothing is answered', async (_, input, file, sentence) => {
      const answer = await give(input, [file])
      expect(textOf(answer)).toMatch(sentence)
      expect([stored(), lastMessage()]).toEqual([[], undefined])
      const again = await (await adapterOf('typebot')).answer(
        question({ handle: answer.handle!, memory: answer.memory, attachments: [{ ...picture, mime: 'image/png' }] }),
      )
      expect(textOf(again)).toMatch(/^Resposta a: http/)
    })

    it.each([
      [403, 'refused'],
      [500, 'server'],
    ])('that the storage refuses with %i is a failure', async (refusal, problem) => {
      peer.typebot.state.refusal = refusal
      const error = await give(fileInput(), [picture]).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ problem })
      expect(lastMessage()).toBeUndefined()
    })

    it('may be skipped where the input lets it, and text is asked again by the flow', async () => {
      const options = { isRequired: false, labels: { skip: 'Não tenho' } }
      const unknown = await give(fileInput(options), [], { text: 'depois' })
      expect(textOf(unknown)).toBe('Não entendi. Escolha uma das opções.')
      await give(fileInput(options), [], { text: 'não tenho' })
      expect(peer.asked().at(-1)!.body).not.toHaveProperty('message')
      expect(textOf(await give(fileInput(), [], { text: 'depois' }))).toBe('Isso não é um arquivo. Tente de novo.')
    })

    it('begins anew after a lost session', async () => {
      peer.typebot.state.input = fileInput()
      const { memory } = await (await adapterOf('typebot')).answer(question())
      const lost = question({ handle: 'lost', memory, attachments: [picture] })
      expect(textOf(await (await adapterOf('typebot')).answer(lost))).toBe('Olá! Em que posso ajudar?')
    })
  })

  it('Dify keeps the conversation, and runs workflows', async () => {
    const answer = await (await adapterOf('dify')).answer(question({ handle: 'c0' }))
    expect(answer.handle).toBe('c1')
    expect(peer.asked()[0]!.body).toMatchObject({
      conversation_id: 'c0',
      user: 'contact-3',
      response_mode: 'streaming',
    })
    const run = await (await adapterOf('dify', { type: 'workflow' })).answer(question())
    expect(textOf(run)).toContain('sábados')
  })

  it('n8n gets message, ticket and contact, and speaks by a chat trigger too', async () => {
    await (await adapterOf('n8n')).answer(question({ callbackUrl: 'https://nos/x' }))
    const body = {
      message: { text: 'Vocês abrem aos sábados?' },
      ticket: { id: 7 },
      contact: { name: 'Bia' },
      callbackUrl: 'https://nos/x',
    }
    expect(peer.asked()[0]!.body).toMatchObject(body)
    await (await adapterOf('n8n', { baseUrl: `${peer.address}/webhook/abc/chat` })).answer(question())
    expect(peer.asked()[1]!.body).toMatchObject({ action: 'sendMessage', sessionId: 'ticket-7' })
  })
})
