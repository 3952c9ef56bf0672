import { Button } from '@mantine/core'
import { type KeyboardEvent, type Ref, Suspense, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { MOST_TEXT } from '#domain/private-chat/limits.ts'
import { attaching, messageParts } from '#features/messages/web/composer/attaching.ts'
import composer from '#features/messages/web/composer/composer.module.css'
import { FilePicker } from '#features/messages/web/composer/FilePicker.tsx'
import { QuotedMessage } from '#features/messages/web/composer/QuotedMessage.tsx'
import { isSendKey, useTextArea } from '#features/messages/web/composer/text-area.ts'
import type { Attachment, FileAbilities, VoiceRecording } from '#features/messages/web/outbox/attachments.ts'
import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { readPreferences } from '#web/preferences.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { AttachIcon, EmojiIcon, SendIcon, VideoIcon, VoiceIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { privateChat } from '../addresses.ts'
import type { PrivateMessage } from '../contract.ts'
import { draftOf, saveDraft } from './drafts.ts'
import { Mentions } from './Mentions.tsx'
import { enqueue } from './outbox.ts'
import css from './private-chat.module.css'

const Tray = lazyPart(async () => (await import('#features/messages/web/composer/Tray.tsx')).Tray)
const Emoji = lazyPart(async () => (await import('#features/messages/web/composer/Emoji.tsx')).Emoji)
const VoiceNote = lazyPart(async () => (await import('#features/messages/web/composer/VoiceNote.tsx')).VoiceNote)
const MOST_BYTES = 100 * 1024 * 1024
const REPEAT_MS = 4000
const carried = { maxBytes: MOST_BYTES } as const
/** File abilities of the private chat: any file. */
const abilities: FileAbilities = {
  files: { image: carried, video: carried, audio: carried, document: carried },
  transcodes: false,
  viewOnce: [],
}

/** Actions of the composer for the surrounding conversation. */
export type ComposerHandle = { focus: () => void; addFiles: (files: readonly File[]) => void }

type Panel = 'emoji' | 'voice' | null
type Given = {
  ref?: Ref<ComposerHandle>
  peer: Peer
  quoted: PrivateMessage | null
  onQuoted: (message: PrivateMessage | null) => void
}

/** Composer of the private chat: text, files, recording, emoji, video call link. */
export function Composer({ ref, peer, quoted, onQuoted }: Given) {
  const typing = useTyping(peer)
  const draft = useDraft(peer, typing.set)
  const { text, area, focus, write, insert } = draft
  const { files, setFiles, addFiles } = useFiles(focus)
  const [panel, setPanel] = useState<Panel>(null)
  const { send, sendVoice } = sending({ peer, quoted, onQuoted, focus })
  const isTooLong = text.length > MOST_TEXT
  const canSend = (text.trim() !== '' || files.length > 0) && !isTooLong && !files.some(({ problem }) => problem)

  useImperativeHandle(ref, () => ({ focus, addFiles: (added) => void addFiles(added) }))
  const submit = async () => {
    if (!canSend) return
    write('')
    setFiles([])
    await send(text.trim(), files)
  }
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && (quoted || panel)) {
      event.stopPropagation()
      setPanel(null)
      return onQuoted(null)
    }
    if (!isSendKey(event, readPreferences().enterSends)) return
    event.preventDefault()
    void submit()
  }
  const closePanel = () => setPanel(null)
  return (
    <div className={composer.outer}>
      <div className={composer.box}>
        {panel === 'emoji' && (
          <Suspense fallback={<div className={composer.loading} />}>
            <Emoji onPick={insert} />
          </Suspense>
        )}
        <Suspense>{files.length > 0 && <Tray files={files} onChange={setFiles} onWish={null} />}</Suspense>
        {quoted && <Quoted message={quoted} onDrop={() => onQuoted(null)} />}
        {peer.isGroup && <Mentions teamId={peer.id} text={text} area={area} onPick={write} />}
        {panel === 'voice' ? (
          <Voice onSend={sendVoice} onClose={closePanel} onRecording={() => typing.set('recording')} />
        ) : (
          <Field
            draft={draft}
            isGroup={peer.isGroup}
            onKeyDown={keys}
            onFiles={addFiles}
            onLeave={() => typing.set('paused')}
          />
        )}
        {isTooLong && <TooLong />}
        <Tools panel={panel} onPanel={setPanel} draft={draft} onFiles={addFiles} onSend={canSend ? submit : null} />
      </div>
    </div>
  )
}

/** Text being written: kept as a draft, in a field as high as the text. */
function useDraft(peer: Peer, publish: (state: State) => void) {
  const [text, setText] = useState(() => draftOf(peer))
  const { area, focus, inserted } = useTextArea(text)
  const write = (next: string) => {
    setText(next)
    saveDraft(peer, next)
    publish(next ? 'composing' : 'paused')
  }
  const insert = (added: string) => {
    write(inserted(added).next)
    focus()
  }
  return { text, area, focus, write, insert }
}
type Draft = ReturnType<typeof useDraft>

/** Files that are sent with the message. */
function useFiles(focus: () => void) {
  const [files, setFiles] = useState<readonly Attachment[]>([])
  const addFiles = async (added: readonly File[]) => {
    const next = (await attaching()).attachAll(added, files.length, abilities)
    setFiles((all) => [...all, ...next])
    focus()
  }
  return { files, setFiles, addFiles }
}

