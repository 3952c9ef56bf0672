import { memo, Suspense } from 'react'
import { unsigned } from '#domain/messages/signature.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { formatTime } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { LockIcon, RefreshIcon } from '#web/ui/icons.ts'
import { Ticks } from '#web/ui/identity/Ticks.tsx'
import { discardItem, retryItem } from '../outbox/outbox.ts'
import type { OutboxItem } from '../outbox/outbox-state.ts'
import css from '../parts/bubble.module.css'
import { Quote } from '../parts/quote.tsx'
import { RichText } from '../parts/rich-text.tsx'

const FileOnItsWay = lazyPart(async () => (await import('./FileOnItsWay.tsx')).FileOnItsWay)

/** Pending message: looks final, with a clock; a refused one shows the reason and its remedies. */
export const PendingBubble = memo(function PendingBubble(props: { item: OutboxItem; first: boolean; last: boolean }) {
  const { item, first, last } = props
  const side = item.isNote ? 'note' : 'out'
  const refused = item.state === 'refused'
  const isPicture = item.file && typeOfMime(item.file.mime) === 'image'
  return (
    <div className={css.row} data-side={side} data-first={first || undefined}>
      {refused && (
        <span className={css.way}>
          <span>{item.error}</span>
          <button type="button" onClick={() => retryItem(item.idFront)}>
            <RefreshIcon size={15} />
            {t('Reenviar')}
          </button>
          <button type="button" onClick={() => discardItem(item.idFront)}>
            {t('Descartar')}
          </button>
        </span>
      )}
      <article
        className={css.bubble}
        data-side={side}
        data-last={last || undefined}
        data-failed={refused || undefined}
        data-media={isPicture ? (item.body ? 'inset' : 'cover') : undefined}
        data-room={(item.file && !isPicture && !item.body && !item.isNote) || undefined}
        aria-label={t('Mensagem a caminho')}
      >
        {item.isNote && (
          <header className={css.noteHeader}>
            <LockIcon size={14} />
            <span>{`${t('Nota interna')} · ${item.userName}`}</span>
            <time>{formatTime(item.createdAt)}</time>
          </header>
        )}
        {first && side === 'out' && <b className={css.author}>{item.userName}</b>}
        {item.quoted && <Quote quoted={item.quoted} />}
        <Suspense>{item.file && <FileOnItsWay item={item} file={item.file} />}</Suspense>
        {item.body && (
          <p className={css.text}>
            <RichText text={unsigned(item.body, item.userName)} names={item.named?.map(({ name }) => name) ?? []} />
            {!item.isNote && <i className={css.room} />}
          </p>
        )}
        {!item.isNote && (
          <span className={css.meta}>
            <time>{formatTime(item.createdAt)}</time>
            <Ticks status={refused ? 'failed' : 'pending'} />
          </span>
        )}
      </article>
    </div>
  )
})
