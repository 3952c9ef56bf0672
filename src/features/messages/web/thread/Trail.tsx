import { Button, Modal } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { shownText } from '#domain/messages/signature.ts'
import { milestonesOf, type Remedy, type Standstill, standstillOf } from '#domain/messages/trail.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { errorText } from '#kit/errors.ts'
import { sentence } from '#web/api.ts'
import { pages } from '#web/client.ts'
import { formatDate, formatDateTime, formatTime } from '#web/format.ts'
import '#web/errors.ts'
import { t } from '#web/t.ts'
import { MoreButton } from '#web/ui/feedback/MoreButton.tsx'
import { quotePreview } from '../parts/quote.tsx'
import css from './trail.module.css'

/** Handlers of the remedies for an undelivered message; a remedy without handler is not offered. */
export type Remedies = { readonly [R in Remedy]?: ((message: MessageRow) => void) | undefined }

/** Delivery trail of a message up to the contact's device: a summary, remedies, and each step. */
export function Trail(props: { message: MessageRow; remedies: Remedies; onClose: () => void }) {
  const { message, remedies, onClose } = props
  const trail = useInfiniteQuery({ ...pages(messages.trail, { params: { id: message.id } }), staleTime: 0 })
  const steps = trail.data?.pages.flatMap((page) => page.steps)
  return (
    <Modal opened onClose={onClose} size={420} title={t('Histórico de entrega')}>
      <p className={css.trailOf}>{quotePreview(message)}</p>
      {message.edition && (
        <p className={css.trailOf}>
          {t('Texto original: “{text}”', { text: shownText({ ...message, body: message.edition }) })}
        </p>
      )}
      {trail.error && <p role="alert">{sentence(trail.error)}</p>}
      {steps && <Summary message={message} steps={steps} />}
      {steps && message.fromMe && !message.isNote && !message.isDeleted && (
        <Advice message={message} steps={steps} remedies={remedies} onDone={onClose} />
      )}
      <ol className={css.trail}>
        {steps?.map((step, index) => (
          <li key={`${step.step} ${index}`} data-tone={toneOf(step.step)}>
            <b>{step.label}</b>
            <span>{detailOf(step.detail)}</span>
            <time>{formatDateTime(step.at)}</time>
          </li>
        ))}
      </ol>
      <MoreButton list={trail} />
    </Modal>
  )
}

type Steps = readonly { step: string; at: string; detail: Record<string, unknown> }[]

const reached = { sent: t('enviada'), delivered: t('entregue'), read: t('lida'), played: t('ouvida') }

/** Summary such as “Enviada 10:02 · entregue 10:03 · lida 10:05”, with the day where it is another one. */
function Summary({ message, steps }: { message: MessageRow; steps: Steps }) {
  const day = formatDate(message.timestamp)
  const timeOf = (at: string) => (formatDate(at) === day ? formatTime(at) : formatDateTime(at))
  const text = milestonesOf(steps)
    .map(({ milestone, step }) => `${reached[milestone]} ${timeOf(step.at)}`)
    .join(' · ')
  return text && <p className={css.summary}>{text}</p>
}

const advice: Readonly<Record<Standstill, string>> = {
  queued: t('Aguardando a vez no canal.'),
  repeating: t('O canal não respondeu. Ela vai de novo sozinha, assim que ele voltar.'),
  failed: t('Envie de novo, ou continue por outro canal.'),
  uncertain: t('O canal não confirmou o envio. Se o cliente não a recebeu, envie de novo.'),
  canceled: t('Não saiu. Dá para enviar agora.'),
  sent: t('Saiu. O aparelho do cliente ainda não a recebeu: pode estar desligado ou sem internet.'),
}
const labels: Readonly<Record<Remedy, string>> = {
  resend: t('Enviar de novo'),
  leave: t('Deixar assim'),
  cancel: t('Cancelar o envio'),
  channel: t('Continuar por outro canal'),
}

function Advice(props: { message: MessageRow; steps: Steps; remedies: Remedies; onDone: () => void }) {
  const { message, steps, remedies, onDone } = props
  const standstill = standstillOf(message.status, steps)
  if (!standstill) return null
  // The step holds the channel's reason; the error code only the refusal.
  const refused = message.errorCode && steps.findLast(({ detail }) => detail['reason'])?.detail['reason']
  const reason = message.errorCode && errorText(String(refused || message.errorCode))
  return (
    <div className={css.advice} data-tone={standstill.why}>
      <p>{[reason, advice[standstill.why]].filter(Boolean).join(' ')}</p>
      {standstill.remedies.map((remedy) => {
        const run = remedies[remedy]
        return (
          run && (
            <Button
              key={remedy}
              variant="default"
              size="xs"
              onClick={() => {
                onDone()
                run(message)
              }}
            >
              {labels[remedy]}
            </Button>
          )
        )
      })}
    </div>
  )
}

const toneOf = (step: string) =>
  ({ failed: 'neg', uncertain: 'warn', read: 'read', played: 'read' })[step.split(':').at(-1) ?? '']

const known: Record<string, (value: string) => string> = {
  text: (value) => `“${value}”`,
  attempt: (value) => t('tentativa {value}', { value }),
  user: (value) => t('por {value}', { value }),
  code: errorText,
  error: errorText,
  reason: errorText,
  providerText: (value) => t('o provedor disse: {value}', { value }),
}

/** Details that mean something to a person; omits ids and provider terms. */
const detailOf = (detail: Record<string, unknown>): string =>
  Object.entries(detail)
    .flatMap(([key, value]) => (known[key] && value ? [known[key](String(value))] : []))
    .join(' · ')
