import { type KeyboardEvent, useState } from 'react'
import { useTags } from '#features/tickets/web/choices/choices.ts'
import { t } from '#web/t.ts'
import { squareColor } from '#web/ui/identity/hue.ts'
import css from './context.module.css'

/** Search of tags that the ticket lacks; a click, or arrows and Enter, add one, and the list stays open. */
export function TagChooser({ chosen, onChoose }: { chosen: readonly number[]; onChoose: (id: number) => void }) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const tags = useTags()
  const free =
    tags?.filter((tag) => !chosen.includes(tag.id) && tag.tag.toLowerCase().includes(typed.toLowerCase())) ?? []
  const current = Math.min(at, Math.max(0, free.length - 1))
  const choose = (id: number) => {
    setTyped('')
    onChoose(id)
  }
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if ((!step && event.key !== 'Enter') || free.length === 0) return
    event.preventDefault()
    if (step) setAt((current + step + free.length) % free.length)
    else choose(free[current]!.id)
  }
  return (
    <div className={css.chooser}>
      <input
        autoFocus
        value={typed}
        placeholder={t('Buscar etiqueta')}
        aria-label={t('Buscar etiqueta')}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={keys}
      />
      <ul>
        {free.map((tag, index) => (
          <li key={tag.id}>
            <button
              type="button"
              ref={index === current ? intoView : undefined}
              data-current={index === current || undefined}
              onClick={() => choose(tag.id)}
            >
              <i className={css.square} style={{ background: squareColor(tag.color) }} />
              {tag.tag}
            </button>
          </li>
        ))}
        {tags && free.length === 0 && <li className={css.none}>{t('Nenhuma com esse nome.')}</li>}
      </ul>
    </div>
  )
}

const intoView = (button: HTMLElement | null): void => button?.scrollIntoView({ block: 'nearest' })
