import { Button, Modal } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { shownText } from '#domain/messages/signature.ts'
import { messages } from '#features/conversations/addresses.ts'
import type { MessageRow } from '#features/conversations/messages-contract.ts'
import { errorText } from '#kit/errors.ts'
import { sentence } from '#web/api.ts'
import { pages } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { quotePreview } from './quote.tsx'
import css from './thread.module.css'

/** The way of one message, step by step, from us to the contact's device. */
export function Trail({ message, onClose }: { message: MessageRow; onClose: () => void }) {
  const trail = useInfiniteQuery({ ...pages(messages.trail, { params: { id: message.id } }), staleTime: 0 })
  const steps = trail.data?.pages.flatMap((page) => page.steps)
  return (
    <Modal opened onClose={onClose} size={420} padding={20} title={t('Caminho da mensagem')}>
      <p className={css.trailOf}>{quotePreview(message)}</p>
      {message.edition && (
        <p className={css.trailOf}>
          {t('Texto original: “{text}”', { text: shownText({ ...message, body: message.edition }) })}
        </p>
      )}
      {trail.error && <p role="alert">{sentence(trail.error)}</p>}
      <ol className={css.trail}>
        {steps?.map((step, index) => (
          <li key={`${step.step} ${index}`} data-tone={toneOf(step.step)}>
            <b>{step.label}</b>
            <span>{detailOf(step.detail)}</span>
            <time>{formatDateTime(step.at)}</time>
          </li>
        ))}
      </ol>
      {trail.hasNextPage && (
        <Button
          variant="subtle"
          fullWidth
          loading={trail.isFetchingNextPage}
          onClick={() => void trail.fetchNextPage()}
        >
          {t('Mostrar mais')}
        </Button>
      )}
    </Modal>
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
}

/** The details that say something to a person; ids and provider words stay out. */
const detailOf = (detail: Record<string, unknown>): string =>
  Object.entries(detail)
    .flatMap(([key, value]) => (known[key] && value ? [known[key](String(value))] : []))
    .join(' · ')
