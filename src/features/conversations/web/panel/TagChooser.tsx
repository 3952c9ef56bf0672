import { useState } from 'react'
import { t } from '#web/t.ts'
import { squareColor } from '#web/ui/identity/hue.ts'
import { useTags } from '../list/choices.ts'
import css from './context.module.css'

/** The tags that the ticket does not have, found by their letters; the list stays open for the next one. */
export function TagChooser({ chosen, onChoose }: { chosen: readonly number[]; onChoose: (id: number) => void }) {
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
