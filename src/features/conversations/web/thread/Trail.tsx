import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messages } from '#features/conversations/addresses.ts'
import type { MessageRow } from '#features/conversations/messages-contract.ts'
import { errorText } from '#kit/errors.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { quotePreview } from './quote.tsx'
import css from './thread.module.css'

/** The way of one message, step by step, from us to the contact's device. */
export function Trail({ message, onClose }: { message: MessageRow; onClose: () => void }) {
  const { data, error } = useQuery({ ...query(messages.trail, { params: { id: message.id } }), staleTime: 0 })
  return (
    <Modal opened onClose={onClose} size={420} padding={20} title={t('Caminho da mensagem')}>
      <p className={css.trailOf}>{quotePreview(message)}</p>
      {error && <p role="alert">{sentence(error)}</p>}
      <ol className={css.trail}>
        {data?.steps.map((step, index) => (
          <li key={`${step.step} ${index}`} data-tone={toneOf(step.step)}>
            <b>{step.label}</b>
            <span>{detailOf(step.detail)}</span>
            <time>{formatDateTime(step.at)}</time>
          </li>
        ))}
      </ol>
    </Modal>
  )
}

const toneOf = (step: string) => ({ failed: 'neg', uncertain: 'warn', read: 'read', played: 'read' })[step]

const known: Record<string, (value: string) => string> = {
  attempt: (value) => t('tentativa {value}', { value }),
  user: (value) => t('por {value}', { value }),
  code: errorText,
  error: errorText,
  reason: errorText,
}

/** The details that say something to a person; ids and provider words stay out. */
const detailOf = (detail: Record<string, unknown>): string =>
  Object.entries(detail)
    .flatMap(([key, value]) => (known[key] && value ? [known[key](String(value))] : []))
    .join(' · ')
