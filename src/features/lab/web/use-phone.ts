import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { typeOfMime } from '#domain/messages/types.ts'
import { sentence, uuid } from '#web/api.ts'
import { call } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { lab, labEvents } from '../addresses.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { inOrder, messagesOf, saveMessage } from './data.ts'
import type { Trace } from './trace.ts'

/** Content of a message from a phone. */
export type Content = {
  text: string
  file?: File
  isVoice?: boolean
  durationMs?: number
  /** Whether it is forwarded from another conversation; without a file the content is in `contact` or `location`. */
  isForwarded?: boolean
  /** Subject of a new mail, or id of the answered message, for mailboxes. */
  subject?: string
  quotedId?: string
  contact?: unknown
  location?: unknown
}

/** Member of a group who holds the phone. */
export type Writer = LabPhone['members'][number] | undefined

/** State of a phone, with the commands of its person. */
export type PhoneState = ReturnType<typeof usePhone>

const typingRepeatMs = 3000
const typingEnds = 4000

/** Returns messages, typing state and sending of one phone; sent messages are shown at once and leave in order. */
export function usePhone(phone: LabPhone, trace: Trace) {
  const { data, fetchNextPage, hasNextPage, isPending, refetch } = useInfiniteQuery(messagesOf(phone.id))
  const [leaving, setLeaving] = useState<readonly LabMessage[]>([])
  const [draft, setDraft] = useState('')
  const [writerId, setWriter] = useState<number | null>(null)
  const [answering, setAnswering] = useState<LabMessage | null>(null)
  const writer: Writer = phone.members.find(({ phoneId }) => phoneId === writerId) ?? phone.members[0]
  const sending = useRef<Promise<unknown>>(Promise.resolve())
  const messages = useMemo(() => {
    const stored = inOrder(data)
    const known = new Set(stored.map(({ id }) => id))
    return [...stored, ...leaving.filter(({ id }) => !known.has(id))]
  }, [data, leaving])
  const { setTyping, teamState } = useTyping(phone.id)

  const post = useCallback(
    async (message: LabMessage, content: Content, as: Writer): Promise<void> => {
      const clicked = trace.clicked(phone, message.mediaType)
      try {
        const { text, file, ...more } = content
        const groupId = as && phone.id
        const input = {
          params: { id: as?.phoneId ?? phone.id },
          body: file ? formOf(message.id, content, groupId) : { id: message.id, body: text, ...more, groupId },
        }
        const answer = await call(lab.send, input as never, { long: true, quiet: true })
        saveMessage(answer.message)
        trace.answered(phone, message.id, clicked, answer)
      } catch (error) {
        const retry = () => {
          setLeaving((now) => [...now, message])
          void post(message, content, as)
        }
        const retryAction = { label: t('Tentar de novo'), run: retry }
        notify({
          id: message.id,
          tone: 'warn',
          title: t('O telefone não enviou'),
          text: sentence(error),
          action: retryAction,
        })
      } finally {
        setLeaving((now) => now.filter(({ id }) => id !== message.id))
      }
    },
    [phone, trace],
  )
  const send = useCallback(
    (content: Content): Promise<unknown> => {
      setTyping('paused')
      const message = previewOf(phone.id, content, writer)
      setLeaving((now) => [...now, message])
      sending.current = sending.current.then(() => post(message, content, writer))
      return sending.current
    },
    [phone.id, post, setTyping, writer],
  )
  return {
    messages,
    isPending,
    older: hasNextPage ? () => void fetchNextPage() : null,
    reload: () => void refetch(),
    draft,
    /** Shows text in the composer and, with it, that the person writes. */
    type: useCallback(
      (text: string) => {
        setDraft(text)
        setTyping(text ? 'composing' : 'paused')
      },
      [setTyping],
    ),
    setRecording: useCallback((isOn: boolean) => setTyping(isOn ? 'recording' : 'paused'), [setTyping]),
    send,
    teamState,
    writer,
    setWriter,
    /** Mail that is answered, for mailboxes; null begins another conversation. */
    answering,
    setAnswering,
  }
}

function formOf(
  id: string,
  { text, file, isVoice, isForwarded, durationMs, subject, quotedId }: Content,
  groupId: number | undefined,
): FormData {
  const form = new FormData()
  form.append('id', id)
  form.append('body', text)
  if (groupId) form.append('groupId', String(groupId))
  if (isVoice) form.append('isVoice', 'true')
  if (isForwarded) form.append('isForwarded', 'true')
  if (durationMs) form.append('durationMs', String(Math.round(durationMs)))
  if (subject) form.append('subject', subject)
  if (quotedId) form.append('quotedId', quotedId)
  form.append('file', file as File)
  return form
}

/** Returns a message as shown until the server has it. */
function previewOf(phoneId: number, content: Content, writer: Writer): LabMessage {
  const { text, file, isVoice, durationMs, isForwarded = false, contact, location } = content
  const id = uuid()
  const shown = file && {
    id,
    url: URL.createObjectURL(file),
    name: file.name,
    mime: file.type,
    size: file.size,
    width: null,
    height: null,
    durationMs: durationMs ?? null,
    waveform: null,
  }
  const plain = contact ? 'contact' : location ? 'location' : 'text'
  const mediaType = !file ? plain : isVoice ? 'audio' : typeOfMime(file.type)
  const timestamp = Date.now()
  return {
    id,
    phoneId,
    fromPhone: true,
    mediaType,
    body: text,
    file: shown ?? null,
    quotedId: null,
    data: contact ?? location ?? null,
    isForwarded,
    edited: false,
    isDeleted: false,
    reactions: [],
    sender: writer ? { phoneId: writer.phoneId, name: writer.name } : null,
    mentions: null,
    status: 'pending',
    timestamp,
  }
}

export type Typing = 'composing' | 'recording' | 'paused'

// Sends the typing state (repeated every few seconds, as WhatsApp does), and receives that of the team.
function useTyping(phoneId: number) {
  const published = useRef<{ state: Typing; at: number }>({ state: 'paused', at: 0 })
  const ends = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [teamState, setTeamState] = useState<Typing>('paused')
  const setTyping = useCallback(
    (state: Typing) => {
      const publish = (next: Typing) => {
        published.current = { state: next, at: Date.now() }
        call(lab.typing, { params: { id: phoneId }, body: { state: next } }, { quiet: true }).catch(() => {})
      }
      clearTimeout(ends.current)
      const { state: before, at } = published.current
      if (state !== before || (state !== 'paused' && Date.now() - at > typingRepeatMs)) publish(state)
      if (state === 'composing') ends.current = setTimeout(() => publish('paused'), typingEnds)
    },
    [phoneId],
  )
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = on(labEvents.typing, ({ phoneId: of, state }) => {
      if (of !== phoneId) return
      setTeamState(state)
      clearTimeout(timer)
      timer = setTimeout(() => setTeamState('paused'), 12_000)
    })
    const unsubscribe = on(labEvents.message, (message) => {
      if (message.phoneId === phoneId && !message.fromPhone) setTeamState('paused')
    })
    return () => {
      stop()
      unsubscribe()
      clearTimeout(timer)
      clearTimeout(ends.current)
    }
  }, [phoneId])
  return { setTyping, teamState }
}
