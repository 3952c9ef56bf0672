import { SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { linksIn } from '#domain/messages/rich-text.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { DocumentCard } from '#features/messages/web/media/media.tsx'
import { pages } from '#web/client.ts'
import { formatDate } from '#web/format.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import css from './context.module.css'

type Kind = 'media' | 'links' | 'docs'

const isOf: Record<Kind, (message: MessageRow) => boolean> = {
  media: ({ file, mediaType }) => file !== null && (mediaType === 'image' || mediaType === 'video'),
  docs: ({ file, mediaType }) => file !== null && mediaType === 'document',
  links: ({ body }) => linksIn(body).length > 0,
}

/** Pictures, links and documents of a conversation, newest first, paged; marks nothing as read. */
export function Files({ ticketId }: { ticketId: number }) {
  const [kind, setKind] = useState<Kind>('media')
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    pages(messages.list, { params: { ticketId } }),
  )
  const found = data?.pages
    .flatMap((page) => page.messages.toReversed())
    .filter((one) => !one.isDeleted && isOf[kind](one))
  return (
    <div className={css.files}>
      <SegmentedControl
        fullWidth
        value={kind}
        onChange={(next) => setKind(next)}
        data={[
          { value: 'media', label: t('Mídia') },
          { value: 'links', label: t('Links') },
          { value: 'docs', label: t('Documentos') },
        ]}
      />
      {!found && <SkeletonRows kind="table" rows={3} />}
      {found?.length === 0 && !hasNextPage && <p className={css.nothing}>{t('Nada disso nesta conversa.')}</p>}
      {found && kind === 'media' && (
        <div className={css.grid}>
          {found.map(({ id, file, mediaType }) => (
            <a key={id} href={file?.url} target="_blank" rel="noopener noreferrer" title={file?.name}>
              {mediaType === 'image' ? (
                <img src={file?.url} alt={file?.name ?? ''} loading="lazy" />
              ) : (
                <video src={file?.url} preload="metadata" muted />
              )}
            </a>
          ))}
        </div>
      )}
      {found && kind === 'docs' && found.map(({ id, file }) => file && <DocumentCard key={id} file={file} />)}
      {found &&
        kind === 'links' &&
        found.flatMap(({ id, body, timestamp }) =>
          linksIn(body).map(({ href, text }, index) => (
            <a
              key={`${id} ${index}`}
              className={css.linkRow}
              href={href}
              target="_blank"
              rel="noopener noreferrer nofollow"
            >
              <span className="g-cut">{text}</span>
              <time>{formatDate(timestamp)}</time>
            </a>
          )),
        )}
      {hasNextPage && (
        <button type="button" className={css.older} disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Buscar em mensagens mais antigas')}
        </button>
      )}
    </div>
  )
}
