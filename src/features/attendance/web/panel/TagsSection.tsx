import { Suspense, useState } from 'react'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { setTags } from '#features/tickets/web/actions/actions.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useLayer } from '#web/shell/layers.ts'
import { t } from '#web/t.ts'
import { AddIcon, CloseIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Tag } from '#web/ui/identity/badges.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import css from './context.module.css'

const TagChooser = lazyPart(async () => (await import('./TagChooser.tsx')).TagChooser)

/** Tags of the ticket, editable, and with `hasWallets` the contact's wallets. */
export function TagsSection({ ticket, hasWallets }: { ticket: TicketDetail; hasWallets: boolean }) {
  const { id, tags } = ticket
  const wallets = hasWallets ? ticket.contact.wallets : []
  const ids = tags.map((tag) => tag.id)
  const [choosing, setChoosing] = useState(false)
  useLayer(choosing, () => setChoosing(false))
  return (
    <section className={css.section}>
      <header>
        <h2>{wallets.length > 0 ? t('Etiquetas e carteira') : t('Etiquetas')}</h2>
        <IconButton
          size={28}
          aria-label={choosing ? t('Fechar as etiquetas') : t('Adicionar etiqueta')}
          aria-expanded={choosing}
          onClick={() => setChoosing(!choosing)}
        >
          {choosing ? <CloseIcon size={16} /> : <AddIcon size={17} />}
        </IconButton>
      </header>
      {tags.length === 0 ? (
        <p className={css.none}>{t('Nenhuma ainda.')}</p>
      ) : (
        <div className={css.tags}>
          {tags.map((tag) => (
            <Tag
              key={tag.id}
              name={tag.tag}
              color={tag.color}
              onRemove={() =>
                void setTags(
                  id,
                  ids.filter((one) => one !== tag.id),
                )
              }
            />
          ))}
        </div>
      )}
      <Suspense>
        {choosing && <TagChooser chosen={ids} onChoose={(tagId) => void setTags(id, [...ids, tagId])} />}
      </Suspense>
      {wallets.map((wallet) => (
        <p key={wallet.id} className={css.wallet}>
          <Avatar id={wallet.id} name={wallet.name} size={22} />
          {wallet.name} <span>{t('carteira')}</span>
        </p>
      ))}
    </section>
  )
}
