import { z } from 'zod'
import { isWord } from '#domain/assistants/off-word.ts'
import { ownMember } from '#domain/keys.ts'
import { readOutside } from '#kit/outside.ts'
import { record, textOrNumber } from '#kit/outside-fields.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { ask, baseWith, failureBy, NO_USAGE, readJson } from '../calls.ts'
import { factsOf } from '../facts.ts'
import {
  AssistantFailure,
  type AssistantTools,
  type Bubble,
  type MakeAssistantAdapter,
  type Question,
} from '../port.ts'

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
  input: record({ type: z.string(), items: z.array(item), options: record({ isMultipleChoice: z.boolean() }) }),
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

/** Schema of the last question's options, for reading the next answer. */
const memory = record({ options: z.array(z.string()), isMultiple: z.boolean() })

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
  const call = async (path: string, json: object) =>
    readJson(
      await ask(tools, `${base}${path}`, {
        headers,
        json: { ...json, textBubbleContentFormat: 'markdown' },
        signal,
      }),
      reply,
      signal,
    )
  return {
    start: () =>
      call(`/v1/typebots/${encodeURIComponent(String(values['publicId'] ?? ''))}/startChat`, {
        isStreamEnabled: false,
        prefilledVariables: factsOf(about),
      }),
    goOn: (sessionId: string, more: object) => call(`/v1/sessions/${encodeURIComponent(sessionId)}/continueChat`, more),
  }
}

/** Adapter of Typebot's Chat API. */
export const makeAdapter: MakeAssistantAdapter = (values, tools) => {
  return {
    async answer(question) {
      const { start, goOn } = openChat(values, tools, question)
      const offer = (options: readonly string[]): Bubble => ({
        ...{ kind: 'options', text: String(values['choiceMessage'] || 'Escolha uma opção:'), options },
        isList: values['isButton'] === false,
      })
      const isAnew = question.handle === null || isWord(question.text, values['restartWord'])
      const { options = [], isMultiple = false } = readOutside(memory, question.memory)?.data ?? {}
      let text: string | null = question.text
      if (!isAnew && options.length > 0) {
        text = chosen(question.text, options, isMultiple)
        const unknown = String(values['unknownMessage'] ?? '')
        if (text === null && unknown)
          return {
            bubbles: [{ kind: 'text', text: unknown }, offer(options)],
            ...{ model: '', ...NO_USAGE, handle: question.handle, memory: question.memory },
          }
      }
      const first = isAnew
        ? await start()
        : await goOn(question.handle, { message: text ?? question.text }).catch((error: unknown) => {
            // The session was lost, or its bot was republished.
            if (error instanceof AssistantFailure && error.problem === 'missing') return start()
            throw error
          })
      const sessionId = first.sessionId ?? question.handle
      const bubbles = bubblesOf(first)
      let last = first
      for (let n = 0; n < MOST_DEDICATED && sessionId !== null; n += 1) {
        if (!last.clientSideActions?.some(({ expectsDedicatedReply }) => expectsDedicatedReply)) break
        last = await goOn(sessionId, {})
        bubbles.push(...bubblesOf(last))
      }
      const asked = (last.input?.items ?? [])
        .map(({ content, title, value }) => content ?? title ?? value ?? '')
        .filter(Boolean)
      if (asked.length > 0) bubbles.push(offer(asked))
      if (bubbles.length === 0 && last.input === undefined && !isAnew) throw failureBy('empty')
      return {
        ...{ bubbles, model: '', ...NO_USAGE },
        // Without a question the flow is over: the next message restarts it.
        handle: last.input === undefined ? null : sessionId,
        memory: { options: asked, isMultiple: last.input?.options?.isMultipleChoice ?? false },
      }
    },
  }
}
