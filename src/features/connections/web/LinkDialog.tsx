import { Button, Modal, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { causeTexts } from '#domain/connections/cause-texts.ts'
import { capabilitiesOf, channelType } from '#providers/channels/configs.ts'
import { attempt } from '#web/attempt.ts'
import { call, query, queryClient } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { PositiveIcon } from '#web/ui/icons.ts'
import { QrCode } from '#web/ui/identity/QrCode.tsx'
import { PhoneInput } from '#web/ui/inputs/PhoneInput.tsx'
import { connectionEvents } from '../addresses.ts'
import { connections } from '../connection-addresses.ts'
import type { ConnectionDetail, ConnectionRow } from '../contract.ts'
import { numberOf } from './labels.ts'
import css from './link.module.css'

const steps = [t('Abra o aplicativo no telefone'), t('Toque em Aparelhos conectados e em Conectar um aparelho')]

/** Returns the seconds until a time, counted down; 0 afterwards. */
function useSecondsUntil(until: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((until - now) / 1000))
}

/** Dialog for linking a phone to a channel: the live code with its remaining seconds, and the result. */
export function LinkDialog({ row: { id, name, type }, onClose }: { row: ConnectionRow; onClose: () => void }) {
  // Events during the first read do not cause another one.
  const { data, dataUpdatedAt } = useQuery({
    ...query(connections.get, { params: { id } }),
    gcTime: 0,
    refetchInterval: 2000,
  })
  const [by, setBy] = useState<'camera' | 'number'>('camera')
  useEffect(() => {
    const read = () => void queryClient.invalidateQueries({ queryKey: ['connections'] })
    return on(connectionEvents.code, (event) => {
      if (event.session.id === id) read()
    })
  }, [id])
  // Both by this browser's clock, even if it is wrong.
  const seconds = useSecondsUntil(dataUpdatedAt + 1000 * (data?.codeSeconds ?? 0))
  const isOver = data?.status === 'CONNECTED' || data?.status === 'PAIRING'
  const choose = (next: string) => {
    setBy(next as typeof by)
    // Switching back to the camera requests a QR code if a typed one is shown.
    if (next === 'camera' && data?.pairingCode) void renew(id)
  }
  return (
    <Modal opened onClose={onClose} size={440} title={t('Conectar “{name}”', { name })}>
      {!isOver && capabilitiesOf(type).pairingCode && (
        <SegmentedControl
          fullWidth
          aria-label={t('Como conectar')}
          value={by}
          data={[
            { value: 'camera', label: t('Com a câmera') },
            { value: 'number', label: t('Com o número') },
          ]}
          onChange={choose}
        />
      )}
      <div className={css.stage} role="status">
        {data &&
          (by === 'camera' || isOver ? (
            <Stage detail={data} seconds={seconds} onClose={onClose} />
          ) : (
            <ByNumber detail={data} seconds={seconds} />
          ))}
      </div>
    </Modal>
  )
}

const renew = (id: number) => attempt(() => call(connections.renew, { params: { id } }, { quiet: true }))

function Stage({ detail, seconds, onClose }: { detail: ConnectionDetail; seconds: number; onClose: () => void }) {
  const { status, cause, qrcode, retries } = detail
  if (status === 'CONNECTED')
    return (
      <>
        <PositiveIcon size={44} className={css.good} />
        <p className={css.message}>
          <b>{t('Canal conectado')}</b>
          {detail.number && numberOf(detail)}
        </p>
        <Button onClick={onClose} data-autofocus>
          {t('Pronto')}
        </Button>
      </>
    )
  if (status === 'PAIRING')
    return <Waiting title={t('Código lido')} text={t('Entrando na conta. Deixe o telefone aberto.')} />
  if (status === 'DISCONNECTED')
    return (
      <>
        <Waiting
          title={cause ? causeTexts[cause].text : t('Nenhum telefone conectado')}
          text={cause ? causeTexts[cause].advice : t('Gere um QR Code e leia-o com o telefone.')}
        />
        <NewCode id={detail.id} />
      </>
    )
  if (qrcode && seconds > 0)
    return (
      <>
        <QrCode text={qrcode} label={t('QR Code para ler com o telefone')} />
        <p className={css.seconds}>{t('Código {n} de 6, vale por mais {seconds} s', { n: retries, seconds })}</p>
        <Steps last={t('Aponte a câmera para este código')} />
      </>
    )
  return <Preparing detail={detail} />
}

/** Time without a code after which the reason is shown. */
const patienceMs = 10_000

/** Shown until a code exists; if it does not come, shows the reason, if known, and what to do. */
function Preparing({ detail: { id, type, cause } }: { detail: ConnectionDetail }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return <Waiting title={t('Gerando o QR Code')} text={t('Tenha o telefone em mãos.')} />
  const { advice } = cause ? causeTexts[cause] : { advice: null }
  const ofServer = channelType(type)?.config.settings
    ? t('O servidor deste canal não respondeu. Confira o endereço e a chave na tela do provedor, e use “Testar”.')
    : t(
        'O WhatsApp ainda não respondeu. Confira se este servidor tem acesso à internet e, se o canal usa proxy, teste-o.',
      )
  return (
    <>
      <Waiting title={cause ? causeTexts[cause].text : t('O QR Code está demorando')} text={advice ?? ofServer} />
      <NewCode id={id} />
    </>
  )
}

function ByNumber({ detail, seconds }: { detail: ConnectionDetail; seconds: number }) {
  const { id, pairingCode } = detail
  const [number, setNumber] = useState('')
  const [busy, setBusy] = useState(false)
  const digits = number.replace(/\D/g, '')
  const ask = async () => {
    setBusy(true)
    await attempt(() => call(connections.start, { params: { id }, body: { pairing: digits } }, { quiet: true }))
    setBusy(false)
  }
  if (pairingCode && seconds > 0)
    return (
      <>
        <p className={css.code}>{`${pairingCode.slice(0, 4)}-${pairingCode.slice(4)}`}</p>
        <p className={css.seconds}>{t('Vale por mais {seconds} s', { seconds })}</p>
        <Steps last={t('Toque em Conectar com número e digite este código')} />
      </>
    )
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        void ask()
      }}
    >
      <PhoneInput label={t('Número do telefone')} value={number} onChange={setNumber} />
      <BusyButton type="submit" busy={busy} doing={t('Gerando')} disabled={digits.length < 8}>
        {t('Gerar código')}
      </BusyButton>
    </form>
  )
}

function NewCode({ id }: { id: number }) {
  const [busy, setBusy] = useState(false)
  return (
    <BusyButton
      busy={busy}
      doing={t('Gerando')}
      onClick={() => {
        setBusy(true)
        void renew(id).finally(() => setBusy(false))
      }}
    >
      {t('Gerar QR Code')}
    </BusyButton>
  )
}

const Steps = ({ last }: { last: string }) => (
  <ol className={css.steps}>
    {[...steps, last].map((step) => (
      <li key={step}>{step}</li>
    ))}
  </ol>
)

const Waiting = ({ title, text }: { title: string; text: ReactNode }) => (
  <p className={css.message}>
    <b>{title}</b>
    {text}
  </p>
)
