import { z } from 'zod'
import { isWord } from '#domain/assistants/off-word.ts'
import { ownMember } from '#domain/keys.ts'
import { readOutside } from '#kit/outside.ts'
import { record, textOrNumber } from '#kit/outside-fields.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { ask, baseWith, failureBy, readJson } from '../calls.ts'
import { factsOf } from '../facts.ts'
import {
  AssistantFailure,
  type AssistantTools,
  type Bubble,
  type MakeAssistantAdapter,
  NO_USAGE,
  type Question,
} from '../port.ts'
import { answerByFiles, fileInput, fileInputOf, inputOptions } from './files.ts'

type Node = { text?: string | undefined; children?: Node[] | undefined; url?: string | undefined }
const node: z.ZodType<Node> = z.lazy(() => record({ text: textOrNumber, url: z.string(), children: z.array(node) }))
const message = record({
  id: z.string(),
  type: z.string(),
  content: record({ type: z.string(), markdown: textOrNumber, richText: z.array(node), url: z.string() }),
})
const item = record({ content: textOrNumber, title: textOrNumber, value: textOrNumber })
const reply = record({
  sessionId: z.string(),
  messages: z.array(message),
  input: record({ id: z.string(), type: z.string(), items: z.array(item), options: inputOptions }),
  clientSideActions: z.array(
    record({
      type: z.string(),
      wait: record({ secondsToWaitFor: z.number() }),
      redirect: record({ url: z.string() }),
      lastBubbleBlockId: z.string(),
      expectsDedicatedReply: z.boolean(),
    }),
  ),
})
type Reply = z.output<typeof reply>

/** Schema of the last question's options and files, for reading the next answer; `skip` is the option of giving none. */
const memory = record({ options: z.array(z.string()), isMultiple: z.boolean(), skip: z.string(), files: fileInput })
type Memory = z.output<typeof memory>

const LONGEST_WAIT_MS = 10_000
/** Maximum number of times that a flow is continued when it waits for a client action. */
const MOST_DEDICATED = 3

const textOf = ({ text = '', children = [], url }: Node): string =>
  `${text}${children.map(textOf).join('')}${url ? ` (${url})` : ''}`

const FILES = { image: 'image', video: 'video', audio: 'audio', embed: 'document' } as const

function bubbleOf({
  type = '',
  content,
}: Reply['messages'] extends (infer M)[] | undefined ? M : never): Bubble | null {
  if (type === 'text') {
    const text = content?.markdown ?? (content?.richText ?? []).map(textOf).join('\n')
    return text.trim() ? { kind: 'text', text } : null
  }
  const { url } = content ?? {}
  const file = ownMember(FILES, type)
  return file && url ? { kind: 'file', url, type: file } : null
}

/** Converts a reply into bubbles, with its waits and links after the blocks that they name. */
function bubblesOf({ messages = [], clientSideActions = [] }: Reply): Bubble[] {
  const actionsAfter = (id: string | undefined): Bubble[] =>
    clientSideActions
      .filter(({ lastBubbleBlockId }) => lastBubbleBlockId === id)
      .flatMap(({ type, wait, redirect }): Bubble[] => {
        if (type === 'redirect' && redirect?.url) return [{ kind: 'text', text: redirect.url }]
        if (type !== 'wait') return []
        return [{ kind: 'pause', ms: Math.min(LONGEST_WAIT_MS, (wait?.secondsToWaitFor ?? 0) * 1000) }]
      })
  return [
    ...actionsAfter(undefined),
    ...messages.flatMap((one) => [
      ...[bubbleOf(one) ?? []].flat(),
      ...(one.id === undefined ? [] : actionsAfter(one.id)),
    ]),
  ]
}

/** Returns the chosen options of a customer's text, by their names or numbers; null if none matches. */
function chosen(text: string, options: readonly string[], isMultiple: boolean): string | null {
  const one = (part: string): string | undefined => {
    const word = part.trim().toLowerCase().replace(/[.)*]/g, '').trim()
    const index = /^\d{1,2}$/.test(word) ? Number(word) - 1 : -1
    return options[index] ?? options.find((option) => option.trim().toLowerCase() === part.trim().toLowerCase())
  }
  const whole = one(text)
  if (whole !== undefined || !isMultiple) return whole ?? null
  const all = text.split(',').map(one)
  return all.every((found) => found !== undefined) ? all.join(', ') : null
}

