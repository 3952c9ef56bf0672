import type { MessageRow } from '#features/ledger/message-rows.ts'
import css from './link-card.module.css'

/** What the page behind a message's link says of itself; always of one height, so that nothing moves while it is drawn. */
export function LinkCard({ card }: { card: NonNullable<MessageRow['linkCard']> }) {
  const { url, title, description, site, picture } = card
  return (
    <a className={css.card} href={url} target="_blank" rel="noopener noreferrer nofollow">
      {picture && <img src={picture} alt="" decoding="async" onError={(event) => event.currentTarget.remove()} />}
      <span className={css.about}>
        <b data-alone={!description || undefined}>{title}</b>
        {description && <span className={css.description}>{description}</span>}
        <span className={css.site}>{site}</span>
      </span>
    </a>
  )
}
