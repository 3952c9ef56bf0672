import { FileButton, Menu, NativeSelect } from '@mantine/core'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { smsPartsOf } from '#domain/messages/sms.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { formatClock } from '#web/format.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { AttachIcon, BroadcastIcon, CloseIcon, FileIcon, PdfIcon, PhotoIcon, VoiceIcon } from '#web/ui/icons.ts'
import type { LabPhone } from '../contract.ts'
import css from './composer.module.css'
import { examples, sampleVoice } from './samples.ts'
import type { PhoneState } from './use-phone.ts'
import { useRecorder } from './use-recorder.ts'

/** Composer of a phone: text, files and recordings; Enter sends. */
export function PhoneComposer({ phone, state }: { phone: LabPhone; state: PhoneState }) {
  const { draft, type, send, setRecording, writer, setWriter } = state
  const field = useRef<HTMLTextAreaElement>(null)
  const recorder = useRecorder()
  const pick = useRef<() => void>(null)

  const sendFile = (file: File | null) => {
    if (!file) return
    void send({ text: draft.trim(), file })
    type('')
  }
  const sendVoice = async () => {
    const { file, durationMs } = await sampleVoice()
    void send({ text: '', file, durationMs, isVoice: true })
  }
  const submit = () => {
    const text = draft.trim()
    if (!text) return
    void send({ text })
    type('')
    field.current?.focus()
  }
  const record = async () => {
    if (await recorder.start()) return setRecording(true)
    notify({
      id: 'microphone',
      tone: 'info',
      title: t('O navegador não deu acesso a um microfone'),
      action: { label: t('Enviar voz de exemplo'), run: () => void sendVoice() },
    })
  }
  const finish = async () => {
    setRecording(false)
    const recording = await recorder.stop()
    if (recording) void send({ text: '', isVoice: true, ...recording })
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  const paste = (event: ClipboardEvent) => {
    const file = event.clipboardData.files[0]
    if (!file) return
    event.preventDefault()
    sendFile(file)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    sendFile(event.dataTransfer.files[0] ?? null)
  }
  if (recorder.since !== null)
    return (
      <div className={css.composer}>
        <div className={css.recording} role="status">
          <i />
          {t('Gravando')} <Elapsed since={recorder.since} />
          <button
            type="button"
            aria-label={t('Descartar a gravação')}
            onClick={() => {
              recorder.cancel()
              setRecording(false)
            }}
          >
            <CloseIcon size={17} />
          </button>
        </div>
        <button type="button" className={css.go} aria-label={t('Enviar a gravação')} onClick={finish}>
          <BroadcastIcon size={18} />
        </button>
      </div>
    )
  const { files, smsParts } = capabilitiesOf(phone.type)
  const hasFiles = Object.keys(files).length > 0
  const records = hasFiles && draft.trim() === ''
  return (
    <div className={css.composer} data-group={phone.isGroup || undefined}>
      {writer && (
        <NativeSelect
          className={css.writer}
          size="xs"
          aria-label={t('Quem escreve em {name}', { name: phone.name })}
          data={phone.members.map(({ phoneId, name }) => ({
            value: String(phoneId),
            label: t('Como {name}', { name }),
          }))}
          value={String(writer.phoneId)}
          onChange={(event) => setWriter(Number(event.currentTarget.value))}
        />
      )}
      <div className={css.field}>
        <textarea
          ref={field}
          rows={1}
          value={draft}
          placeholder={t('Mensagem')}
          aria-label={t('Mensagem de {name}', { name: phone.name })}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={keys}
          onPaste={paste}
          onDrop={onDrop}
        />
        {smsParts && <SmsCount text={draft} />}
        {hasFiles && (
          <FileButton
            resetRef={pick}
            onChange={(file) => {
              sendFile(file)
              pick.current?.()
            }}
          >
            {(file) => (
              <Menu position="top-end" width={224}>
                <Menu.Target>
                  <button type="button" className={css.attach} aria-label={t('Anexar')}>
                    <AttachIcon size={18} />
                  </button>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item leftSection={<FileIcon size={17} />} onClick={file.onClick}>
                    {t('Arquivo do computador')}
                  </Menu.Item>
                  <Menu.Divider />
                  <Menu.Item
                    leftSection={<PhotoIcon size={17} />}
                    onClick={async () => sendFile(await examples.photo())}
                  >
                    {t('Foto de exemplo')}
                  </Menu.Item>
                  <Menu.Item leftSection={<VoiceIcon size={17} />} onClick={sendVoice}>
                    {t('Voz de exemplo')}
                  </Menu.Item>
                  <Menu.Item leftSection={<PdfIcon size={17} />} onClick={() => sendFile(examples.document())}>
                    {t('Documento de exemplo')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </FileButton>
        )}
      </div>
      <button
        type="button"
        className={css.go}
        aria-label={records ? t('Gravar áudio') : t('Enviar')}
        onClick={records ? record : submit}
      >
        {records ? <VoiceIcon size={18} /> : <BroadcastIcon size={18} />}
      </button>
    </div>
  )
}

/** Number of SMS that a text needs, and characters left in the last one. */
function SmsCount({ text }: { text: string }) {
  const { parts, left } = smsPartsOf(text)
  return <small className={css.parts}>{t('{parts} SMS · {left}', { parts, left })}</small>
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return <span className="g-num">{formatClock((now - since) / 1000)}</span>
}
