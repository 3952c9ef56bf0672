import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { formatClock } from '#web/format.ts'
import { useLayer } from '#web/shell/layers.ts'
import { t } from '#web/t.ts'
import { confirmDiscard } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { ArrowUpIcon, DeleteIcon, OnceIcon, PauseFilledIcon, PlayIcon, VoiceIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { markUnsaved } from '#web/unsaved.ts'
import { useAudio } from '../media/use-audio.ts'
import { useObjectUrl } from '../media/use-object-url.ts'
import { type Recording, startRecording } from '../outbox/recorder.ts'
import composer from './composer.module.css'
import css from './voice.module.css'

type Done = { blob: Blob; durationMs: number; once?: boolean }

type Given = { ticket: TicketDetail | null; onSend: (note: Done) => void; onClose: () => void; onRecording: () => void }

/** Confirmation before a recording is discarded. */
const loss = {
  title: t('Descartar o áudio?'),
  text: t('O que você gravou ainda não foi enviado.'),
  cancel: t('Continuar'),
}

/**
 * Recorder of a voice note: starts when it appears; can be paused, played, discarded, or sent, as view once where possible.
 * Enter sends, space pauses and resumes; asks before a recording is lost.
 */
export function VoiceNote(props: Given) {
  const { ticket, onSend, onClose, onRecording } = props
  const recording = useRef<Recording>(undefined)
  const box = useRef<HTMLDivElement>(null)
  // Time recorded before the last pause, and start of the current stretch; null while paused.
  const [spent, setSpent] = useState(0)
  const [since, setSince] = useState<number | null>()
  const [now, setNow] = useState(0)
  const [levels, setLevels] = useState<readonly number[]>([])
  const [done, setDone] = useState<Done>()
  const [once, setOnce] = useState(false)
  const close = useRef(onClose)
  close.current = onClose
  const started = useRef(onRecording)
  started.current = onRecording
  const isSending = useRef(false)

  useEffect(() => {
    let left = false
    box.current?.focus()
    startRecording()
      .then((own) => {
        if (left) return own.cancel()
        recording.current = own
        setSince(Date.now())
        setNow(Date.now())
        started.current()
      })
      .catch(() => {
        notify({ tone: 'warn', title: t('O navegador não deu acesso ao microfone.') })
        close.current()
      })
    return () => {
      left = true
      recording.current?.cancel()
    }
  }, [])

  useEffect(() => {
    if (!since || done) return
    const timer = setInterval(() => {
      setNow(Date.now())
      setLevels((all) => [...all.slice(-38), recording.current?.level() ?? 0])
    }, 100)
    return () => clearInterval(timer)
  }, [since, done])

  const isThere = since !== undefined
  useEffect(() => (isThere ? markUnsaved('form', loss) : undefined), [isThere])
  const discard = async () => {
    if (!isThere || (await confirmDiscard(loss))) onClose()
    else box.current?.focus()
  }
  useLayer(true, () => void discard())

  const lasted = () => spent + (since ? Math.max(0, Date.now() - since) : 0)
  const toggle = () => {
    if (!recording.current) return
    if (since) {
      recording.current.pause()
      setSpent(lasted())
      return setSince(null)
    }
    recording.current.resume()
    setNow(Date.now())
    setSince(Date.now())
  }
  const stop = async (): Promise<Done | undefined> => {
    const durationMs = lasted()
    const blob = await recording.current?.stop()
    if (!blob) return undefined
    const finished = { blob, durationMs }
    setDone(finished)
    return finished
  }
  const send = async () => {
    if (isSending.current) return
    isSending.current = true
    const note = done ?? (await stop())
    if (note) onSend(once ? { ...note, once } : note)
    else isSending.current = false
  }
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    // A focused button handles its own keys.
    if (event.target instanceof Element && event.target.closest('[data-own-keys]')) return
    if (event.key !== 'Enter' && (event.key !== ' ' || done)) return
    event.preventDefault()
    if (event.key === 'Enter') void send()
    else toggle()
  }
  return (
    <div
      ref={box}
      className={css.voice}
      role="group"
      tabIndex={-1}
      aria-label={t('Gravar áudio')}
      data-text-target
      onKeyDown={keys}
    >
      <IconButton
        className={css.tool}
        data-own-keys
        onClick={() => void discard()}
        aria-label={t('Descartar o áudio')}
        title="Esc"
      >
        <DeleteIcon size={19} />
      </IconButton>
      {done ? (
        <Listen note={done} />
      ) : (
        <>
          <i className={css.live} data-paused={since === null || undefined} />
          <span className={css.since} role="timer">
            {formatClock((spent + (since ? Math.max(0, now - since) : 0)) / 1000)}
          </span>
          <span className={css.levels} aria-hidden="true">
            {levels.map((level, index) => (
              <i key={index} style={{ transform: `scaleY(${0.12 + 0.88 * level})` }} />
            ))}
          </span>
          <IconButton
            className={css.tool}
            onClick={toggle}
            disabled={!isThere}
            aria-label={since === null ? t('Continuar a gravação') : t('Pausar a gravação')}
            title={t('Espaço')}
          >
            {since === null ? <VoiceIcon size={19} /> : <PauseFilledIcon size={19} />}
          </IconButton>
          <IconButton className={css.tool} data-own-keys onClick={() => void stop()} aria-label={t('Parar e ouvir')}>
            <PlayIcon size={19} />
          </IconButton>
        </>
      )}
      {ticket?.capabilities.viewOnce.includes('audio') && (
        <IconButton
          className={css.tool}
          data-own-keys
          aria-pressed={once}
          aria-label={t('Visualização única')}
          title={t('O contato ouve uma vez só')}
          onClick={() => setOnce(!once)}
        >
          <OnceIcon size={19} />
        </IconButton>
      )}
      <button type="button" className={composer.round} onClick={() => void send()} aria-label={t('Enviar áudio')}>
        <ArrowUpIcon size={19} />
      </button>
    </div>
  )
}

function Listen({ note }: { note: Done }) {
  const url = useObjectUrl(note.blob)
  const { audio, playing, at, toggle } = useAudio(url, note.durationMs / 1000)
  useEffect(() => () => audio.pause(), [audio])
  const share = Math.min(1, (at * 1000) / note.durationMs)
  return (
    <>
      <IconButton className={css.tool} onClick={toggle} aria-label={playing ? t('Pausar') : t('Ouvir')} autoFocus>
        {playing ? <PauseFilledIcon size={19} /> : <PlayIcon size={19} />}
      </IconButton>
      <span className={css.preview}>
        <i style={{ transform: `scaleX(${share})` }} />
      </span>
      <span className={css.since}>{formatClock(note.durationMs / 1000)}</span>
    </>
  )
}