/** Returns the calls that start a chat for a question, and that continue it. */
function openChat(values: ProviderValues, tools: AssistantTools, { signal, about }: Question) {
  const base = baseWith(values['baseUrl'], '/api')
  const headers: Record<string, string> = values['apiKey'] ? { authorization: `Bearer ${values['apiKey']}` } : {}
  const post = async <S extends z.ZodType>(path: string, json: object, shape: S): Promise<z.output<S>> =>
    readJson(await ask(tools, `${base}${path}`, { headers, json, signal }), shape, signal)
  const call = (path: string, json: object) => post(path, { ...json, textBubbleContentFormat: 'markdown' }, reply)
  return {
    post,
    start: () =>
      call(`/v1/typebots/${encodeURIComponent(String(values['publicId'] ?? ''))}/startChat`, {
        isStreamEnabled: false,
        prefilledVariables: factsOf(about),
      }),
    goOn: (sessionId: string, more: object) => call(`/v1/sessions/${encodeURIComponent(sessionId)}/continueChat`, more),
  }
}
type Chat = ReturnType<typeof openChat>

/** Next message of a session, with a note for the customer; or bubbles that ask the customer again, without a message. */
type Next = { readonly json: object; readonly note?: string | undefined } | { readonly reply: readonly Bubble[] }

/** Returns what answers the last question of a session: files, a chosen option, or the customer's text. */
async function nextOf(
  { values, tools, chat }: { values: ProviderValues; tools: AssistantTools; chat: Chat },
  { text, plainText = text, attachments = [], signal }: Question,
  sessionId: string,
  { options = [], isMultiple = false, skip, files }: Memory,
): Promise<Next> {
  const how = { tools, sessionId, signal, post: chat.post }
  const byFiles = files ? await answerByFiles(how, files, { attachments, plainText }) : null
  if (byFiles && 'refusal' in byFiles) return { reply: [{ kind: 'text', text: byFiles.refusal }] }
  if (byFiles) return { json: { message: byFiles.message }, note: byFiles.note }
  const found = options.length > 0 ? chosen(text, options, isMultiple) : text
  const unknown = String(values['unknownMessage'] ?? '')
  if (found === null && unknown) return { reply: [{ kind: 'text', text: unknown }, offer(values, options)] }
  return { json: found !== null && found === skip ? {} : { message: found ?? text } }
}

const offer = (values: ProviderValues, options: readonly string[]): Bubble => ({
  ...{ kind: 'options', text: String(values['choiceMessage'] || 'Escolha uma opção:'), options },
  isList: values['isButton'] === false,
})

/** Returns what the next answer is read by, of the question that a reply ends with. */
function memoryOf({ input }: Reply): Memory & { options: string[] } {
  const { id, type, items = [], options } = input ?? {}
  const named = items.map(({ content, title, value }) => content ?? title ?? value ?? '').filter(Boolean)
  const skip = type === 'file input' && options?.isRequired === false ? (options.labels?.skip ?? 'Pular') : undefined
  return {
    options: skip === undefined ? named : [skip],
    isMultiple: options?.isMultipleChoice ?? false,
    skip,
    files: fileInputOf(id, type, options),
  }
}

/** Adapter of Typebot's Chat API. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => ({
  async answer(question) {
    const chat = openChat(values, tools, question)
    const { start, goOn } = chat
    const isAnew = question.handle === null || isWord(question.text, values['restartWord'])
    const bubbles: Bubble[] = []
    let last: Reply
    if (isAnew) last = await start()
    else {
      const remembered = readOutside(memory, question.memory)?.data ?? {}
      const next = await nextOf({ values, tools, chat }, question, question.handle, remembered)
      if ('reply' in next)
        return {
          ...{ bubbles: next.reply, model: '', ...NO_USAGE },
          ...{ handle: question.handle, memory: question.memory },
        }
      if (next.note) bubbles.push({ kind: 'text', text: next.note })
      last = await goOn(question.handle, next.json).catch((error: unknown) => {
        // The session was lost, or its bot was republished.
        if (error instanceof AssistantFailure && error.problem === 'missing') return start()
        throw error
      })
    }
    const sessionId = last.sessionId ?? question.handle
    bubbles.push(...bubblesOf(last))
    for (let n = 0; n < MOST_DEDICATED && sessionId !== null; n += 1) {
      if (!last.clientSideActions?.some(({ expectsDedicatedReply }) => expectsDedicatedReply)) break
      last = await goOn(sessionId, {})
      bubbles.push(...bubblesOf(last))
    }
    const remembers = memoryOf(last)
    if (remembers.options.length > 0) bubbles.push(offer(values, remembers.options))
    if (bubbles.length === 0 && last.input === undefined && !isAnew) throw failureBy('empty')
    return {
      ...{ bubbles, model: '', ...NO_USAGE },
      // Without a question the flow is over: the next message restarts it.
      handle: last.input === undefined ? null : sessionId,
      memory: remembers,
    }
  },
})
