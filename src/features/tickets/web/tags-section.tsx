import { ActionIcon } from '@mantine/core'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Tag } from '#web/ui/bits.tsx'
import { CommandMenu } from '#web/ui/command-menu.tsx'
import { squareColor } from '#web/ui/hue.ts'
import { AddIcon } from '#web/ui/icons.ts'
import type { TicketDetail } from '../contract.ts'
import { setTags } from './actions.ts'
import { useTags } from './choices.ts'
import css from './context.module.css'

// A menu draws icons by component: this one is the tag's colour.
const squareOf = (color: string) => () => <i className={css.square} style={{ background: squareColor(color) }} />

/** The tags of the ticket, to add and take away, and whose wallet the contact is in. */
export function TagsSection({ ticket }: { ticket: TicketDetail }) {
  const { id, tags, contact } = ticket
  const ids = tags.map((tag) => tag.id)
  const free = useTags().data?.filter((tag) => !ids.includes(tag.id)) ?? []
  return (
    <section className={css.section}>
      <header>
        <h2>{contact.wallets.length > 0 ? t('Etiquetas e carteira') : t('Etiquetas')}</h2>
        <CommandMenu
          commands={() =>
            free.map((tag) => ({
              id: String(tag.id),
              label: tag.tag,
              icon: squareOf(tag.color),
              run: () => void setTags(id, [...ids, tag.id]),
            }))
          }
          target={
            <ActionIcon size={28} aria-label={t('Adicionar etiqueta')} disabled={free.length === 0}>
              <AddIcon size={17} />
            </ActionIcon>
          }
        />
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
      {contact.wallets.map((wallet) => (
        <p key={wallet.id} className={css.wallet}>
          <Avatar id={wallet.id} name={wallet.name} size={22} />
          {wallet.name} <span>{t('carteira')}</span>
        </p>
      ))}
    </section>
  )
}
