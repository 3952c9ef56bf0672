import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { type Mention, mentionedIn } from '#domain/messages/mentions.ts'
import type { FileWish } from '#domain/messages/outgoing-files.ts'
import { signed, unsigned } from '#domain/messages/signature.ts'
import type { FastReply } from '#features/catalog/fast-replies.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { notifyError, uuid } from '#web/api.ts'
import { savePreferences, usePreferences } from '#web/preferences.ts'
import { extras } from '../acting/acting.ts'
import type { Attachment, Part, VoiceRecording } from '../outbox/attachments.ts'
import { enqueue, whenSent } from '../outbox/outbox.ts'
import { useSuggestions } from '../replies/use-suggestions.ts'
import { takeRecentAnswer } from '../ticket/answers.ts'
import { attaching, messageParts } from './attaching.ts'
import type { Tools } from './composer-parts.tsx'
import type { Draft } from './draft-store.ts'
import { useDraft } from './drafts.ts'
import type { ScheduleSubject } from './schedule-subject.ts'
import { isSendKey, useTextArea } from './text-area.ts'
import { useTyping } from './typing.ts'

/** Actions of the composer that its conversation can call. */
export type ComposerHandle = {
  focus: () => void
  addFiles: (files: readonly File[]) => void
  reply: (message: MessageRow) => void
  note: () => void
  /** Inserts an undone message before the text written since. */
  restore: (message: MessageRow) => void
  /** Opens the scheduling dialog for the current text. */
  schedule: () => void
}

/** Props of the composer. */
export type ComposerProps = {
  ref?: Ref<ComposerHandle>
  ticket: TicketDetail
  me: { id: number; name: string }
  /** False while the ticket is pending or closed: only notes are possible. */
  canReply: boolean
  /** Sends messages as a human agent's, outside of the window. */
  isHumanAgent: boolean
  mustSign: boolean
  /** False if the conversation was opened by shortcuts, which remain active until the text is clicked. */
  takesFocus: boolean
  onSendAndClose: () => void
  onSchedule: (subject: ScheduleSubject) => void
}

const mailing = () => import('./mail-draft.ts')

/** Attachments of conversations that were left, by ticket. */
const trays = new Map<number, readonly Attachment[]>()

