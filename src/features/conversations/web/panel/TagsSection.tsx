import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { useLayer } from '#web/shell/layers.ts'
import { t } from '#web/t.ts'
import { AddIcon, CloseIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Tag } from '#web/ui/identity/badges.tsx'
import { squareColor } from '#web/ui/identity/hue.ts'
import type { TicketDetail } from '../../tickets-contract.ts'
import { setTags } from '../actions.ts'
import { useTags } from '../list/choices.ts'
import css from './context.module.css'

/** The tags of the ticket, to add and take away, and whose wallet the contact is in. */
export function TagsSection({ ticket }: { ticket: TicketDetail }) {
  const { id, tags, contact } = ticket
  const ids = tags.map((tag) => tag.id)
  const [choosing, setChoosing] = useState(false)
  useLayer(choosing, () => setChoosing(false))
  return (
    <section className={css.section}>
      <header>
        <h2>{contact.wallets.length > 0 ? t('Etiquetas e carteira') : t('Etiquetas')}</h2>
        <ActionIcon
          size={28}
          aria-label={choosing ? t('Fechar as etiquetas') : t('Adicionar etiqueta')}
          aria-expanded={choosing}
          onClick={() => setChoosing(!choosing)}
        >
          {choosing ? <CloseIcon size={16} /> : <AddIcon size={17} />}
        </ActionIcon>
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
      {choosing && <TagChooser chosen={ids} onChoose={(tagId) => void setTags(id, [...ids, tagId])} />}
      {contact.wallets.map((wallet) => (
        <p key={wallet.id} className={css.wallet}>
          <Avatar id={wallet.id} name={wallet.name} size={22} />
          {wallet.name} <span>{t('carteira')}</span>
        </p>
      ))}
    </section>
  )
}

/** The tags that the ticket does not have, found by their letters; the list stays open for the next one. */
function TagChooser({ chosen, onChoose }: { chosen: readonly number[]; onChoose: (id: number) => void }) {
  const [typed, setTyped] = useState('')
  const tags = useTags()
  const free = tags?.filter((tag) => !chosen.includes(tag.id) && tag.tag.toLowerCase().includes(typed.toLowerCase()))
  return (
    <div className={css.chooser}>
      <input
        autoFocus
        value={typed}
        placeholder={t('Buscar etiqueta')}
        aria-label={t('Buscar etiqueta')}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ul>
        {free?.map((tag) => (
          <li key={tag.id}>
            <button type="button" onClick={() => onChoose(tag.id)}>
              <i className={css.square} style={{ background: squareColor(tag.color) }} />
              {tag.tag}
            </button>
          </li>
        ))}
        {free?.length === 0 && <li className={css.none}>{t('Nenhuma com esse nome.')}</li>}
      </ul>
    </div>
  )
}
