import { Button, Select } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { formatBrazilian } from '#domain/phone/brazil.ts'
import { RECORDER_STATES, type Recorder, VOICE_MS } from '#domain/voice/calls.ts'
import { queryClient } from '#web/client.ts'
import { formatClock } from '#web/format.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { CloseIcon, HangUpIcon, MutedIcon, PhoneIcon, VoiceIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { PhoneInput } from '#web/ui/inputs/PhoneInput.tsx'
import type { CurrentCall } from '../contract.ts'
import { type CallSound, openSound, startRinging } from './audio.ts'
import css from './phone.module.css'
import { request, voice } from './voice.ts'

const [NOT_READY] = RECORDER_STATES

const nameOf = ({ tag, phone }: CurrentCall): string => tag || numberText(phone)
const numberText = (digits: string): string => (digits ? (formatBrazilian(digits) ?? `+${digits}`) : t('Número oculto'))

/** Phone of the page: dials, offers incoming calls, and shows the current one. */
export function Phone({ onClose }: { onClose: () => void }) {
  const { calls } = voice.use()
  const own = calls.find(({ isOwn }) => isOwn)
  const offers = calls.filter(({ isOwn }) => !isOwn)
  return (
    <section className={css.phone} aria-label={t('Telefone')}>
      <header className={css.header}>
        <h2>{t('Telefone')}</h2>
        {calls.length === 0 && (
          <IconButton aria-label={t('Fechar')} onClick={onClose}>
            <CloseIcon size={18} />
          </IconButton>
        )}
      </header>
      {own && <CallPanel key={own.id} call={own} />}
      {offers.map((call) => (
        <Offer key={call.id} call={call} isQuiet={own !== undefined} />
      ))}
      {!own && offers.length === 0 && <Dial />}
    </section>
  )
}

/** Number to dial, and the device to use where there are several. */
function Dial() {
  const { devices } = voice.use()
  const [number, setNumber] = useState('')
  const [device, setDevice] = useState<string | null>(null)
  const [isDialling, setDialling] = useState(false)
  const open = devices.filter(({ state }) => state === 'open')
  const dial = async () => {
    setDialling(true)
    await request({ do: 'call', number, ...(device ? { deviceId: Number(device) } : {}) })
    setDialling(false)
  }
  return (
    <form
      className={css.dial}
      onSubmit={(event) => {
        event.preventDefault()
        void dial()
      }}
    >
      <PhoneInput label={t('Número')} value={number} onChange={setNumber} data-autofocus />
      {open.length > 1 && (
        <Select
          label={t('Linha')}
          placeholder={t('A que estiver livre')}
          clearable
          data={open.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={device}
          onChange={setDevice}
        />
      )}
      <p className={css.state} role="status">
        {open.length === 0 ? t('Webphone não está conectado') : isDialling && t('Conectando...')}
      </p>
      <Button
        type="submit"
        disabled={number === '' || isDialling || open.length === 0}
        leftSection={<PhoneIcon size={17} />}
      >
        {t('Ligar')}
      </Button>
    </form>
  )
}

function Person({ call, children }: { call: CurrentCall; children: string }) {
  return (
    <div className={css.person}>
      <Avatar id={call.chat_id ?? call.phone} name={nameOf(call)} size={44} />
      <div>
        <b>{nameOf(call)}</b>
        {call.tag && <span>{numberText(call.phone)}</span>}
        <span role="status">{children}</span>
      </div>
    </div>
  )
}

/** Incoming call that is not answered yet. */
function Offer({ call, isQuiet }: { call: CurrentCall; isQuiet: boolean }) {
  const isRinging = !isQuiet && call.ending === null
  useEffect(() => (isRinging ? startRinging() : undefined), [isRinging])
  return (
    <div className={css.call} role="alert">
      <Person call={call}>
        {call.ending ? endingText(call) : t('Ligação para {device}', { device: call.inbox_name })}
      </Person>
      <div className={css.actions}>
        <Button
          color="neg"
          variant="default"
          disabled={call.ending !== null}
          onClick={() => void request({ do: 'reject', id: call.id })}
        >
          {t('Recusar')}
        </Button>
        <Button
          disabled={isQuiet || call.ending !== null}
          leftSection={<PhoneIcon size={17} />}
          onClick={() => void request({ do: 'accept', id: call.id })}
        >
          {t('Atender')}
        </Button>
      </div>
    </div>
  )
}

function endingText({ ending }: CurrentCall): string {
  if (ending === 'accept_elsewhere') return t('Atendida em outro lugar')
  return ending === 'reject' || ending === 'reject_elsewhere' ? t('Ligação recusada') : t('Ligação encerrada')
}

function statusText(call: CurrentCall, now: number, recorder: Recorder): string {
  if (call.ending) return endingText(call)
  if (!call.isHere) return t('Em chamada em outra aba')
  if (call.status !== 'accept' || call.active_start_date === null)
    return call.direction === 'outgoing' ? t('Chamando...') : t('Conectando...')
  if (recorder === NOT_READY) return t('Em chamada, sem microfone')
  return `${t('Em chamada')} · ${formatClock((now - call.active_start_date) / 1000)}`
}

/** Call in which the user is, on this page or on another. */
function CallPanel({ call }: { call: CurrentCall }) {
  const { id, isHere, ending } = call
  const isTalking = isHere && ending === null
  const [isMuted, setMuted] = useState(false)
  const { sound, recorder } = useSound(isTalking)
  const now = useSeconds()
  useEffect(() => {
    if (!isTalking) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isTalking])
  useEffect(() => () => void setTimeout(reloadCalls, VOICE_MS.reload), [])
  const mute = () => {
    sound.current?.mute(!isMuted)
    setMuted(!isMuted)
    void request({ do: 'mute', id, isMuted: !isMuted })
  }
  return (
    <div className={css.call}>
      <Person call={call}>{statusText(call, now, recorder)}</Person>
      <div className={css.actions}>
        <Button
          variant="default"
          aria-pressed={isMuted}
          disabled={!isTalking}
          leftSection={isMuted ? <MutedIcon size={17} /> : <VoiceIcon size={17} />}
          onClick={mute}
        >
          {isMuted ? t('Ativar microfone') : t('Silenciar')}
        </Button>
        <Button
          color="neg"
          disabled={ending !== null}
          leftSection={<HangUpIcon size={17} />}
          onClick={() => void request({ do: 'end', id })}
        >
          {t('Encerrar')}
        </Button>
      </div>
    </div>
  )
}

/** Returns the current time (epoch ms), renewed every second. */
function useSeconds(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

const reloadCalls = () => void queryClient.invalidateQueries({ queryKey: ['calls'] })

/** Opens microphone and loudspeaker while the user talks on this page; a denied microphone is shown. */
function useSound(isTalking: boolean) {
  const sound = useRef<CallSound | null>(null)
  const [recorder, setRecorder] = useState<Recorder>(NOT_READY)
  useEffect(() => {
    if (!isTalking) return
    let isOver = false
    openSound(setRecorder).then(
      (opened) => {
        if (isOver) opened.close()
        else sound.current = opened
      },
      () =>
        notify({
          tone: 'neg',
          title: t('Sem microfone'),
          text: t('Permita o uso do microfone nas configurações do navegador para que a outra pessoa ouça você.'),
        }),
    )
    return () => {
      isOver = true
      sound.current?.close()
      sound.current = null
      setRecorder(NOT_READY)
    }
  }, [isTalking])
  return { sound, recorder }
}