/** State and actions of the composer; its view only renders them. */
export function useComposer(props: ComposerProps) {
  const { ref, ticket, me, canReply, isHumanAgent, mustSign, takesFocus, onSendAndClose, onSchedule } = props
  const { capabilities } = ticket
  const [draft, write] = useDraft(ticket.id, ticket.draft !== null)
  const isNote = draft.isNote || !canReply
  const [caret, setCaret] = useState(draft.body.length)
  const [files, setFiles] = useState<readonly Attachment[]>(() => trays.get(ticket.id) ?? [])
  const [panel, setPanel] = useState<'emoji' | 'voice' | null>(null)
  const { signs, enterSends, signature } = usePreferences()
  const more = extras.use()
  const picker = useRef<HTMLInputElement>(null)
  const picked = useRef<Mention[]>([])
  const replies = useRef(new Set<number>())
  const leaving = useRef(false)
  const typing = useTyping(ticket.id, canReply && !isNote)
  const choices = useSuggestions({ ticket, text: draft.body, caret, isNote })
  const { body, quotedMsg: quoted, mail } = draft
  const { area, focus, inserted } = useTextArea(body, takesFocus)
  const setQuoted = (quotedMsg: Draft['quotedMsg']) => write({ quotedMsg })
  const withSignature = mustSign || signs
  const { maxTextBytes } = capabilities
  const most = maxTextBytes ?? capabilities.maxTextLength
  const used = maxTextBytes ? new TextEncoder().encode(body).length : body.length
  const tooLong = !isNote && used > most
  const problem = files.some((file) => file.problem)
  const empty = body.trim() === '' && files.length === 0

  const change = (text: string, at: number) => {
    write({ body: text })
    setCaret(at)
    if (text) typing.writing()
    else typing.stopped()
  }

  // Synchronously, so that the next key finds the caret in place.
  const writeAt = (text: string, at: number) => {
    flushSync(() => change(text, at))
    area.current?.focus()
    area.current?.setSelectionRange(at, at)
  }

  const insert = (text: string) => {
    const { next, at } = inserted(text)
    writeAt(next, at)
  }

  const pick = (index: number) => {
    const next = choices.answer(index)
    if (!next) return
    next.choice.complete?.((text) => write({ body: next.fill(text) }))
    if (next.choice.names) picked.current.push(next.choice.names)
    if (next.choice.reply) void attachReply(next.choice.reply).catch(notifyError)
    writeAt(next.text, next.caret)
  }

  const addFiles = async (added: readonly File[]) => {
    const next = (await attaching()).attachAll(added, files.length, capabilities)
    setFiles((all) => [...all, ...next])
    focus()
  }
  const attachReply = async (one: FastReply) => {
    replies.current.add(one.id)
    if (one.files.length === 0 || isNote) return
    const { attachFilesOf } = await import('../replies/quick-replies.ts')
    await attachFilesOf(one, files.length, capabilities, setFiles)
  }
  const wantFile = async (file: Attachment, wish: FileWish | 'once' | null) =>
    (await attaching()).want(file, wish, capabilities, setFiles)

  const reply = (message: MessageRow) => {
    const { id, mediaType, mediaName, fromMe, userName } = message
    const author = fromMe ? (userName ?? me.name) : (message.sender?.name ?? ticket.contact.name)
    const quotedMsg = { id, body: unsigned(message.body, userName), mediaType, mediaName, fromMe, author }
    write({ isNote: false, quotedMsg })
    focus()
  }
  const note = () => {
    write({ isNote: true })
    focus()
  }
  const restore = (message: MessageRow) => {
    const text = unsigned(message.body, message.userName)
    write({ ...(text ? { body: [text, body].filter(Boolean).join('\n') } : {}), isNote: false })
    if (capabilities.threads) void mailing().then(({ draftOf }) => write(draftOf(message.data)))
    const { file } = message
    if (file)
      void fetch(file.url)
        .then(async (answer) => addFiles([new File([await answer.blob()], file.name, { type: file.mime })]))
        .catch(() => {})
    focus()
  }

  // Recipients of a mail; undefined where they have errors, which their fields show.
  const addressed = async () => (mail && !isNote ? (await mailing()).wishOf(mail) : null)

  const queue = (part: Part, order = 0, to: string | null = null) =>
    enqueue({
      ...part,
      mail: to,
      body: isNote || !withSignature ? part.body : signed(part.body, me.name, signature),
      idFront: uuid(),
      ticketId: ticket.id,
      userId: me.id,
      userName: me.name,
      isNote,
      ...(isHumanAgent && !isNote ? { isHumanAgent } : {}),
      named: isNote ? mentionedIn(part.body, picked.current) : [],
      createdAt: Date.now() + order,
      state: 'waiting',
      progress: null,
      error: null,
    })

  // Fills variables in messages to customers; notes remain as written.
  const filled = async (text: string) =>
    isNote || !text.includes('{{') ? text : (await import('../replies/quick-replies.ts')).filledIn(text, ticket)

  /** Sends the text and files. Returns false if the person cancels, or the text is already being sent. */
  const send = async (): Promise<boolean> => {
    if (empty || tooLong || problem || leaving.current) return false
    leaving.current = true
    return sendNow().finally(() => {
      leaving.current = false
    })
  }
  const sendNow = async (): Promise<boolean> => {
    const recent = isNote ? undefined : takeRecentAnswer(ticket.id)
    if (recent && !(await (await import('./second-answer.tsx')).confirmSecond(recent))) return false
    const to = await addressed()
    if (to === undefined) return false
    const text = await filled(body.trim())
    const sending = await Promise.all(files.map(async (one) => ({ ...one, caption: await filled(one.caption) })))
    const citing = isNote ? null : quoted
    clear()
    typing.stopped()
    focus()
    for (const [index, part] of (await messageParts(text, sending, citing)).entries()) queue(part, index, to)
    const used = [...replies.current]
    replies.current.clear()
    if (used.length > 0 && !isNote) (await import('../replies/quick-replies.ts')).countUses(used)
    return true
  }

  const clear = () => {
    write({ body: '', quotedMsg: null, mail: null })
    setCaret(0)
    setFiles([])
  }
  const schedule = () => {
    if (!tooLong && !problem) onSchedule({ body, files, mail, quotedMsgId: quoted?.id, onDone: clear })
  }

  useImperativeHandle(ref, () => ({ focus, addFiles, reply, note, restore, schedule }))

  const sendVoice = async (recording: VoiceRecording) => {
    setPanel(null)
    const to = await addressed()
    if (to === undefined) return
    queue({ body: '', file: await (await attaching()).voiceFile(recording), quoted: isNote ? null : quoted }, 0, to)
    setQuoted(null)
    focus()
  }

  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (choices.keys(event, pick)) return
    if (event.key === 'ArrowUp' && empty && !isNote) {
      event.preventDefault()
      more
        .ofConversation(ticket)
        .find(({ id }) => id === 'edit-last')
        ?.run()
      return
    }
    if (event.key === 'Escape' && (quoted || panel)) {
      event.stopPropagation()
      setPanel(null)
      return setQuoted(null)
    }
    if (event.key === 'Escape') {
      event.stopPropagation()
      return event.currentTarget.blur()
    }
    if (event.key === 'Enter' && event.shiftKey && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      if (tools.canSend && !isNote) void tools.onSendAndClose()
      return
    }
    if (!isSendKey(event, enterSends)) return
    event.preventDefault()
    void send()
  }

  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0 || !capabilities.media) return
    event.preventDefault()
    addFiles(pasted)
  }

  const tools: Tools = {
    isNote,
    canReply,
    isWhole: !isNote && !isHumanAgent,
    canAttach: capabilities.media,
    extra: canReply ? more.toSend(ticket) : [],
    canSend: !empty && !tooLong && !problem,
    hasText: !empty,
    enterSends,
    panel,
    signs: withSignature,
    mustSign,
    name: me.name,
    onNote: (next: boolean) => {
      write({ isNote: next })
      focus()
    },
    onSigns: (next: boolean) => void savePreferences({ signs: next }).catch(notifyError),
    onEnterSends: (next: boolean) => void savePreferences({ enterSends: next }).catch(notifyError),
    onAttach: () => picker.current?.click(),
    onPanel: (next: 'emoji' | 'voice') => setPanel(panel === next ? null : next),
    onQuick: () => insert(/(^|\s)$/.test(body.slice(0, area.current?.selectionStart ?? body.length)) ? '/' : ' /'),
    onSend: () => void send(),
    onSchedule: schedule,
    onSendAndClose: async () => {
      if ((await send()) && (await whenSent(ticket.id))) onSendAndClose()
    },
  }
  useEffect(() => {
    if (files.length > 0) trays.set(ticket.id, files)
    else trays.delete(ticket.id)
  }, [files, ticket.id])

  return {
    area,
    picker,
    body,
    isNote,
    choices,
    files,
    quoted,
    other: draft.other,
    panel,
    tooLong,
    tools,
    insert,
    pick,
    change,
    keys,
    paste,
    addFiles,
    wantFile,
    setFiles,
    setCaret,
    sendVoice,
    used,
    most,
    isInBytes: maxTextBytes !== null,
    stopTyping: typing.stopped,
    closePanel: () => {
      setPanel(null)
      focus()
    },
    removeQuote: () => setQuoted(null),
  }
}
