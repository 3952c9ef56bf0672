import type { MessageRow } from '#features/ledger/message-rows.ts'
import css from './link-card.module.css'

/** Preview of the page behind a message's link; its height is fixed, so that the layout does not shift. */
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