/** Sends what was written or recorded, and drops the quoted message. */
function sending({ peer, quoted, onQuoted, focus }: Omit<Given, 'ref'> & { focus: () => void }) {
  const send = async (body: string, files: readonly Attachment[]) => {
    onQuoted(null)
    focus()
    enqueue(peer, await messageParts(body, files, null), quoted?.id ?? null)
  }
  const sendVoice = async (recording: VoiceRecording) => {
    enqueue(
      peer,
      [{ body: '', file: await (await attaching()).voiceFile(recording), quoted: null }],
      quoted?.id ?? null,
    )
    onQuoted(null)
    focus()
  }
  return { send, sendVoice }
}

function Quoted({ message, onDrop }: { message: PrivateMessage; onDrop: () => void }) {
  const { id, text, mediaType, mediaName, senderId, senderName } = message
  const fromMe = senderId === viewer().userId
  return (
    <QuotedMessage quoted={{ id, body: text, mediaType, mediaName, fromMe, author: senderName }} onRemove={onDrop} />
  )
}

function Voice(props: {
  onSend: (note: VoiceRecording) => Promise<void>
  onClose: () => void
  onRecording: () => void
}) {
  const { onSend, onClose, onRecording } = props
  return (
    <Suspense fallback={<div className={composer.middle} />}>
      <VoiceNote
        ticket={null}
        onSend={(note) => {
          onClose()
          void onSend(note)
        }}
        onClose={onClose}
        onRecording={onRecording}
      />
    </Suspense>
  )
}

function Field(props: {
  draft: Draft
  isGroup: boolean
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  onFiles: (files: readonly File[]) => Promise<void>
  onLeave: () => void
}) {
  const { draft, isGroup, onKeyDown, onFiles, onLeave } = props
  return (
    <div className={composer.middle}>
      <div className={composer.field}>
        <textarea
          ref={draft.area}
          data-text-target
          className={composer.text}
          rows={1}
          value={draft.text}
          placeholder={isGroup ? t('Mensagem. @ menciona alguém da equipe') : t('Mensagem')}
          aria-label={t('Mensagem')}
          aria-invalid={draft.text.length > MOST_TEXT || undefined}
          onChange={(event) => draft.write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={onLeave}
          onPaste={(event) => {
            const pasted = [...event.clipboardData.files]
            if (pasted.length === 0) return
            event.preventDefault()
            void onFiles(pasted)
          }}
        />
      </div>
    </div>
  )
}

function TooLong() {
  return (
    <p className={composer.tooLong} role="alert">
      {t('Use no máximo {most} caracteres.', { most: MOST_TEXT })}
    </p>
  )
}

/** Buttons below the text: file, emoji, recording, video call, sending; none while a recording is made. */
function Tools(props: {
  panel: Panel
  onPanel: (panel: Panel) => void
  draft: Draft
  onFiles: (files: readonly File[]) => Promise<void>
  /** Null while there is nothing to send. */
  onSend: (() => Promise<void>) | null
}) {
  const { panel, onPanel, draft, onFiles, onSend } = props
  const picker = useRef<HTMLInputElement>(null)
  const toggle = (next: Panel) => onPanel(panel === next ? null : next)
  return (
    <>
      {panel !== 'voice' && (
        <div className={composer.tools}>
          <IconButton aria-label={t('Anexar arquivo')} onClick={() => picker.current?.click()}>
            <AttachIcon size={19} />
          </IconButton>
          <IconButton aria-label={t('Emoji')} aria-pressed={panel === 'emoji'} onClick={() => toggle('emoji')}>
            <EmojiIcon size={19} />
          </IconButton>
          <IconButton aria-label={t('Gravar áudio')} onClick={() => toggle('voice')}>
            <VoiceIcon size={19} />
          </IconButton>
          <IconButton
            aria-label={t('Link de videoconferência')}
            title={t('Escreve um link de videoconferência novo')}
            onClick={() => draft.insert(`${draft.text && !/\s$/.test(draft.text) ? ' ' : ''}${newCall()}`)}
          >
            <VideoIcon size={19} />
          </IconButton>
          <span className={css.send}>
            <Button onClick={() => void onSend?.()} disabled={!onSend} leftSection={<SendIcon size={17} />}>
              {t('Enviar')}
            </Button>
          </span>
        </div>
      )}
      <FilePicker ref={picker} onFiles={(files) => void onFiles(files)} />
    </>
  )
}

/** Returns the URL of a new video call room with an unguessable name. */
const newCall = (): string => `https://meet.jit.si/${crypto.getRandomValues(new Uint32Array(3)).join('-')}`

type State = 'composing' | 'recording' | 'paused'

/** Hook that publishes the user's typing state: at once, repeatedly while typing, and when it stops. */
function useTyping({ id, isGroup }: Peer): { set: (state: State) => void } {
  const sent = useRef<{ state: State; at: number }>({ state: 'paused', at: 0 })
  const set = (state: State) => {
    const now = Date.now()
    if (sent.current.state === state && (state === 'paused' || now - sent.current.at < REPEAT_MS)) return
    sent.current = { state, at: now }
    call(privateChat.typing, { params: { contactId: id }, body: { isGroup, state } }, { quiet: true }).catch(() => {})
  }
  const leave = useRef(set)
  leave.current = set
  useEffect(() => () => leave.current('paused'), [])
  return { set }
}
